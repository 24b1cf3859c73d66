package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB through its calls for arrays, with arrays of its own for what is read. An iterator is
 * kept from one scan to the next, which is cheaper than a new one, and given up before the session
 * writes, because it keeps memtables and files alive.
 */
final class RocksDbSession implements StoreSession, ShowsReads {
  private final RocksDB db;
  private final WriteOptions writes;
  private final ReadOptions reads = new ReadOptions();
  private final WriteBatch batch = new WriteBatch();
  private final RowBuffer row = new RowBuffer();
  private byte[] found;
  private @Nullable RocksIterator iterator;

  RocksDbSession(RocksDB db, WriteOptions writes, int valueBytes) {
    this.db = db;
    this.writes = writes;
    this.found = new byte[valueBytes];
  }

  @Override
  public void put(byte[] key, byte[] value) throws BenchmarkException {
    giveIteratorUp();
    try {
      db.put(writes, key, value);
    } catch (RocksDBException e) {
      throw new BenchmarkException("put", e);
    }
  }

  @Override
  public void putAll(List<byte[]> keys, List<byte[]> values) throws BenchmarkException {
    giveIteratorUp();
    try {
      batch.clear();
      for (int i = 0; i < keys.size(); i++) {
        batch.put(keys.get(i), values.get(i));
      }
      db.write(writes, batch);
    } catch (RocksDBException e) {
      throw new BenchmarkException("put a batch", e);
    }
  }

  @Override
  public boolean insert(byte[] key, byte[] value) throws BenchmarkException {
    if (get(key) >= 0) {
      return false;
    }
    put(key, value);
    return true;
  }

  @Override
  public boolean delete(byte[] key) throws BenchmarkException {
    giveIteratorUp();
    try {
      db.delete(writes, key);
      return true;
    } catch (RocksDBException e) {
      throw new BenchmarkException("delete", e);
    }
  }

  @Override
  public int get(byte[] key) throws BenchmarkException {
    try {
      int length = db.get(reads, key, found);
      if (length > found.length) {
        found = new byte[length];
        length = db.get(reads, key, found);
      }
      if (length == RocksDB.NOT_FOUND) {
        return -1;
      }
      row.saw(found, 0, length);
      return length;
    } catch (RocksDBException e) {
      throw new BenchmarkException("get", e);
    }
  }

  @Override
  public int scan(byte[] from, int limit, ScanDirection direction) throws BenchmarkException {
    try {
      RocksIterator rows = refreshedIterator();
      return switch (direction) {
        case FORWARD -> forward(rows, from, limit);
        case BACKWARD -> backward(rows, from, limit);
      };
    } catch (RocksDBException e) {
      throw new BenchmarkException("scan", e);
    }
  }

  private RocksIterator refreshedIterator() throws RocksDBException {
    RocksIterator kept = iterator;
    if (kept != null) {
      kept.refresh();
      return kept;
    }
    RocksIterator fresh = db.newIterator(reads);
    iterator = fresh;
    return fresh;
  }

  private void giveIteratorUp() {
    RocksIterator kept = iterator;
    if (kept != null) {
      iterator = null;
      kept.close();
    }
  }

  private int forward(RocksIterator rows, byte[] from, int limit) throws RocksDBException {
    rows.seek(from);
    int count = 0;
    while (count < limit && rows.isValid()) {
      take(rows);
      count++;
      rows.next();
    }
    rows.status();
    return count;
  }

  private int backward(RocksIterator rows, byte[] from, int limit) throws RocksDBException {
    rows.seekForPrev(from);
    int count = 0;
    while (count < limit && rows.isValid()) {
      take(rows);
      count++;
      rows.prev();
    }
    rows.status();
    return count;
  }

  /** Copies key and value; what did not fit the buffer is copied again. */
  private void take(RocksIterator rows) {
    byte[] bytes = row.atLeast(0);
    int keyBytes = rows.key(bytes);
    if (keyBytes > bytes.length) {
      bytes = row.atLeast(keyBytes);
      rows.key(bytes);
    }
    row.saw(bytes, 0, keyBytes);
    int valueBytes = rows.value(bytes);
    if (valueBytes > bytes.length) {
      bytes = row.atLeast(valueBytes);
      rows.value(bytes);
    }
    row.saw(bytes, 0, valueBytes);
  }

  @Override
  public RowBuffer row() {
    return row;
  }

  @Override
  public void close() {
    giveIteratorUp();
    batch.close();
    reads.close();
    writes.close();
  }
}
