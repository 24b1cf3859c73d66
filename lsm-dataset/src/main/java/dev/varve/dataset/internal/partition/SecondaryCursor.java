package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordCursor;

/** Records by a secondary index; see {@link SecondaryMatches}. Confined to one thread. */
final class SecondaryCursor implements RecordCursor {
  private final SecondaryMatches matches;

  /** Takes a search over that has just begun. */
  SecondaryCursor(SecondaryMatches matches) {
    this.matches = matches;
  }

  @Override
  public boolean next() throws StorageException {
    return matches.nextRecord();
  }

  @Override
  public Slice key() {
    return matches.key();
  }

  @Override
  public Slice value() {
    return matches.record();
  }

  @Override
  public void close() {
    matches.close();
  }
}
