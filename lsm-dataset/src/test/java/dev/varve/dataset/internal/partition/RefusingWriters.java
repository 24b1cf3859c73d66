package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.transaction.log.Durability;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Opens writers whose memory component refuses an operation that is in the log, as if it was full.
 */
public final class RefusingWriters {
  private RefusingWriters() {}

  /** A session that fails when a key is put into the component, after its commit. */
  public static SessionWriter session(PartitionHost host, Durability durability, Slice refused) {
    WriterPins refusing = new WriterPins(host.config().indexId(0), key -> refuse(key, refused));
    return new SessionWriter(host, durability, host.keys(), refusing);
  }

  /**
   * A session that fails at one of its puts into components, of whatever index.
   *
   * @param refused which put, counted from 1
   */
  public static SessionWriter session(PartitionHost host, int refused) {
    return new SessionWriter(host, Durability.POWER_LOSS, host.keys(), refusingOnce(host, refused));
  }

  /**
   * A transaction that fails at one of its puts into components, of whatever index.
   *
   * @param refused which put, counted from 1
   */
  public static TransactionWriter transaction(PartitionHost host, int refused)
      throws StorageException {
    return new TransactionWriter(host, Durability.POWER_LOSS, refusingOnce(host, refused));
  }

  private static WriterPins refusingOnce(PartitionHost host, int refused) {
    AtomicInteger puts = new AtomicInteger();
    return new WriterPins(
        host.config().indexId(0),
        key -> {
          if (puts.incrementAndGet() == refused) {
            throw new OutOfMemoryError("planned");
          }
        });
  }

  private static void refuse(Slice key, Slice refused) {
    if (key.sameBytes(refused)) {
      throw new OutOfMemoryError("planned");
    }
  }
}
