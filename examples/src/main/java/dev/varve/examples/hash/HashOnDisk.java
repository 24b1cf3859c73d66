package dev.varve.examples.hash;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.DiskIndex;
import dev.varve.common.index.Entry;
import dev.varve.common.index.EntryCursor;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageLayout;
import java.util.ArrayList;
import java.util.List;

/** Leaves in the order of hashes: a hash says nearly where its entries are. Thread-safe. */
record HashOnDisk(PageFile file, int firstPage, int leaves) implements DiskIndex<Slice> {
  static HashOnDisk open(PageFile file, int lastPage) throws StorageException {
    int last = Bytes.getInt(file.readUncached(lastPage, Bytes.EMPTY), HashBuilder.NUMBER);
    return new HashOnDisk(file, lastPage - last, last + 1);
  }

  @Override
  public EntryCursor search(Slice value) throws StorageException {
    return withHash(KeyHash.hash(value));
  }

  private HashCursor withHash(long hash) throws StorageException {
    // Hashes are spread evenly: a guess, and a few steps from there.
    int first = (int) (((hash >>> 32) * leaves) >>> 32);
    while (first > 0 && Long.compareUnsigned(firstHash(first), hash) >= 0) {
      first--;
    }
    while (first + 1 < leaves && Long.compareUnsigned(firstHash(first + 1), hash) < 0) {
      first++;
    }
    int end = first + 1;
    while (end < leaves && firstHash(end) == hash) {
      end++;
    }
    return new HashCursor(leaf -> HashKey.withHash(hash, cached(leaf)), first, end);
  }

  @Override
  public boolean find(Slice key, Entry found) throws StorageException {
    try (HashCursor cursor = withHash(key.head())) {
      boolean there = false;
      while (!there && cursor.next()) {
        there = cursor.entry().key().sameBytes(key);
      }
      found.copyOf(cursor.entry());
      return there;
    }
  }

  @Override
  public EntryCursor scan() {
    return new HashCursor(this::uncached, 0, leaves);
  }

  @Override
  public long verify() throws StorageException {
    long entries = 0;
    Slice last = new Slice();
    for (int leaf = 0; leaf < leaves; leaf++) {
      for (Entry entry : uncached(leaf)) {
        require(last.compareBytes(entry.key()) < 0, leaf);
        last.copyOf(entry.key());
        entries++;
      }
    }
    return entries;
  }

  private long firstHash(int leaf) throws StorageException {
    return cached(leaf).get(0).key().head();
  }

  private List<Entry> cached(int leaf) throws StorageException {
    try (PageFile.Page page = file.pin(firstPage + leaf)) {
      return entries(leaf, page.bytes().clone());
    }
  }

  private List<Entry> uncached(int leaf) throws StorageException {
    return entries(leaf, file.readUncached(firstPage + leaf, Bytes.EMPTY));
  }

  /** Nothing that stands on a page is followed before it is checked. */
  private List<Entry> entries(int leaf, byte[] page) throws StorageException {
    int count = Bytes.getInt(page, HashBuilder.COUNT);
    require(page[PageLayout.KIND] == HashBuilder.LEAF && count > 0, leaf);
    require(Bytes.getInt(page, HashBuilder.NUMBER) == leaf, leaf);
    List<Entry> entries = new ArrayList<>();
    int at = HashBuilder.ENTRIES;
    while (entries.size() < count) {
      require(at <= page.length - Integer.BYTES - Long.BYTES, leaf);
      int length = Bytes.getInt(page, at);
      at += Integer.BYTES;
      require(length >= Long.BYTES && length <= page.length - at, leaf);
      Entry entry = new Entry();
      entry.key().set(page, at, length);
      entries.add(entry);
      at += length;
    }
    return entries;
  }

  private void require(boolean holds, int leaf) throws CorruptionException {
    if (!holds) {
      long at = (long) (firstPage + leaf) * file.pageSize();
      throw new CorruptionException(file.name(), at, "leaf " + leaf + " of a hash index");
    }
  }
}
