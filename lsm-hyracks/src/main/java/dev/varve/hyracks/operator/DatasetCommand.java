package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.hyracks.adapter.NodeStorage;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.dataflow.value.IRecordDescriptorProvider;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.dataflow.std.base.AbstractSingleActivityOperatorDescriptor;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryOutputSourceOperatorNodePushable;

/** Does something to a dataset on every node, one task a node, and sends what it found out. */
final class DatasetCommand extends AbstractSingleActivityOperatorDescriptor {
  private static final long serialVersionUID = 1L;

  /** The action. */
  enum Command {
    /** Creates the dataset, or opens it when it is there with the same keys. */
    OPEN,
    /** Sends its options. */
    DESCRIBE,
    /** Drops it. */
    DROP,
    /** Writes all memory components out and waits. */
    FLUSH,
    /** Flushes, merges each index into one component, and waits. */
    COMPACT,
    /** Checks every rule; sends each broken one. */
    VERIFY,
    /** Sends what each index holds. */
    STATISTICS
  }

  private final Command command;
  private final DatasetDefinition dataset;

  DatasetCommand(IOperatorDescriptorRegistry job, Command command, DatasetDefinition dataset) {
    super(job, 0, 1);
    this.command = command;
    this.dataset = dataset;
    outRecDescs[0] = RecordTuples.descriptor();
  }

  @Override
  public IOperatorNodePushable createPushRuntime(
      IHyracksTaskContext task, IRecordDescriptorProvider records, int node, int nodes) {
    return new AbstractUnaryOutputSourceOperatorNodePushable() {
      @Override
      public void initialize() throws HyracksDataException {
        Emission.run(writer, this::execute);
      }

      private void execute() throws HyracksDataException, StorageException {
        RecordTuples.Writer output = new RecordTuples.Writer(task, writer);
        StorageEngine engine = NodeStorage.of(task).engine();
        switch (command) {
          case OPEN -> engine.openDataset(dataset.options());
          case DESCRIBE ->
              output.write(
                  new Slice(Bytes.EMPTY),
                  DatasetDefinition.of(engine.dataset(dataset.name()).options()).encode());
          case DROP -> NodeStorage.of(task).drop(dataset.name());
          case FLUSH -> engine.dataset(dataset.name()).flush();
          case COMPACT -> engine.dataset(dataset.name()).compact();
          case VERIFY -> verify(engine.dataset(dataset.name()), node, output);
          case STATISTICS -> statistics(engine.dataset(dataset.name()), node, output);
        }
        output.finish();
      }
    };
  }

  private static void verify(Dataset dataset, int node, RecordTuples.Writer output)
      throws HyracksDataException, StorageException {
    for (String problem : dataset.verify().problems()) {
      send(output, new KeyEncoder().addString("node " + node + ": " + problem));
    }
  }

  private static void statistics(Dataset dataset, int node, RecordTuples.Writer output)
      throws HyracksDataException, StorageException {
    for (PartitionStats partition : dataset.stats().partitions()) {
      for (IndexStats index : partition.indexes()) {
        KeyEncoder values = new KeyEncoder().addLong(node).addLong(partition.partition());
        values.addString(index.name()).addLong(index.components().size());
        values.addLong(index.components().stream().mapToLong(ComponentStats::bytes).sum());
        values.addLong(index.components().stream().mapToLong(ComponentStats::entries).sum());
        values.addLong(index.memoryEntries()).addLong(index.memoryBytes());
        values.addLong(index.flushes()).addLong(index.merges()).addLong(index.obsoleteEntries());
        send(output, values);
      }
    }
  }

  private static void send(RecordTuples.Writer output, KeyEncoder values)
      throws HyracksDataException {
    output.write(new Slice(Bytes.EMPTY), values.toSlice());
  }
}
