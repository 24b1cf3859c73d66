package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.store.RocksDbDatabase;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.ycsb.Fields;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * YCSB's client of a RocksDB in its own process. Records are fields in one value, written as our
 * own binding writes them; there is one table. An update reads, changes and puts, without a lock
 * between them, as YCSB's own binding of RocksDB does. Confined to one of YCSB's threads.
 */
final class RocksDbClient extends DB {
  private final RocksDB db;
  private final WriteOptions writes;
  private final ReadOptions reads = new ReadOptions();
  private final Fields fields = new Fields();

  RocksDbClient(RocksDbDatabase database) {
    this.db = database.db();
    this.writes = database.newWriteOptions();
  }

  @Override
  public void cleanup() {
    reads.close();
    writes.close();
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    try {
      byte[] value = db.get(reads, utf8(key));
      if (value == null) {
        return Status.NOT_FOUND;
      }
      this.fields.decode(new Slice(value), fields, result);
      return Status.OK;
    } catch (RocksDBException | RequestException failure) {
      return failed(failure);
    }
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's signature
  public Status scan(
      String table,
      String startKey,
      int recordCount,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    assert result.isEmpty();
    try (RocksIterator rows = db.newIterator(reads)) {
      rows.seek(utf8(startKey));
      while (result.size() < recordCount && rows.isValid()) {
        HashMap<String, ByteIterator> row = new HashMap<>();
        this.fields.decode(new Slice(rows.value()), fields, row);
        result.add(row);
        rows.next();
      }
      rows.status();
      return Status.OK;
    } catch (RocksDBException | RequestException failure) {
      return failed(failure);
    }
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    try {
      db.put(writes, utf8(key), Fields.encode(values));
      return Status.OK;
    } catch (RocksDBException failure) {
      return failed(failure);
    }
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    try {
      byte[] value = db.get(reads, utf8(key));
      if (value == null) {
        return Status.NOT_FOUND;
      }
      byte[] keyBytes = utf8(key);
      Slice merged = fields.merge(new Slice(value), values);
      db.put(
          writes, keyBytes, 0, keyBytes.length, merged.bytes(), merged.offset(), merged.length());
      return Status.OK;
    } catch (RocksDBException | RequestException failure) {
      return failed(failure);
    }
  }

  @Override
  public Status delete(String table, String key) {
    try {
      db.delete(writes, utf8(key));
      return Status.OK;
    } catch (RocksDBException failure) {
      return failed(failure);
    }
  }

  private static Status failed(Exception failure) {
    return new Status("ERROR", String.valueOf(failure.getMessage()));
  }

  private static byte[] utf8(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }
}
