package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the records of a partition that belong elsewhere, a batch after the other in the order of
 * their keys, and takes them out once they are where they belong. Between two calls it holds
 * nothing open. Confined to one thread.
 */
public final class MisplacedRecords {
  /** Most records of a batch. */
  private static final int BATCH_RECORDS = 256;

  private static final long BATCH_BYTES = 4 << 20;

  private final Partition partition;
  private final PartitionLifecycle lifecycle;

  /** The key that the next batch begins behind; null before the first. */
  private byte @Nullable [] last;

  private boolean ended;

  /** The misplaced records of a partition. */
  public MisplacedRecords(Partition partition) {
    this.partition = partition;
    this.lifecycle = partition.lifecycle();
  }

  /** The next batch; empty when there are no more. */
  public List<MisplacedRecord> next() throws StorageException {
    List<MisplacedRecord> batch = new ArrayList<>();
    if (ended) {
      return batch;
    }
    long bytes = 0;
    byte[] behind = last;
    KeyRange rest = behind == null ? KeyRange.all() : KeyRange.greaterThan(behind);
    try (RecordCursor cursor = partition.scan(rest)) {
      while (batch.size() < BATCH_RECORDS && bytes < BATCH_BYTES) {
        if (!cursor.next()) {
          ended = true;
          break;
        }
        if (!lifecycle.keys().hold(cursor.key())) {
          MisplacedRecord found =
              new MisplacedRecord(
                  new Slice(cursor.key().toByteArray()), new Slice(cursor.value().toByteArray()));
          batch.add(found);
          bytes += found.record().length();
          last = found.key().bytes();
        }
      }
    }
    return batch;
  }

  /** Deletes records, with their entries in all indexes; durable when it returns. */
  public void remove(List<MisplacedRecord> records) throws StorageException {
    if (records.isEmpty()) {
      return;
    }
    try (SessionWriter writer =
        new SessionWriter(
            lifecycle,
            Durability.POWER_LOSS,
            PartitionKeys.any(lifecycle.descriptor()),
            new WriterPins())) {
      for (MisplacedRecord record : records) {
        writer.delete(record.key());
      }
      writer.force();
    }
    partition.flushUnlogged();
  }
}
