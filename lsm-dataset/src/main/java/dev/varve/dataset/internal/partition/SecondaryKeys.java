package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.KeyCursor;

/**
 * Primary keys by a secondary index, without their records; see {@link SecondaryMatches}. Confined
 * to one thread.
 */
final class SecondaryKeys implements KeyCursor {
  private final SecondaryMatches matches;

  /** Takes a search over that has just begun. */
  SecondaryKeys(SecondaryMatches matches) {
    this.matches = matches;
  }

  @Override
  public boolean next() throws StorageException {
    return matches.nextKey();
  }

  @Override
  public Slice key() {
    return matches.key();
  }

  @Override
  public void close() {
    matches.close();
  }
}
