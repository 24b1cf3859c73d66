package dev.varve.common.disk;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilter;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.Lookup;
import dev.varve.common.page.ComponentFile;
import org.jspecify.annotations.Nullable;

/** The deleted keys of a disk component, and the Bloom filter over them. Immutable. */
public final class DiskDeletedKeys implements DeletedKeySet {
  private final DiskIndex<?> tree;
  private final @Nullable BloomFilter filter;
  private final long count;

  private DiskDeletedKeys(DiskIndex<?> tree, @Nullable BloomFilter filter, long count) {
    this.tree = tree;
    this.filter = filter;
    this.count = count;
  }

  public static DiskDeletedKeys open(
      DeletedKeys kind, ComponentFile file, ComponentMetadata metadata) throws StorageException {
    return new DiskDeletedKeys(
        kind.tree().open(file, metadata.deletedRootPage()),
        metadata.filterPage() == 0 ? null : BloomFilter.open(file, metadata.filterPage()),
        metadata.deletedKeys());
  }

  @Override
  public boolean contains(Slice primaryKey, long hash, Entry scratch) throws StorageException {
    if (filterExcludes(hash)) {
      return false;
    }
    // The caller's snapshot keeps the file open, so what an optimistic read makes out is so.
    Lookup outcome = tree.findOptimistically(primaryKey, scratch);
    return outcome == Lookup.RETRY ? tree.find(primaryKey, scratch) : outcome == Lookup.FOUND;
  }

  /** Whether the filter rules a key out. */
  public boolean filterExcludes(long hash) throws StorageException {
    return filter != null && !filter.mightContain(hash);
  }

  /** All keys, ascending, read sequentially. */
  @MustBeClosed
  public EntryCursor scan() throws StorageException {
    return tree.scan();
  }

  /** Checks the tree's structure, and returns how many keys are in it. */
  long verifyTree() throws StorageException {
    return tree.verify();
  }

  /** How many there are, as the metadata page says. */
  public long count() {
    return count;
  }
}
