package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.KeyValue;
import dev.varve.dataset.KeyValueSession;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.model.RecordCursor;
import java.util.List;

/** Writes through a session of the engine, reads past it: nothing in it is ever unforced. */
final class VarveSession implements StoreSession, ShowsReads {
  private final KeyValueStore store;
  private final KeyValueSession writes;
  private final Slice keyView = new Slice();
  private final Slice valueView = new Slice();
  private final KeyValue found = new KeyValue();
  private final RowBuffer row = new RowBuffer();

  @SuppressWarnings("MustBeClosedChecker") // closed with this session
  VarveSession(KeyValueStore store) throws StorageException {
    this.store = store;
    this.writes = store.openSession();
  }

  @Override
  public void put(byte[] key, byte[] value) throws BenchmarkException {
    try {
      putUnforced(key, value);
      writes.force();
    } catch (StorageException e) {
      throw new BenchmarkException("put", e);
    }
  }

  @Override
  public void putAll(List<byte[]> keys, List<byte[]> values) throws BenchmarkException {
    try {
      for (int i = 0; i < keys.size(); i++) {
        putUnforced(keys.get(i), values.get(i));
      }
      writes.force();
    } catch (StorageException e) {
      throw new BenchmarkException("put a batch", e);
    }
  }

  private void putUnforced(byte[] key, byte[] value) throws StorageException {
    writes.put(keyView.set(key, 0, key.length), valueView.set(value, 0, value.length));
  }

  @Override
  public boolean insert(byte[] key, byte[] value) throws BenchmarkException {
    try {
      boolean absent = insertUnforced(key, value);
      writes.force();
      return absent;
    } catch (StorageException e) {
      throw new BenchmarkException("insert", e);
    }
  }

  private boolean insertUnforced(byte[] key, byte[] value) throws StorageException {
    try {
      writes.insert(keyView.set(key, 0, key.length), valueView.set(value, 0, value.length));
      return true;
    } catch (ConflictException e) {
      if (e.reason() != ConflictException.Reason.DUPLICATE_KEY) {
        throw e;
      }
      return false;
    }
  }

  @Override
  public boolean delete(byte[] key) throws BenchmarkException {
    try {
      writes.remove(keyView.set(key, 0, key.length));
      writes.force();
      return true;
    } catch (StorageException e) {
      throw new BenchmarkException("delete", e);
    }
  }

  @Override
  public int get(byte[] key) throws BenchmarkException {
    try {
      if (!store.get(keyView.set(key, 0, key.length), found)) {
        return -1;
      }
      Slice value = found.value();
      row.saw(value.bytes(), value.offset(), value.length());
      return value.length();
    } catch (StorageException e) {
      throw new BenchmarkException("get", e);
    }
  }

  @Override
  public int scan(byte[] from, int limit, ScanDirection direction) throws BenchmarkException {
    KeyRange range =
        switch (direction) {
          case FORWARD -> KeyRange.atLeast(from);
          case BACKWARD -> KeyRange.atMost(from).descending();
        };
    try (RecordCursor cursor = store.scan(range)) {
      int rows = 0;
      while (rows < limit && cursor.next()) {
        take(cursor.key());
        take(cursor.value());
        rows++;
      }
      return rows;
    } catch (StorageException e) {
      throw new BenchmarkException("scan", e);
    }
  }

  private void take(Slice bytes) {
    row.take(bytes.bytes(), bytes.offset(), bytes.length());
  }

  @Override
  public RowBuffer row() {
    return row;
  }

  @Override
  public void close() throws BenchmarkException {
    try {
      writes.close();
    } catch (StorageException e) {
      throw new BenchmarkException("close a session", e);
    }
  }
}
