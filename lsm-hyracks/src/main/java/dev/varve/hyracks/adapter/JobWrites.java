package dev.varve.hyracks.adapter;

import dev.varve.common.error.StorageException;
import org.apache.hyracks.api.context.IHyracksJobletContext;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.job.IJobletEventListener;
import org.apache.hyracks.api.job.IJobletEventListenerFactory;
import org.apache.hyracks.api.job.JobId;
import org.apache.hyracks.api.job.JobParameterByteStore;
import org.apache.hyracks.api.job.JobSpecification;
import org.apache.hyracks.api.job.JobStatus;
import org.apache.hyracks.storage.am.common.api.IModificationOperationCallbackFactory;
import org.apache.hyracks.storage.common.IModificationOperationCallback;
import org.apache.hyracks.storage.common.LocalResource;
import org.jspecify.annotations.Nullable;

/**
 * What groups the changes that stock insert, update and delete operators make in a job: given to
 * them as the factory of their callbacks, and to the job as the factory of its listeners. Without
 * it every tuple is acknowledged, and the log forced, by itself.
 *
 * <p>Each node ends its part of a job by itself, before the job's end is known to the client; a
 * node that dies in between has redone what it acknowledged. Tasks of a job must not change the
 * same keys of one index, as they don't when its tuples are partitioned by key: one would wait for
 * the other's end.
 *
 * <p>When changes can't be made durable at the end of a job that has succeeded, the node throws,
 * and never reports its end: the client hears of no success. The engine refuses all later writes
 * then. Immutable; travels inside a job.
 */
public final class JobWrites
    implements IModificationOperationCallbackFactory, IJobletEventListenerFactory {
  private static final long serialVersionUID = 2L;

  private final WriteGrouping grouping;

  private JobWrites(WriteGrouping grouping) {
    this.grouping = grouping;
  }

  /** Has a job end what it writes; the result is for its operators. */
  public static JobWrites of(JobSpecification job, WriteGrouping grouping) {
    JobWrites writes = new JobWrites(grouping);
    job.setJobletEventListenerFactory(writes);
    return writes;
  }

  @Override
  public IModificationOperationCallback createModificationOperationCallback(
      LocalResource resource, IHyracksTaskContext task, @Nullable IOperatorNodePushable operator) {
    JobId job = task.getJobletContext().getJobId();
    return new JobCallback(grouping, NodeStorage.of(task).changesOf(job));
  }

  @Override
  public IJobletEventListener createListener(IHyracksJobletContext joblet) {
    NodeStorage node = NodeStorage.of(joblet.getServiceContext());
    return new Listener(node, joblet.getJobId());
  }

  @Override
  public IJobletEventListenerFactory copyFactory() {
    return new JobWrites(grouping);
  }

  @Override
  public void updateListenerJobParameters(JobParameterByteStore parameters) {
    // There are none.
  }

  private record Listener(NodeStorage node, JobId job) implements IJobletEventListener {
    @Override
    public void jobletStart() {
      // Changes are kept when the first is made.
    }

    @Override
    public void jobletFinish(JobStatus status) {
      try {
        node.endChanges(job, status == JobStatus.TERMINATED);
      } catch (StorageException failure) {
        throw new IllegalStateException(
            "what " + job + " wrote could not be made durable", failure);
      }
    }
  }
}
