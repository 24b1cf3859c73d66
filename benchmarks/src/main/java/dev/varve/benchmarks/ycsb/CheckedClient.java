package dev.varve.benchmarks.ycsb;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Counts what came of each call of another client, since YCSB's workloads go on whatever comes: a
 * record that is not found, or is found empty, is a wrong answer. Confined to one of YCSB's
 * threads; its counts are read by others once that has ended.
 */
final class CheckedClient extends DB {
  private final DB client;
  private long wrong;
  private long inserted;
  private long rows;
  private @Nullable Status firstWrong;

  CheckedClient(DB client) {
    this.client = client;
  }

  @Override
  public void cleanup() throws DBException {
    client.cleanup();
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    Status status = client.read(table, key, fields, result);
    rows++;
    return count(status, !result.isEmpty());
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's signature
  public Status scan(
      String table,
      String startKey,
      int recordCount,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    Status status = client.scan(table, startKey, recordCount, fields, result);
    rows += result.size();
    return count(status, !result.isEmpty() && result.size() <= recordCount);
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    rows++;
    return count(client.update(table, key, values), true);
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    rows++;
    inserted++;
    return count(client.insert(table, key, values), true);
  }

  @Override
  public Status delete(String table, String key) {
    return count(client.delete(table, key), true);
  }

  private Status count(Status status, boolean found) {
    if (!status.isOk() || !found) {
      wrong++;
      if (firstWrong == null) {
        firstWrong = status;
      }
    }
    return status;
  }

  /** Calls that were refused, or found nothing. */
  long wrong() {
    return wrong;
  }

  /** What the first of them said; null when there is none. */
  @Nullable Status firstWrong() {
    return firstWrong;
  }

  /** Records inserted. */
  long inserted() {
    return inserted;
  }

  /** Records read, scanned or written. */
  long rows() {
    return rows;
  }
}
