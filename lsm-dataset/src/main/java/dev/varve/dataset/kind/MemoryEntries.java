package dev.varve.dataset.kind;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.MemoryIndex;

/**
 * Entries of any kind in memory: a B+-tree by their keys, searched by the range that the kind says.
 * Thread-safe as its tree is.
 *
 * @param <Q> what the kind is asked
 */
final class MemoryEntries<Q> implements MemoryIndex<Q> {
  private final MemoryIndex<KeyRange> tree = new BTreeFormat().createMemoryIndex();
  private final IndexKind<Q> kind;

  MemoryEntries(IndexKind<Q> kind) {
    this.kind = kind;
  }

  @Override
  public void put(Entry entry) {
    tree.put(entry);
  }

  @Override
  public void gather(Entry entry) {
    tree.gather(entry);
  }

  @Override
  public void settle() {
    tree.settle();
  }

  @Override
  public boolean find(Slice key, Entry found) {
    return tree.find(key, found);
  }

  @Override
  @MustBeClosed
  public EntryCursor search(Q query) throws StorageException {
    return tree.search(kind.range(query));
  }

  @Override
  @MustBeClosed
  public EntryCursor scan() throws StorageException {
    return tree.scan();
  }

  @Override
  public long entryCount() {
    return tree.entryCount();
  }

  @Override
  public long usedBytes() {
    return tree.usedBytes();
  }
}
