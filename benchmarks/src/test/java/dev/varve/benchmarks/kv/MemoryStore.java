package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.store.ScanDirection;
import dev.varve.benchmarks.store.Store;
import dev.varve.benchmarks.store.StoreFigures;
import dev.varve.benchmarks.store.StoreSession;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The smallest store: a sorted map, which outlives its links so that it can be killed. */
class MemoryStore implements Store, StoreSession {
  private final NavigableMap<byte[], byte[]> pairs =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  @Override
  public StoreSession openSession() {
    return this;
  }

  @Override
  public void put(byte[] key, byte[] value) {
    pairs.put(key.clone(), value.clone());
  }

  @Override
  public boolean insert(byte[] key, byte[] value) {
    return pairs.putIfAbsent(key.clone(), value.clone()) == null;
  }

  @Override
  public boolean delete(byte[] key) {
    return pairs.remove(key) != null;
  }

  @Override
  public int get(byte[] key) {
    byte[] value = pairs.get(key);
    return value == null ? -1 : value.length;
  }

  @Override
  public int scan(byte[] from, int limit, ScanDirection direction) {
    NavigableMap<byte[], byte[]> rest =
        direction == ScanDirection.FORWARD
            ? pairs.tailMap(from, true)
            : pairs.headMap(from, true).descendingMap();
    return (int) rest.keySet().stream().limit(limit).count();
  }

  @Override
  public void settle() {}

  @Override
  public StoreFigures figures() {
    return new StoreFigures(1, pairs.size());
  }

  @Override
  public void close() {}

  int size() {
    return pairs.size();
  }
}
