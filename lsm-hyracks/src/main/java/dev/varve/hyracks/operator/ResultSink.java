package dev.varve.hyracks.operator;

import java.nio.ByteBuffer;
import org.apache.hyracks.api.comm.IFrameWriter;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.dataflow.value.IRecordDescriptorProvider;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.exceptions.HyracksException;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.api.result.ResultSetId;
import org.apache.hyracks.dataflow.std.base.AbstractSingleActivityOperatorDescriptor;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryInputSinkOperatorNodePushable;

/**
 * Keeps a job's tuples as its result set, which the client reads once when the job has ended.
 * Frames are handed on as they are; the stock result writer would print every tuple anew.
 */
final class ResultSink extends AbstractSingleActivityOperatorDescriptor {
  private static final long serialVersionUID = 1L;

  /** The one result set of each of our jobs. */
  static final ResultSetId RESULT = new ResultSetId(1);

  private static final long READS = 1;

  ResultSink(IOperatorDescriptorRegistry job) {
    super(job, 1, 0);
  }

  @Override
  public IOperatorNodePushable createPushRuntime(
      IHyracksTaskContext task, IRecordDescriptorProvider records, int partition, int partitions)
      throws HyracksDataException {
    IFrameWriter result;
    try {
      result =
          task.getResultPartitionManager()
              .createResultPartitionWriter(task, RESULT, null, false, partition, partitions, READS);
    } catch (HyracksException failure) {
      throw HyracksDataException.create(failure);
    }
    return new AbstractUnaryInputSinkOperatorNodePushable() {
      @Override
      public void open() throws HyracksDataException {
        result.open();
      }

      @Override
      public void nextFrame(ByteBuffer buffer) throws HyracksDataException {
        result.nextFrame(buffer);
      }

      @Override
      public void fail() throws HyracksDataException {
        result.fail();
      }

      @Override
      public void close() throws HyracksDataException {
        result.close();
      }
    };
  }
}
