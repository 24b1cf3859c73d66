package dev.varve.hyracks.operator;

import dev.varve.hyracks.adapter.BTreeStorage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hyracks.api.comm.VSizeFrame;
import org.apache.hyracks.api.constraints.PartitionConstraintHelper;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.IOperatorDescriptor;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.dataflow.value.IRecordDescriptorProvider;
import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.api.dataflow.value.RecordDescriptor;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileSplit;
import org.apache.hyracks.api.io.ManagedFileSplit;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.api.job.JobSpecification;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAccessor;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAppender;
import org.apache.hyracks.dataflow.common.comm.util.FrameUtils;
import org.apache.hyracks.dataflow.std.base.AbstractSingleActivityOperatorDescriptor;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryInputSinkOperatorNodePushable;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryOutputSourceOperatorNodePushable;
import org.apache.hyracks.dataflow.std.connectors.OneToOneConnectorDescriptor;
import org.apache.hyracks.dataflow.std.file.ConstantFileSplitProvider;
import org.apache.hyracks.storage.am.common.build.IndexBuilderFactory;
import org.apache.hyracks.storage.am.common.dataflow.IndexCreateOperatorDescriptor;
import org.apache.hyracks.storage.am.common.dataflow.IndexDataflowHelperFactory;
import org.apache.hyracks.storage.common.IResourceFactory;

/** Jobs of Hyracks' own operators over one index of any shape on one node of this process. */
public final class ShapeJobs {
  /** What came out of the job that ran last. */
  private static final Queue<List<byte[]>> CAME_OUT = new ConcurrentLinkedQueue<>();

  private final String node;
  private final BTreeStorage storage = new BTreeStorage();
  private final ConstantFileSplitProvider splits;
  private final IndexDataflowHelperFactory index;

  public ShapeJobs(String node, String path) {
    this.node = node;
    this.splits = new ConstantFileSplitProvider(new FileSplit[] {new ManagedFileSplit(node, path)});
    this.index = new IndexDataflowHelperFactory(storage, splits);
  }

  public IndexDataflowHelperFactory index() {
    return index;
  }

  public static RecordDescriptor fields(int count) {
    return new RecordDescriptor(new ISerializerDeserializer<?>[count]);
  }

  /** What came out of the last job, field by field. */
  public static List<List<byte[]>> cameOut() {
    List<List<byte[]>> all = List.copyOf(CAME_OUT);
    CAME_OUT.clear();
    return all;
  }

  public JobSpecification create(IResourceFactory resource) {
    JobSpecification job = new JobSpecification();
    IndexCreateOperatorDescriptor create =
        new IndexCreateOperatorDescriptor(
            job, new IndexBuilderFactory(storage, splits, resource, true));
    place(job, create);
    job.addRoot(create);
    return job;
  }

  /** Tuples for a job; the source fails before one with this number, unless it is negative. */
  public IOperatorDescriptor source(JobSpecification job, List<List<byte[]>> tuples, int failAt) {
    return new Tuples(job, tuples, failAt);
  }

  /** Puts operators one behind the other, the last one before a sink that keeps what comes out. */
  public JobSpecification chain(JobSpecification job, IOperatorDescriptor... operators) {
    IOperatorDescriptor last = null;
    for (IOperatorDescriptor operator : operators) {
      place(job, operator);
      if (last != null) {
        job.connect(new OneToOneConnectorDescriptor(job), last, 0, operator, 0);
      }
      last = operator;
    }
    int width = last.getOutputRecordDescriptors()[0].getFieldCount();
    Keeper keeper = new Keeper(job, width);
    place(job, keeper);
    job.connect(new OneToOneConnectorDescriptor(job), last, 0, keeper, 0);
    job.addRoot(keeper);
    return job;
  }

  private void place(JobSpecification job, IOperatorDescriptor operator) {
    PartitionConstraintHelper.addAbsoluteLocationConstraint(job, operator, node);
  }

  private static final class Tuples extends AbstractSingleActivityOperatorDescriptor {
    private static final long serialVersionUID = 1L;

    private final ArrayList<ArrayList<byte[]>> tuples = new ArrayList<>();
    private final int failAt;

    Tuples(IOperatorDescriptorRegistry job, List<List<byte[]>> tuples, int failAt) {
      super(job, 0, 1);
      tuples.forEach(tuple -> this.tuples.add(new ArrayList<>(tuple)));
      this.failAt = failAt;
      outRecDescs[0] = fields(tuples.get(0).size());
    }

    @Override
    public IOperatorNodePushable createPushRuntime(
        IHyracksTaskContext task, IRecordDescriptorProvider records, int number, int partitions) {
      return new AbstractUnaryOutputSourceOperatorNodePushable() {
        @Override
        public void initialize() throws HyracksDataException {
          Emission.run(writer, this::send);
        }

        private void send() throws HyracksDataException {
          FrameTupleAppender frames = new FrameTupleAppender(new VSizeFrame(task));
          for (int i = 0; i < tuples.size(); i++) {
            if (i == failAt) {
              throw HyracksDataException.create(ErrorCode.ILLEGAL_STATE, "asked to fail");
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            int[] ends = new int[tuples.get(i).size()];
            for (int field = 0; field < ends.length; field++) {
              bytes.writeBytes(tuples.get(i).get(field));
              ends[field] = bytes.size();
            }
            FrameUtils.appendToWriter(writer, frames, ends, bytes.toByteArray(), 0, bytes.size());
          }
          frames.write(writer, true);
        }
      };
    }
  }

  private static final class Keeper extends AbstractSingleActivityOperatorDescriptor {
    private static final long serialVersionUID = 1L;

    private final int width;

    Keeper(IOperatorDescriptorRegistry job, int width) {
      super(job, 1, 0);
      this.width = width;
    }

    @Override
    public IOperatorNodePushable createPushRuntime(
        IHyracksTaskContext task, IRecordDescriptorProvider records, int number, int partitions) {
      FrameTupleAccessor frame = new FrameTupleAccessor(fields(width));
      return new AbstractUnaryInputSinkOperatorNodePushable() {
        @Override
        public void open() {}

        @Override
        public void nextFrame(ByteBuffer buffer) {
          frame.reset(buffer);
          for (int tuple = 0; tuple < frame.getTupleCount(); tuple++) {
            List<byte[]> values = new ArrayList<>();
            for (int field = 0; field < width; field++) {
              int start = frame.getAbsoluteFieldStartOffset(tuple, field);
              int end = start + frame.getFieldLength(tuple, field);
              values.add(Arrays.copyOfRange(frame.getBuffer().array(), start, end));
            }
            CAME_OUT.add(values);
          }
        }

        @Override
        public void fail() {}

        @Override
        public void close() {}
      };
    }
  }
}
