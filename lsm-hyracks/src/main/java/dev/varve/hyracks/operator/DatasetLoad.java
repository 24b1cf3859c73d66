package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.partition.BulkLoader;
import dev.varve.hyracks.adapter.NodeStorage;
import dev.varve.hyracks.adapter.StorageFailures;
import dev.varve.hyracks.feed.PartitionCounters;
import java.nio.ByteBuffer;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.ActivityId;
import org.apache.hyracks.api.dataflow.IActivityGraphBuilder;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.dataflow.TaskId;
import org.apache.hyracks.api.dataflow.value.IRecordDescriptorProvider;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.api.job.JobId;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAccessor;
import org.apache.hyracks.dataflow.std.base.AbstractActivityNode;
import org.apache.hyracks.dataflow.std.base.AbstractOperatorDescriptor;
import org.apache.hyracks.dataflow.std.base.AbstractStateObject;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryInputSinkOperatorNodePushable;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryOutputSourceOperatorNodePushable;

/**
 * Bulk-loads the partitions of an empty dataset from records in ascending order of their keys. Two
 * activities: the first writes everything but publishes nothing; the second, which begins only when
 * every partition's first has succeeded, publishes. So a load that fails anywhere leaves nothing
 * behind. (Only a crash in the short second part can leave some partitions loaded and others
 * empty.) What isn't published is removed when the job's part on the node is cleaned up, however it
 * ended: a closed input is not taken for a successful one.
 */
final class DatasetLoad extends AbstractOperatorDescriptor {
  private static final long serialVersionUID = 1L;

  private final String dataset;
  private final ClusterRouting routing;
  private final long feed;

  DatasetLoad(IOperatorDescriptorRegistry job, String dataset, ClusterRouting routing, long feed) {
    super(job, 1, 1);
    this.dataset = dataset;
    this.routing = routing;
    this.feed = feed;
    outRecDescs[0] = RecordTuples.descriptor();
  }

  @Override
  public void contributeActivities(IActivityGraphBuilder builder) {
    Build build = new Build(new ActivityId(odId, 0));
    Publish publish = new Publish(new ActivityId(odId, 1));
    builder.addActivity(this, build);
    builder.addSourceEdge(0, build, 0);
    builder.addActivity(this, publish);
    builder.addTargetEdge(0, publish, 0);
    builder.addBlockingEdge(build, publish);
  }

  /** A loader on its way from the first activity to the second. */
  private static final class Built extends AbstractStateObject {
    private final BulkLoader loader;

    Built(JobId job, TaskId task, BulkLoader loader) {
      super(job, task);
      this.loader = loader;
    }
  }

  private final class Build extends AbstractActivityNode {
    private static final long serialVersionUID = 1L;

    Build(ActivityId id) {
      super(id);
    }

    @Override
    public IOperatorNodePushable createPushRuntime(
        IHyracksTaskContext task,
        IRecordDescriptorProvider records,
        int partition,
        int partitions) {
      return new Loads(task, new TaskId(getActivityId(), partition));
    }
  }

  private final class Loads extends AbstractUnaryInputSinkOperatorNodePushable {
    private final IHyracksTaskContext task;
    private final TaskId id;
    private final FrameTupleAccessor frame = new FrameTupleAccessor(RecordTuples.descriptor());
    private final Slice record = new Slice();
    private BulkLoader loader;

    @SuppressWarnings("NullAway.Init") // open() is called before anything else.
    Loads(IHyracksTaskContext task, TaskId id) {
      this.task = task;
      this.id = id;
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // Closed when the job's part on this node ends.
    public void open() throws HyracksDataException {
      NodeStorage node = NodeStorage.of(task);
      try {
        int local = routing.localOf(id.getPartition());
        BulkLoader opened = node.engine().dataset(dataset).partition(local).bulkLoad();
        loader = opened;
        task.getJobletContext().registerDeallocatable(opened::close);
      } catch (StorageException failure) {
        throw StorageFailures.toHyracks(failure);
      }
    }

    @Override
    public void nextFrame(ByteBuffer buffer) throws HyracksDataException {
      frame.reset(buffer);
      try {
        for (int tuple = 0; tuple < frame.getTupleCount(); tuple++) {
          loader.add(RecordTuples.view(frame, tuple, RecordTuples.RECORD_FIELD, record));
        }
      } catch (StorageException failure) {
        throw StorageFailures.toHyracks(failure);
      }
    }

    @Override
    public void fail() {
      // Nothing to do: without a publication the loader removes what it wrote when it is closed.
    }

    @Override
    public void close() {
      task.setStateObject(new Built(task.getJobletContext().getJobId(), id, loader));
    }
  }

  private final class Publish extends AbstractActivityNode {
    private static final long serialVersionUID = 1L;

    Publish(ActivityId id) {
      super(id);
    }

    @Override
    public IOperatorNodePushable createPushRuntime(
        IHyracksTaskContext task,
        IRecordDescriptorProvider records,
        int partition,
        int partitions) {
      TaskId built = new TaskId(new ActivityId(getOperatorId(), 0), partition);
      return new AbstractUnaryOutputSourceOperatorNodePushable() {
        @Override
        public void initialize() throws HyracksDataException {
          Emission.run(writer, this::publish);
        }

        private void publish() throws HyracksDataException, StorageException {
          long loaded = ((Built) task.getStateObject(built)).loader.finish();
          PartitionCounters counters = NodeStorage.of(task).feeds().counters(feed, partition);
          counters.acknowledge(loaded, PartitionCounters.NO_KEY);
          RecordTuples.Writer output = new RecordTuples.Writer(task, writer);
          FeedReport.write(output, counters.progress(partition));
          output.finish();
        }
      };
    }
  }
}
