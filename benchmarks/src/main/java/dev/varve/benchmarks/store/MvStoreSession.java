package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.List;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * A map whose arrays belong to the store: what goes in is copied, what comes out is the store's.
 */
final class MvStoreSession implements StoreSession, ShowsReads {
  private final MVStore store;
  private final MVMap<byte[], byte[]> pairs;
  private final StoreDurability durability;
  private final RowBuffer row = new RowBuffer();

  MvStoreSession(MVStore store, MVMap<byte[], byte[]> pairs, StoreDurability durability) {
    this.store = store;
    this.pairs = pairs;
    this.durability = durability;
  }

  @Override
  public void put(byte[] key, byte[] value) throws BenchmarkException {
    try {
      pairs.put(key.clone(), value.clone());
      acknowledge();
    } catch (MVStoreException e) {
      throw new BenchmarkException("put", e);
    }
  }

  @Override
  public void putAll(List<byte[]> keys, List<byte[]> values) throws BenchmarkException {
    try {
      for (int i = 0; i < keys.size(); i++) {
        pairs.put(keys.get(i).clone(), values.get(i).clone());
      }
      acknowledge();
    } catch (MVStoreException e) {
      throw new BenchmarkException("put a batch", e);
    }
  }

  @Override
  public boolean insert(byte[] key, byte[] value) throws BenchmarkException {
    try {
      boolean absent = pairs.putIfAbsent(key.clone(), value.clone()) == null;
      acknowledge();
      return absent;
    } catch (MVStoreException e) {
      throw new BenchmarkException("insert", e);
    }
  }

  @Override
  public boolean delete(byte[] key) throws BenchmarkException {
    try {
      boolean there = pairs.remove(key) != null;
      acknowledge();
      return there;
    } catch (MVStoreException e) {
      throw new BenchmarkException("delete", e);
    }
  }

  private void acknowledge() {
    switch (durability) {
      case NONE -> {}
      case PROCESS_CRASH -> store.commit();
      case POWER_LOSS -> {
        store.commit();
        store.sync();
      }
    }
  }

  @Override
  public int get(byte[] key) throws BenchmarkException {
    try {
      byte[] value = pairs.get(key);
      if (value == null) {
        return -1;
      }
      row.saw(value, 0, value.length);
      return value.length;
    } catch (MVStoreException e) {
      throw new BenchmarkException("get", e);
    }
  }

  @Override
  public int scan(byte[] from, int limit, ScanDirection direction) throws BenchmarkException {
    try {
      Cursor<byte[], byte[]> cursor = pairs.cursor(from, null, direction == ScanDirection.BACKWARD);
      int rows = 0;
      while (rows < limit && cursor.hasNext()) {
        take(cursor.next());
        take(cursor.getValue());
        rows++;
      }
      return rows;
    } catch (MVStoreException e) {
      throw new BenchmarkException("scan", e);
    }
  }

  private void take(byte[] bytes) {
    row.take(bytes, 0, bytes.length);
  }

  @Override
  public RowBuffer row() {
    return row;
  }

  @Override
  public void close() {}
}
