package dev.varve.rtree.disk;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFileWriter;
import dev.varve.rtree.geometry.SpatialKey;

/**
 * Bulk-loads a tree: leaves in Hilbert order, each as full as it gets, with the interior pages
 * between them as they fill up. Confined to one task; does not own the file.
 *
 * <p>Format: docs/format/rtree.md.
 */
public final class RTreeBuilder implements DiskIndexBuilder {
  private final LeafBuilder leaf;
  private final InteriorBuilder interior;
  private final int maxEntryBytes;
  private final Slice lastKey = new Slice();
  private boolean empty = true;

  /** Starts a tree at the end of a file. */
  public RTreeBuilder(PageFileWriter file) {
    this.leaf = new LeafBuilder(file);
    this.interior = new InteriorBuilder(file, 1);
    this.maxEntryBytes = Limits.maxEntryBytes(file.pageSize());
  }

  @Override
  public void add(Entry entry) throws StorageException {
    Slice key = entry.key();
    int entryBytes = Math.addExact(key.length(), entry.value().length());
    if (entryBytes > maxEntryBytes) {
      throw new LimitException("key and value bytes", entryBytes, maxEntryBytes);
    }
    if (!SpatialKey.isWellFormed(key)) {
      throw new RequestException(
          RequestException.Reason.MALFORMED_RECORD, "no spatial key: " + key);
    }
    if (!empty && lastKey.compareBytes(key) >= 0) {
      throw new RequestException(
          RequestException.Reason.UNSORTED_INPUT, "key " + key + " follows key " + lastKey);
    }
    empty = false;
    lastKey.copyOf(key);
    if (!leaf.tryAdd(entry)) {
      interior.add(leaf.write(), leaf.bounds());
      boolean added = leaf.tryAdd(entry);
      assert added;
    }
  }

  @Override
  public int finish() throws StorageException {
    if (leaf.isEmpty()) {
      return DiskRTree.NO_ROOT;
    }
    interior.add(leaf.write(), leaf.bounds());
    return interior.finish();
  }
}
