package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Slice;
import dev.varve.dataset.model.PartitionTable;
import org.apache.hyracks.api.comm.IFrameTupleAccessor;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.value.ITuplePartitionComputer;
import org.apache.hyracks.api.dataflow.value.ITuplePartitionComputerFactory;
import org.apache.hyracks.api.exceptions.HyracksDataException;

/**
 * Sends a named feed's records to the partitions that hold them, and each mark to the one that it
 * is for. Immutable; what it creates is confined to its task.
 */
final class FeedPartitioning implements ITuplePartitionComputerFactory {
  private static final long serialVersionUID = 1L;

  private final KeyPartitioning records;

  FeedPartitioning(PartitionTable routing) {
    this.records = new KeyPartitioning(routing);
  }

  @Override
  public ITuplePartitionComputer createPartitioner(IHyracksTaskContext task) {
    return new Computer(records.createPartitioner(task));
  }

  private static final class Computer implements ITuplePartitionComputer {
    private final ITuplePartitionComputer records;
    private final Slice origin = new Slice();

    Computer(ITuplePartitionComputer records) {
      this.records = records;
    }

    @Override
    public int partition(IFrameTupleAccessor frame, int tuple, int partitions)
        throws HyracksDataException {
      RecordTuples.view(frame, tuple, RecordTuples.ORIGIN_FIELD, origin);
      return FeedOrigin.isMark(origin)
          ? FeedOrigin.partition(origin)
          : records.partition(frame, tuple, partitions);
    }
  }
}
