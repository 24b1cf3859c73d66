package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Slice;
import dev.varve.hyracks.adapter.BTreeResourceFactory;
import dev.varve.hyracks.adapter.BTreeStorage;
import java.util.List;
import org.apache.hyracks.api.constraints.PartitionConstraintHelper;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.IOperatorDescriptor;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.IRecordDescriptorProvider;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileSplit;
import org.apache.hyracks.api.io.ManagedFileSplit;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.api.job.JobSpecification;
import org.apache.hyracks.data.std.accessors.IntegerBinaryComparatorFactory;
import org.apache.hyracks.data.std.primitive.IntegerPointable;
import org.apache.hyracks.data.std.primitive.UTF8StringPointable;
import org.apache.hyracks.dataflow.std.base.AbstractSingleActivityOperatorDescriptor;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryOutputSourceOperatorNodePushable;
import org.apache.hyracks.dataflow.std.connectors.OneToOneConnectorDescriptor;
import org.apache.hyracks.dataflow.std.file.ConstantFileSplitProvider;
import org.apache.hyracks.dataflow.std.misc.NullSinkOperatorDescriptor;
import org.apache.hyracks.storage.am.btree.dataflow.BTreeSearchOperatorDescriptor;
import org.apache.hyracks.storage.am.common.build.IndexBuilderFactory;
import org.apache.hyracks.storage.am.common.dataflow.IndexCreateOperatorDescriptor;
import org.apache.hyracks.storage.am.common.dataflow.IndexDataflowHelperFactory;
import org.apache.hyracks.storage.am.common.dataflow.IndexDropOperatorDescriptor;
import org.apache.hyracks.storage.am.common.dataflow.TreeIndexBulkLoadOperatorDescriptor;
import org.apache.hyracks.storage.am.common.dataflow.TreeIndexInsertUpdateDeleteOperatorDescriptor;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallbackFactory;
import org.apache.hyracks.storage.am.common.ophelpers.IndexOperation;
import org.apache.hyracks.storage.am.lsm.common.dataflow.LSMTreeIndexInsertUpdateDeleteOperatorDescriptor;
import org.apache.hyracks.util.string.UTF8StringUtil;

/**
 * Jobs of Hyracks' own operators over one index of (integer, text) tuples on some nodes. Of a range
 * of numbers each node gets every n-th.
 */
public final class StockJobs {
  private static final int[] BOTH = {0, 1};

  private final String[] nodes;
  private final BTreeStorage storage = new BTreeStorage();
  private final ConstantFileSplitProvider splits;
  private final IndexDataflowHelperFactory index;

  public StockJobs(List<String> nodes, String path) {
    this.nodes = nodes.toArray(String[]::new);
    this.splits =
        new ConstantFileSplitProvider(
            nodes.stream().map(node -> new ManagedFileSplit(node, path)).toArray(FileSplit[]::new));
    this.index = new IndexDataflowHelperFactory(storage, splits);
  }

  public JobSpecification create() {
    JobSpecification job = new JobSpecification();
    BTreeResourceFactory tree =
        new BTreeResourceFactory(
            new ITypeTraits[] {IntegerPointable.TYPE_TRAITS, UTF8StringPointable.TYPE_TRAITS},
            new IBinaryComparatorFactory[] {IntegerBinaryComparatorFactory.INSTANCE});
    return only(
        job,
        new IndexCreateOperatorDescriptor(
            job, new IndexBuilderFactory(storage, splits, tree, true)));
  }

  public JobSpecification drop() {
    JobSpecification job = new JobSpecification();
    return only(job, new IndexDropOperatorDescriptor(job, index));
  }

  public JobSpecification write(IndexOperation operation, int first, int count) {
    JobSpecification job = new JobSpecification();
    return into(
        job,
        new Numbers(job, first, count, -1),
        new TreeIndexInsertUpdateDeleteOperatorDescriptor(
            job,
            RecordTuples.descriptor(),
            BOTH,
            operation,
            index,
            null,
            NoOpOperationCallbackFactory.INSTANCE));
  }

  public JobSpecification lsmWrite(IndexOperation operation, int first, int count) {
    JobSpecification job = new JobSpecification();
    return into(
        job,
        new Numbers(job, first, count, -1),
        new LSMTreeIndexInsertUpdateDeleteOperatorDescriptor(
            job,
            RecordTuples.descriptor(),
            index,
            BOTH,
            operation,
            NoOpOperationCallbackFactory.INSTANCE,
            null));
  }

