package dev.varve.hyracks.operator;

import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.dataset.model.PartitionTable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hyracks.api.constraints.PartitionConstraintHelper;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.dataflow.value.IRecordDescriptorProvider;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.api.job.JobSpecification;
import org.apache.hyracks.dataflow.std.base.AbstractSingleActivityOperatorDescriptor;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryOutputSourceOperatorNodePushable;
import org.apache.hyracks.dataflow.std.connectors.MToNPartitioningConnectorDescriptor;

/** Jobs that need no storage, for tests of the cluster itself. */
public final class TestJobs {
  private TestJobs() {}

  /** Numbers from 0, sent to the node that the routing names, and kept there as the result. */
  public static JobSpecification numbers(List<String> nodes, int count, int failAt) {
    JobSpecification job = new JobSpecification(32 << 10);
    Numbers numbers = new Numbers(job, count, failAt);
    ResultSink sink = new ResultSink(job);
    String[] all = nodes.toArray(String[]::new);
    PartitionConstraintHelper.addAbsoluteLocationConstraint(job, numbers, all[0]);
    PartitionConstraintHelper.addAbsoluteLocationConstraint(job, sink, all);
    KeyPartitioning byKey = new KeyPartitioning(PartitionTable.of(all.length, 1));
    job.connect(new MToNPartitioningConnectorDescriptor(job, byKey), numbers, 0, sink, 0);
    job.addRoot(sink);
    return job;
  }

  private static final class Numbers extends AbstractSingleActivityOperatorDescriptor {
    private static final long serialVersionUID = 1L;

    private final int count;
    private final int failAt;

    Numbers(IOperatorDescriptorRegistry job, int count, int failAt) {
      super(job, 0, 1);
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
          for (int i = 0; i < count; i++) {
            if (i == failAt) {
              throw HyracksDataException.create(ErrorCode.ILLEGAL_STATE, "asked to fail");
            }
            byte[] text = ("number " + i).getBytes(StandardCharsets.UTF_8);
            output.write(new KeyEncoder().addLong(i).toSlice(), new Slice(text));
          }
          output.finish();
        }
      };
    }
  }
}
