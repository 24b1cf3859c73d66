package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmIndex;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The changed keys that merges of the secondary indexes of a partition have read last: they tend to
 * merge at the same time and to need the same ones. Nothing is kept that no merge uses any more.
 * Thread-safe.
 */
final class SharedChanges {
  private final LsmIndex<KeyRange> primaryKeys;
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile WeakReference<ChangedKeys> last = new WeakReference<>(null);

  /** Of an index of primary keys. */
  SharedChanges(LsmIndex<KeyRange> primaryKeys) {
    this.primaryKeys = primaryKeys;
  }

  LsmIndex<KeyRange> primaryKeys() {
    return primaryKeys;
  }

  /**
   * The keys that changed between two flushes, and perhaps some that changed before or after.
   *
   * @param most so many are worth to be read
   * @return empty when there are more, or somebody else reads some now; not whole when they are too
   *     many bytes
   */
  Optional<ChangedKeys> between(long checkedTo, long newestFlush, long most)
      throws StorageException {
    ChangedKeys known = last.get();
    if (known != null && known.covers(checkedTo, newestFlush)) {
      return Optional.of(known);
    }
    if (!reading.compareAndSet(false, true)) {
      return Optional.empty();
    }
    try {
      Optional<ChangedKeys> read = ChangedKeys.read(primaryKeys, checkedTo, most);
      read.filter(ChangedKeys::isWhole).ifPresent(keys -> last = new WeakReference<>(keys));
      return read;
    } finally {
      reading.set(false);
    }
  }
}
