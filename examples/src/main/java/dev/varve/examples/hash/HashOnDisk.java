package dev.varve.examples.hash;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Leaves in the order of hashes: a hash says nearly where its entries are. Thread-safe. */
record HashOnDisk(PageFile file, int firstPage, int leaves) implements DiskIndex<KeyRange> {
  static HashOnDisk open(PageFile file, int lastPage) throws StorageException {
    int last = Bytes.getInt(file.readUncached(lastPage, Bytes.EMPTY), HashBuilder.NUMBER);
    return new HashOnDisk(file, lastPage - last, last + 1);
  }

  @Override
  public EntryCursor search(KeyRange range) throws StorageException {
    // Hashes are spread evenly: a guess, and a few steps from there.
    int first = (int) (((range.low().key().head() >>> 32) * leaves) >>> 32);
    while (first > 0 && range.low().admitsFromBelow(firstKey(first))) {
      first--;
    }
    int end = first + 1;
    while (end < leaves && range.high().admitsFromAbove(firstKey(end))) {
      end++;
    }
    return new HashCursor(
        leaf -> cached(leaf).stream().filter(entry -> range.contains(entry.key())).toList(),
        first,
        end);
  }

  @Override
  public EntryCursor scan() {
    return new HashCursor(this::uncached, 0, leaves);
  }

  private Slice firstKey(int leaf) throws StorageException {
    return cached(leaf).get(0).key();
  }

  private List<Entry> cached(int leaf) throws StorageException {
    try (PageFile.Page page = file.pin(firstPage + leaf)) {
      int end = page.at() + file.pageSize();
      return entries(leaf, Arrays.copyOfRange(page.bytes(), page.at(), end));
    }
  }

  private List<Entry> uncached(int leaf) throws StorageException {
    return entries(leaf, file.readUncached(firstPage + leaf, Bytes.EMPTY));
  }

  /** Nothing that stands on a page is followed before it is checked. */
  private List<Entry> entries(int leaf, byte[] page) throws StorageException {
    require(page[PageLayout.KIND] == HashBuilder.LEAF, leaf);
    require(Bytes.getInt(page, HashBuilder.NUMBER) == leaf, leaf);
    List<Entry> entries = new ArrayList<>();
    int at = HashBuilder.ENTRIES;
    while (at <= page.length - Integer.BYTES && Bytes.getInt(page, at) != 0) {
      int length = Bytes.getInt(page, at);
      at += Integer.BYTES;
      require(length >= Long.BYTES && length <= page.length - at, leaf);
      Entry entry = new Entry();
      entry.key().set(page, at, length);
      entries.add(entry);
      at += length;
    }
    require(!entries.isEmpty(), leaf);
    return entries;
  }

  private void require(boolean holds, int leaf) throws CorruptionException {
    if (!holds) {
      long at = (long) (firstPage + leaf) * file.pageSize();
      throw new CorruptionException(file.name(), at, "leaf " + leaf + " of a hash index");
    }
  }
}
