package dev.varve.btree.disk;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFileWriter;
import java.util.Arrays;

/**
 * Bulk-loads a tree: leaves in key order, each as full as it gets, with the interior pages between
 * them as they fill up. Confined to one task; does not own the file.
 *
 * <p>Format: docs/format/btree.md.
 */
public final class TreeBuilder implements DiskIndexBuilder {
  private final LeafBuilder leaf;
  private final InteriorBuilder interior;
  private final int maxKeyBytes;
  private final int maxEntryBytes;
  private final Slice lastKey = new Slice();

  /** Separator before the leaf that is being collected. */
  private final Slice separator = new Slice();

  /** Starts a tree at the end of a file. */
  public TreeBuilder(PageFileWriter file) {
    this.leaf = new LeafBuilder(file);
    this.interior = new InteriorBuilder(file, 1);
    this.maxKeyBytes = Limits.maxKeyBytes(file.pageSize());
    this.maxEntryBytes = Limits.maxEntryBytes(file.pageSize());
  }

  @Override
  public void add(Entry entry) throws StorageException {
    Slice key = entry.key();
    if (key.length() > maxKeyBytes) {
      throw new LimitException("key bytes", key.length(), maxKeyBytes);
    }
    long entryBytes = (long) key.length() + entry.value().length();
    if (entryBytes > maxEntryBytes) {
      throw new LimitException("key and value bytes", entryBytes, maxEntryBytes);
    }
    if (leaf.isEmpty()) {
      leaf.tryAdd(entry, key.length());
      return;
    }
    leaf.viewLastKey(lastKey);
    int shared = commonPrefix(lastKey, key);
    if (!ascending(lastKey, key, shared)) {
      throw new RequestException(
          RequestException.Reason.UNSORTED_INPUT, "key " + key + " follows key " + lastKey);
    }
    if (leaf.tryAdd(entry, shared)) {
      return;
    }
    interior.add(separator, leaf.write());
    // The shortest key that is above the last leaf's keys and not above the next leaf's.
    separator.copyOf(key.bytes(), key.offset(), shared + 1);
    leaf.tryAdd(entry, key.length());
  }

  @Override
  public int finish() throws StorageException {
    if (leaf.isEmpty()) {
      return DiskTree.NO_ROOT;
    }
    interior.add(separator, leaf.write());
    return interior.finish();
  }

  /** How many bytes two keys have in common at their beginnings. */
  static int commonPrefix(Slice left, Slice right) {
    int leftFrom = left.offset();
    int rightFrom = right.offset();
    int mismatch =
        Arrays.mismatch(
            left.bytes(),
            leftFrom,
            leftFrom + left.length(),
            right.bytes(),
            rightFrom,
            rightFrom + right.length());
    return mismatch < 0 ? left.length() : mismatch;
  }

  private static boolean ascending(Slice left, Slice right, int shared) {
    if (shared == right.length()) {
      return false;
    }
    return shared == left.length()
        || Byte.compareUnsigned(
                left.bytes()[left.offset() + shared], right.bytes()[right.offset() + shared])
            < 0;
  }
}
