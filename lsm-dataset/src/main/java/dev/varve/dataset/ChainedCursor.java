package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordCursor;
import java.util.List;

/** Records of partitions one after the other. Confined to one thread. */
final class ChainedCursor implements RecordCursor {
  private final ChainedKeys<RecordCursor> chain;

  ChainedCursor(List<RecordCursor> cursors) {
    this.chain = new ChainedKeys<>(cursors);
  }

  @Override
  public boolean next() throws StorageException {
    return chain.next();
  }

  @Override
  public Slice key() {
    return chain.key();
  }

  @Override
  public Slice value() {
    return chain.current().value();
  }

  @Override
  public void close() {
    chain.close();
  }
}