  public JobSpecification load(int first, int count) {
    JobSpecification job = new JobSpecification();
    return into(
        job,
        new Numbers(job, first, count, -1),
        new TreeIndexBulkLoadOperatorDescriptor(
            job, RecordTuples.descriptor(), BOTH, 0.7f, true, count, true, index));
  }

  /** The same by our own operator; the source fails at a number, unless that is negative. */
  public JobSpecification loadSafely(int first, int count, int failAt) {
    JobSpecification job = new JobSpecification();
    return into(
        job,
        new Numbers(job, first, count, failAt),
        new IndexLoad(job, RecordTuples.descriptor(), index, BOTH));
  }

  /** Leaves the tuples with numbers from low to high as the job's result. */
  public JobSpecification search(int low, int high) {
    JobSpecification job = new JobSpecification();
    Bounds bounds = new Bounds(job, low, high);
    BTreeSearchOperatorDescriptor search =
        new BTreeSearchOperatorDescriptor(
            job,
            RecordTuples.descriptor(),
            new int[] {0},
            new int[] {1},
            true,
            true,
            index,
            false,
            false,
            null,
            NoOpOperationCallbackFactory.INSTANCE,
            null,
            null,
            false,
            null);
    ResultSink sink = new ResultSink(job);
    place(job, bounds, search, sink);
    job.connect(new OneToOneConnectorDescriptor(job), bounds, 0, search, 0);
    job.connect(new OneToOneConnectorDescriptor(job), search, 0, sink, 0);
    job.addRoot(sink);
    return job;
  }

  private JobSpecification only(JobSpecification job, IOperatorDescriptor operator) {
    place(job, operator);
    job.addRoot(operator);
    return job;
  }

  private JobSpecification into(
      JobSpecification job, IOperatorDescriptor source, IOperatorDescriptor writer) {
    NullSinkOperatorDescriptor sink = new NullSinkOperatorDescriptor(job);
    place(job, source, writer, sink);
    job.connect(new OneToOneConnectorDescriptor(job), source, 0, writer, 0);
    job.connect(new OneToOneConnectorDescriptor(job), writer, 0, sink, 0);
    job.addRoot(sink);
    return job;
  }

  private void place(JobSpecification job, IOperatorDescriptor... operators) {
    for (IOperatorDescriptor operator : operators) {
      PartitionConstraintHelper.addAbsoluteLocationConstraint(job, operator, nodes);
    }
  }

  private static Slice integer(int number) {
    return new Slice(
        new byte[] {
          (byte) (number >>> 24), (byte) (number >>> 16), (byte) (number >>> 8), (byte) number
        });
  }

  /** Sends (number, text) tuples. */
  private static final class Numbers extends AbstractSingleActivityOperatorDescriptor {
    private static final long serialVersionUID = 1L;

    private final int first;
    private final int count;
    private final int failAt;

    Numbers(IOperatorDescriptorRegistry job, int first, int count, int failAt) {
      super(job, 0, 1);
      this.first = first;
      this.count = count;
      this.failAt = failAt;
      outRecDescs[0] = RecordTuples.descriptor();
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
          RecordTuples.Writer output = new RecordTuples.Writer(task, writer);
          for (int i = first; i < first + count; i++) {
            if (i == failAt) {
              throw HyracksDataException.create(ErrorCode.ILLEGAL_STATE, "asked to fail");
            }
            if (i % partitions == number) {
              byte[] text = UTF8StringUtil.writeStringToBytes("text of " + i);
              output.write(integer(i), new Slice(text));
            }
          }
          output.finish();
        }
      };
    }
  }

  /** Sends one tuple on each node: the two bounds of a search. */
  private static final class Bounds extends AbstractSingleActivityOperatorDescriptor {
    private static final long serialVersionUID = 1L;

    private final int low;
    private final int high;

    Bounds(IOperatorDescriptorRegistry job, int low, int high) {
      super(job, 0, 1);
      this.low = low;
      this.high = high;
      outRecDescs[0] = RecordTuples.descriptor();
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
          RecordTuples.Writer output = new RecordTuples.Writer(task, writer);
          output.write(integer(low), integer(high));
          output.finish();
        }
      };
    }
  }
}
