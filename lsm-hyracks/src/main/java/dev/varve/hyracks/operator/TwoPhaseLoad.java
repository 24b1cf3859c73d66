package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.adapter.StorageFailures;
import java.nio.ByteBuffer;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.ActivityId;
import org.apache.hyracks.api.dataflow.IActivityGraphBuilder;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.dataflow.TaskId;
import org.apache.hyracks.api.dataflow.value.IRecordDescriptorProvider;
import org.apache.hyracks.api.dataflow.value.RecordDescriptor;
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
 * A bulk load that leaves nothing behind when the job fails anywhere. Two activities: the first
 * writes everything but publishes nothing; the second, which begins only when every partition's
 * first has succeeded, publishes and sends one tuple. (Only a crash in the short second part can
 * leave some partitions loaded and others empty.) Components that are not published are removed
 * when the job's part on the node is cleaned up, however it ended: a closed input is not taken for
 * a successful one, because Hyracks closes inputs after errors and cancellations too.
 */
abstract class TwoPhaseLoad extends AbstractOperatorDescriptor {
  private static final long serialVersionUID = 1L;

  /** A load of one partition under way. Confined to one thread at a time. */
  interface Loading {
    /** Adds a tuple. */
    void add(FrameTupleAccessor frame, int tuple) throws HyracksDataException, StorageException;

    /** Publishes everything and returns what is sent about it. */
    Slice publish() throws HyracksDataException, StorageException;

    /** Without a publication: removes what was written. In any case gives everything back. */
    void end();
  }

  private final RecordDescriptor input;

  TwoPhaseLoad(IOperatorDescriptorRegistry job, RecordDescriptor input) {
    super(job, 1, 1);
    this.input = input;
    outRecDescs[0] = RecordTuples.descriptor();
  }

  /** Starts loading a partition. */
  abstract Loading start(IHyracksTaskContext task, int partition)
      throws HyracksDataException, StorageException;

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

  /** A load on its way from the first activity to the second. */
  private static final class Built extends AbstractStateObject {
    private final Loading loading;

    Built(JobId job, TaskId task, Loading loading) {
      super(job, task);
      this.loading = loading;
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
    private final FrameTupleAccessor frame = new FrameTupleAccessor(input);
    private Loading loading;

    @SuppressWarnings("NullAway.Init") // open() is called before anything else.
    Loads(IHyracksTaskContext task, TaskId id) {
      this.task = task;
      this.id = id;
    }

    @Override
    public void open() throws HyracksDataException {
      try {
        loading = start(task, id.getPartition());
      } catch (StorageException failure) {
        throw StorageFailures.toHyracks(failure);
      }
      task.getJobletContext().registerDeallocatable(loading::end);
    }

    @Override
    public void nextFrame(ByteBuffer buffer) throws HyracksDataException {
      frame.reset(buffer);
      try {
        for (int tuple = 0; tuple < frame.getTupleCount(); tuple++) {
          loading.add(frame, tuple);
        }
      } catch (StorageException failure) {
        throw StorageFailures.toHyracks(failure);
      }
    }

    @Override
    public void fail() {
      // Nothing to do: the second activity never begins, and end() removes what was written.
    }

    @Override
    public void close() {
      if (loading != null) {
        task.setStateObject(new Built(task.getJobletContext().getJobId(), id, loading));
      }
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
          Slice report = ((Built) task.getStateObject(built)).loading.publish();
          RecordTuples.Writer output = new RecordTuples.Writer(task, writer);
          output.write(new Slice(Bytes.EMPTY), report);
          output.finish();
        }
      };
    }
  }
}
