package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.StorageEngine;
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
    VERIFY
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
        }
        output.finish();
      }
    };
  }

  private static void verify(Dataset dataset, int node, RecordTuples.Writer output)
      throws HyracksDataException, StorageException {
    for (String problem : dataset.verify().problems()) {
      KeyEncoder text = new KeyEncoder().addString("node " + node + ": " + problem);
      output.write(new Slice(Bytes.EMPTY), text.toSlice());
    }
  }
}
