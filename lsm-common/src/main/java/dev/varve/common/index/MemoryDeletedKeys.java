package dev.varve.common.index;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.disk.DeletedKeySet;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.MemoryIndex;

/**
 * The deleted keys of a memory component. They only grow: what is put back after a deletion is
 * valid in its own component, and what older ones have of the key stays deleted. Thread-safe.
 */
final class MemoryDeletedKeys implements DeletedKeySet {
  private final DeletedKeys kind;
  private final MemoryIndex<?> tree;

  MemoryDeletedKeys(DeletedKeys kind) {
    this.kind = kind;
    this.tree = kind.tree().createMemoryIndex();
  }

  /** Adds the primary key of an entry that is deleted. */
  void add(Slice entryKey) {
    Entry deleted = new Entry();
    kind.viewPrimaryKey(entryKey, deleted.key());
    tree.put(deleted);
  }

  @Override
  public boolean contains(Slice primaryKey, long hash, Entry scratch) {
    return tree.find(primaryKey, scratch);
  }

  /** All keys, ascending: nobody deletes any more. */
  @MustBeClosed
  EntryCursor scan() throws StorageException {
    return tree.scan();
  }

  long count() {
    return tree.entryCount();
  }

  long usedBytes() {
    return tree.usedBytes();
  }
}
