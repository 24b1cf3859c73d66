package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFileWriter;
import java.util.Arrays;

/**
 * Collects the entries of one leaf and writes it. An entry that is too long for a page of one unit
 * gets a leaf of its own with as many units as it needs. Confined.
 */
final class LeafBuilder {
  private final PageFileWriter file;
  private final StagedEntries staged = new StagedEntries();
  private byte[] page;

  /** Bytes of the staged entries when their keys are cut by the staged prefix. */
  private long entryBytes;

  LeafBuilder(PageFileWriter file) {
    this.file = file;
    this.page = new byte[file.pageSize()];
  }

  boolean isEmpty() {
    return staged.count() == 0;
  }

  /** Views the last key, until the next call. */
  void viewLastKey(Slice key) {
    staged.viewLastKey(key);
  }

  /**
   * Adds an entry if it fits; an empty leaf takes any entry.
   *
   * @param shared how many bytes the key has in common with the last one, or with itself
   */
  boolean tryAdd(Entry entry, int shared) {
    int count = staged.count();
    // In sorted order, what the last key shares with all before bounds what the next one does.
    int prefix = count == 0 ? shared : Math.min(staged.prefixLength(), shared);
    long bytes = prefix == staged.prefixLength() ? entryBytes : stagedBytes(prefix);
    bytes += entryBytes(prefix, entry.key().length(), entry.value().length());
    boolean fits = LeafLayout.end(count + 1, prefix + bytes) <= file.pageSize();
    if (count > 0 && (!fits || count == LeafLayout.MAX_COUNT)) {
      return false;
    }
    staged.add(entry.key(), entry.value(), entry.antimatter(), prefix);
    entryBytes = bytes;
    return true;
  }

  private long stagedBytes(int prefix) {
    long bytes = 0;
    for (int i = 0; i < staged.count(); i++) {
      bytes += entryBytes(prefix, staged.keyLength(i), staged.valueLength(i));
    }
    return bytes;
  }

  private static long entryBytes(int prefix, int keyLength, int valueLength) {
    int rest = keyLength - prefix;
    return Varint.sizeOf(rest << 1) + Math.max(0, rest - Long.BYTES) + (long) valueLength;
  }

  /** Writes the leaf, empties this builder and returns the leaf's page number. */
  int write() throws StorageException {
    int count = staged.count();
    int prefix = staged.prefixLength();
    int end = (int) LeafLayout.end(count, prefix + entryBytes);
    int units = (end + file.pageSize() - 1) / file.pageSize();
    int length = units * file.pageSize();
    if (page.length < length) {
      page = new byte[length];
    }
    Bytes.putShort(page, LeafLayout.COUNT, count);
    Bytes.putShort(page, LeafLayout.PREFIX_LENGTH, prefix);
    Bytes.putInt(page, LeafLayout.END, end);
    int slot = staged.copyPrefix(page, LeafLayout.PREFIX);
    int slotBytes = LeafLayout.slotBytes(end);
    int at = slot + slotBytes * count;
    for (int i = 0; i < count; i++, slot += slotBytes) {
      Bytes.putLongBigEndian(page, slot, staged.head(i));
      if (end > 0xFFFF) {
        Bytes.putInt(page, slot + LeafLayout.START_IN_SLOT, at);
      } else {
        Bytes.putShort(page, slot + LeafLayout.START_IN_SLOT, at);
      }
      int rest = staged.keyLength(i) - prefix;
      at = Varint.putInt(page, at, rest << 1 | (staged.flag(i) ? 1 : 0));
      at = staged.copyBehind(i, prefix + Long.BYTES, page, at);
    }
    assert at == end;
    Arrays.fill(page, end, length, (byte) 0);
    staged.clear();
    entryBytes = 0;
    return file.append(LeafLayout.KIND, page, units);
  }
}
