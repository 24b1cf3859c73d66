package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.transaction.log.Durability;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Opens writers whose memory component refuses an operation that is in the log, as if it was full.
 */
public final class RefusingWriters {
  private RefusingWriters() {}

  /** A session that fails when a key is put into the component, after its commit. */
  public static SessionWriter session(
      PartitionLifecycle lifecycle, Durability durability, Slice refused) {
    WriterPins refusing = new WriterPins(key -> refuse(key, refused));
    return new SessionWriter(lifecycle, durability, lifecycle.keys(), refusing);
  }

  /** A session that is stopped before each of its puts into components. */
  public static SessionWriter watched(PartitionLifecycle lifecycle, Consumer<Slice> beforePut) {
    return new SessionWriter(
        lifecycle, Durability.POWER_LOSS, lifecycle.keys(), new WriterPins(beforePut));
  }

  /**
   * A session that fails at one of its puts into components, of whatever index.
   *
   * @param refused which put, counted from 1
   */
  public static SessionWriter session(PartitionLifecycle lifecycle, int refused) {
    return new SessionWriter(
        lifecycle, Durability.POWER_LOSS, lifecycle.keys(), refusingOnce(refused));
  }

  /**
   * A transaction's writer that fails at one of its puts into components, of whatever index.
   *
   * @param refused which put, counted from 1
   */
  public static TransactionWriter join(
      NodeTransaction transaction, PartitionLifecycle lifecycle, int refused)
      throws StorageException {
    return transaction.join(lifecycle, refusingOnce(refused));
  }

  private static WriterPins refusingOnce(int refused) {
    AtomicInteger puts = new AtomicInteger();
    return new WriterPins(
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
