package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Slice;
import dev.varve.dataset.model.PartitionTable;
import org.apache.hyracks.api.comm.IFrameTupleAccessor;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.value.ITuplePartitionComputer;
import org.apache.hyracks.api.dataflow.value.ITuplePartitionComputerFactory;

/**
 * Sends each tuple to the partition that holds its primary key. A record whose key could not be
 * read has an empty one; it goes to any partition, which refuses it with the reason. Immutable;
 * what it creates is confined to its task.
 */
final class KeyPartitioning implements ITuplePartitionComputerFactory {
  private static final long serialVersionUID = 1L;

  private final PartitionTable routing;

  KeyPartitioning(PartitionTable routing) {
    this.routing = routing;
  }

  @Override
  public ITuplePartitionComputer createPartitioner(IHyracksTaskContext task) {
    return new Computer(routing);
  }

  private static final class Computer implements ITuplePartitionComputer {
    private final PartitionTable routing;
    private final Slice key = new Slice();

    Computer(PartitionTable routing) {
      this.routing = routing;
    }

    @Override
    public int partition(IFrameTupleAccessor frame, int tuple, int partitions) {
      assert partitions == routing.partitions();
      RecordTuples.view(frame, tuple, RecordTuples.KEY_FIELD, key);
      return routing.partition(key);
    }
  }
}
