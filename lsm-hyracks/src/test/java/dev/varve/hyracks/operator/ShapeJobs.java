package dev.varve.hyracks.operator;

import dev.varve.hyracks.adapter.BTreeStorage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.apache.hyracks.api.comm.IFrameWriter;
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
import org.apache.hyracks.storage.am.btree.dataflow.BTreeSearchOperatorDescriptor;
import org.apache.hyracks.storage.am.common.api.ISearchOperationCallbackFactory;
import org.apache.hyracks.storage.am.common.build.IndexBuilderFactory;
import org.apache.hyracks.storage.am.common.dataflow.IndexCreateOperatorDescriptor;
import org.apache.hyracks.storage.am.common.dataflow.IndexDataflowHelperFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.api.IInvertedIndexSearchModifierFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.dataflow.LSMInvertedIndexSearchOperatorDescriptor;
import org.apache.hyracks.storage.am.lsm.invertedindex.fulltext.FullTextConfigEvaluatorFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.tokenizers.DelimitedUTF8StringBinaryTokenizerFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.tokenizers.UTF8WordTokenFactory;
import org.apache.hyracks.storage.am.rtree.dataflow.RTreeSearchOperatorDescriptor;
import org.apache.hyracks.storage.common.IResourceFactory;

/** Jobs of Hyracks' own operators over one index of any shape on one node of this process. */
public final class ShapeJobs {
  /** What came out of the job that ran last. */
  private static final Queue<List<byte[]>> CAME_OUT = new ConcurrentLinkedQueue<>();

  /** Takes texts apart at what is no letter. */
  public static final DelimitedUTF8StringBinaryTokenizerFactory WORDS =
      new DelimitedUTF8StringBinaryTokenizerFactory(true, false, new UTF8WordTokenFactory());

  private static volatile CountDownLatch gate = new CountDownLatch(0);

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

  /** A search of a B+-tree between the first two fields of each tuple that comes in. */
  public IOperatorDescriptor rangeSearch(
      JobSpecification job, int width, ISearchOperationCallbackFactory callbacks) {
    return new BTreeSearchOperatorDescriptor(
        job,
        fields(width),
        new int[] {0},
        new int[] {1},
        true,
        true,
        index,
        false,
        false,
        null,
        callbacks,
        null,
        null,
        false,
        null);
  }

  /** A search of an R-tree of boxes with an identity for the box that comes in. */
  public IOperatorDescriptor boxSearch(
      JobSpecification job, ISearchOperationCallbackFactory callbacks) {
    return new RTreeSearchOperatorDescriptor(
        job,
        fields(5),
        new int[] {0, 1, 2, 3},
        true,
        true,
        index,
        false,
        false,
        null,
        callbacks,
        null,
        null,
        false,
        null);
  }

  /** A search of an inverted index for the words of the text that comes in. */
  public IOperatorDescriptor wordSearch(
      JobSpecification job,
      IInvertedIndexSearchModifierFactory modifier,
      ISearchOperationCallbackFactory callbacks) {
    return new LSMInvertedIndexSearchOperatorDescriptor(
        job,
        fields(1),
        0,
        index,
        WORDS,
        FullTextConfigEvaluatorFactory.getDefaultFactory(),
        modifier,
        false,
        false,
        null,
        callbacks,
        null,
        null,
        false,
        1,
        false,
        null,
        5);
  }

  /**
   * The same tuple for a job, sent when the gate is open.
   *
   * @param late whether the operators behind it open only then, too
   */
  public IOperatorDescriptor heldSource(JobSpecification job, List<byte[]> tuple, boolean late) {
    return new Held(job, tuple, late);
  }

  /** Closes the gate before a job is started. */
  public static void closeGate() {
    gate = new CountDownLatch(1);
  }

  /** Lets held sources send. */
  public static void openGate() {
    gate.countDown();
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
          ShapeJobs.send(task, writer, failAt < 0 ? tuples : tuples.subList(0, failAt));
          if (failAt >= 0) {
            throw HyracksDataException.create(ErrorCode.ILLEGAL_STATE, "asked to fail");
          }
        }
      };
    }
  }

  private static final class Held extends AbstractSingleActivityOperatorDescriptor {
    private static final long serialVersionUID = 1L;

    private final ArrayList<byte[]> tuple;
    private final boolean late;

    Held(IOperatorDescriptorRegistry job, List<byte[]> tuple, boolean late) {
      super(job, 0, 1);
      this.tuple = new ArrayList<>(tuple);
      this.late = late;
      outRecDescs[0] = fields(tuple.size());
    }

    @Override
    public IOperatorNodePushable createPushRuntime(
        IHyracksTaskContext task, IRecordDescriptorProvider records, int number, int partitions) {
      return new AbstractUnaryOutputSourceOperatorNodePushable() {
        @Override
        public void initialize() throws HyracksDataException {
          if (late) {
            pass();
          }
          Emission.run(
              writer,
              () -> {
                pass();
                send(task, writer, List.of(tuple));
              });
        }

        private void pass() throws HyracksDataException {
          try {
            gate.await();
          } catch (InterruptedException cancelled) {
            throw HyracksDataException.create(cancelled);
          }
        }
      };
    }
  }

  private static void send(
      IHyracksTaskContext task, IFrameWriter writer, List<? extends List<byte[]>> tuples)
      throws HyracksDataException {
    FrameTupleAppender frames = new FrameTupleAppender(new VSizeFrame(task));
    for (List<byte[]> tuple : tuples) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      int[] ends = new int[tuple.size()];
      for (int field = 0; field < ends.length; field++) {
        bytes.writeBytes(tuple.get(field));
        ends[field] = bytes.size();
      }
      FrameUtils.appendToWriter(writer, frames, ends, bytes.toByteArray(), 0, bytes.size());
    }
    frames.write(writer, true);
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
