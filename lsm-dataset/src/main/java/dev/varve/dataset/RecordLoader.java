package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.BulkLoader;
import dev.varve.dataset.internal.partition.Partition;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads an empty dataset, or an empty partition of one, from records in ascending order of their
 * primary keys, past log and memory components. Each partition gets all of its records or none:
 * before {@link #finish} returned, or after a crash before it did, each is empty or has all of
 * them. Writers wait while a loader is open; readers see nothing of the load until its end. An
 * engine that is closed waits for a loader, and then ends it without its records: every later call
 * but {@link #close} throws a {@link ConflictException} with {@code ABORTED}. Confined to one
 * thread.
 */
public final class RecordLoader implements AutoCloseable {
  private final PartitionRouter router;
  private final List<BulkLoader> loaders = new ArrayList<>();

  /** A loader of one partition or several. */
  @SuppressWarnings("MustBeClosedChecker") // closed with the loader
  RecordLoader(List<Partition> partitions) throws StorageException {
    this.router = new PartitionRouter(partitions);
    try {
      for (Partition partition : partitions) {
        loaders.add(partition.newLoader());
      }
    } catch (StorageException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Adds a record.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNSORTED_INPUT}, {@code
   *     MALFORMED_RECORD}, or {@code WRONG_PARTITION} when its key belongs to another node or
   *     another partition than that of the load; the load cannot go on and is to be closed
   */
  public void add(Slice record) throws StorageException {
    loaders.get(router.ofRecord(record)).addRecord(record);
  }

  /** Adds a record; see {@link #add(Slice)}. */
  public void add(byte[] record) throws StorageException {
    add(new Slice(record));
  }

  /** Publishes everything durably, partition after partition, and returns the number of records. */
  public long finish() throws StorageException {
    long records = 0;
    for (BulkLoader loader : loaders) {
      records += loader.finish();
    }
    return records;
  }

  /**
   * Without {@link #finish}: removes what was written. What cannot be removed now is deleted when
   * the engine is opened again, and until then the partition refuses every call. Idempotent.
   */
  @Override
  public void close() {
    loaders.forEach(BulkLoader::close);
  }
}
