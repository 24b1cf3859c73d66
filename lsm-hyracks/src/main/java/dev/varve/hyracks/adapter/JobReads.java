package dev.varve.hyracks.adapter;

import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.storage.am.common.api.ISearchOperationCallbackFactory;
import org.apache.hyracks.storage.common.ISearchOperationCallback;
import org.jspecify.annotations.Nullable;

/**
 * What has stock searches read the moment of their job: given to them as the factory of their
 * callbacks. All searches of a job that have it, of whatever indexes, read each node as it was when
 * the first of them asked there, as {@link NodeStorage#snapshotFor} says. A search without it reads
 * what is committed by then, because Hyracks tells an index nothing else about the job it is
 * searched for.
 *
 * <p>The job's own changes come later than its moment, and are not seen. So it is not for operators
 * that change what they find, as {@code BTreeUpdateSearch} does: they would undo what others have
 * changed meanwhile. A search whose snapshot is given up fails with {@code SNAPSHOT_GIVEN_UP}.
 * Thread-safe: no state; travels inside a job.
 */
public enum JobReads implements ISearchOperationCallbackFactory {
  /** The only one. */
  OF_ONE_MOMENT;

  @Override
  public ISearchOperationCallback createSearchOperationCallback(
      long resourceId, IHyracksTaskContext task, @Nullable IOperatorNodePushable operator) {
    return new JobMoment(NodeStorage.of(task).snapshotFor(task));
  }
}
