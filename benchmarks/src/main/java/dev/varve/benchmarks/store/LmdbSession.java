package dev.varve.benchmarks.store;

import static org.lmdbjava.PutFlags.MDB_NOOVERWRITE;

import dev.varve.benchmarks.child.BenchmarkException;
import java.nio.ByteBuffer;
import java.util.List;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.GetOp;
import org.lmdbjava.LmdbException;
import org.lmdbjava.Txn;

/**
 * A transaction for each operation. The read transaction and its cursor are made once and renewed,
 * as LMDB's manual has it for short reads; between reads it is reset, so that writers can use its
 * pages again.
 */
final class LmdbSession implements StoreSession, ShowsReads {
  private static final int MOST_KEY_BYTES = 511;

  private final Env<ByteBuffer> env;
  private final Dbi<ByteBuffer> pairs;
  private final LmdbForcing forcing;
  private final ByteBuffer keyBytes = ByteBuffer.allocateDirect(MOST_KEY_BYTES);
  private final Txn<ByteBuffer> reads;
  private final Cursor<ByteBuffer> cursor;
  private final RowBuffer row = new RowBuffer();
  private ByteBuffer valueBytes;

  LmdbSession(Env<ByteBuffer> env, Dbi<ByteBuffer> pairs, LmdbForcing forcing, int valueBytes) {
    this.env = env;
    this.pairs = pairs;
    this.forcing = forcing;
    this.valueBytes = ByteBuffer.allocateDirect(valueBytes);
    this.reads = env.txnRead();
    this.cursor = pairs.openCursor(reads);
    reads.reset();
  }

  @Override
  public void put(byte[] key, byte[] value) throws BenchmarkException {
    try (Txn<ByteBuffer> writes = env.txnWrite()) {
      pairs.put(writes, key(key), value(value));
      writes.commit();
      forcing.committed(key.length + value.length);
    } catch (LmdbException e) {
      throw new BenchmarkException("put", e);
    }
  }

  @Override
  public void putAll(List<byte[]> keys, List<byte[]> values) throws BenchmarkException {
    try (Txn<ByteBuffer> writes = env.txnWrite()) {
      long bytes = 0;
      for (int i = 0; i < keys.size(); i++) {
        pairs.put(writes, key(keys.get(i)), value(values.get(i)));
        bytes += keys.get(i).length + values.get(i).length;
      }
      writes.commit();
      forcing.committed(bytes);
    } catch (LmdbException e) {
      throw new BenchmarkException("put a batch", e);
    }
  }

  @Override
  public boolean insert(byte[] key, byte[] value) throws BenchmarkException {
    try (Txn<ByteBuffer> writes = env.txnWrite()) {
      boolean absent = pairs.put(writes, key(key), value(value), MDB_NOOVERWRITE);
      if (absent) {
        writes.commit();
        forcing.committed(key.length + value.length);
      }
      return absent;
    } catch (LmdbException e) {
      throw new BenchmarkException("insert", e);
    }
  }

  @Override
  public boolean delete(byte[] key) throws BenchmarkException {
    try (Txn<ByteBuffer> writes = env.txnWrite()) {
      boolean there = pairs.delete(writes, key(key));
      if (there) {
        writes.commit();
        forcing.committed(key.length);
      }
      return there;
    } catch (LmdbException e) {
      throw new BenchmarkException("delete", e);
    }
  }

  @Override
  public int get(byte[] key) throws BenchmarkException {
    try {
      reads.renew();
      try {
        ByteBuffer value = pairs.get(reads, key(key));
        if (value == null) {
          return -1;
        }
        int length = value.remaining();
        row.take(value);
        return length;
      } finally {
        reads.reset();
      }
    } catch (LmdbException e) {
      throw new BenchmarkException("get", e);
    }
  }

  @Override
  public int scan(byte[] from, int limit, ScanDirection direction) throws BenchmarkException {
    try {
      reads.renew();
      try {
        cursor.renew(reads);
        return switch (direction) {
          case FORWARD -> forward(from, limit);
          case BACKWARD -> backward(from, limit);
        };
      } finally {
        reads.reset();
      }
    } catch (LmdbException e) {
      throw new BenchmarkException("scan", e);
    }
  }

  private int forward(byte[] from, int limit) {
    int rows = 0;
    boolean there = limit > 0 && cursor.get(key(from), GetOp.MDB_SET_RANGE);
    while (there) {
      take();
      rows++;
      there = rows < limit && cursor.next();
    }
    return rows;
  }

  private int backward(byte[] from, int limit) {
    int rows = 0;
    boolean there = limit > 0 && atMost(from);
    while (there) {
      take();
      rows++;
      there = rows < limit && cursor.prev();
    }
    return rows;
  }

  /** LMDB seeks the first key that is not below; what lies above is stepped back over. */
  private boolean atMost(byte[] from) {
    ByteBuffer key = key(from);
    if (!cursor.get(key, GetOp.MDB_SET_RANGE)) {
      return cursor.last();
    }
    return cursor.key().equals(key) || cursor.prev();
  }

  private void take() {
    row.take(cursor.key());
    row.take(cursor.val());
  }

  private ByteBuffer key(byte[] key) {
    return keyBytes.clear().put(key).flip();
  }

  private ByteBuffer value(byte[] value) {
    if (valueBytes.capacity() < value.length) {
      valueBytes = ByteBuffer.allocateDirect(value.length);
    }
    return valueBytes.clear().put(value).flip();
  }

  @Override
  public RowBuffer row() {
    return row;
  }

  @Override
  public void close() throws BenchmarkException {
    try {
      cursor.close();
      // The library ends a transaction, and frees its place among the readers, only when it is not
      // reset.
      reads.renew();
      reads.close();
    } catch (LmdbException e) {
      throw new BenchmarkException("close a session", e);
    }
  }
}
