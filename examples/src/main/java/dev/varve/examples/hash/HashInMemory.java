package dev.varve.examples.hash;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.index.Entry;
import dev.varve.common.index.EntryCursor;
import dev.varve.common.index.MemoryIndex;
import java.util.Arrays;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** Entries in memory, in the order of their hashes. Thread-safe. */
final class HashInMemory implements MemoryIndex<Slice> {
  /** What the objects around the bytes of an entry take, roughly. */
  private static final int OBJECT_BYTES = 250;

  private final ConcurrentSkipListMap<byte[], Entry> map =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
  private final AtomicLong usedBytes = new AtomicLong();

  @Override
  public void put(Entry entry) {
    map.put(entry.key().toByteArray(), new Entry().copyOf(entry));
    usedBytes.addAndGet(OBJECT_BYTES + 2L * entry.key().length());
  }

  @Override
  public boolean find(Slice key, Entry found) {
    Entry entry = map.get(key.toByteArray());
    if (entry != null) {
      found.copyOf(entry);
    }
    return entry != null;
  }

  @Override
  public EntryCursor search(Slice value) {
    long hash = KeyHash.hash(value);
    byte[] first = HashKey.of(value, new Slice());
    return new HashCursor(leaf -> HashKey.withHash(hash, map.tailMap(first).values()), 0, 1);
  }

  @Override
  public EntryCursor scan() {
    return new HashCursor(leaf -> map.values(), 0, 1);
  }

  @Override
  public long entryCount() {
    return map.size();
  }

  @Override
  public long usedBytes() {
    return usedBytes.get();
  }
}
