package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.DeletedRanges;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.MemoryComponent;
import dev.varve.common.index.RangeDeletion;
import dev.varve.transaction.Transaction;
import dev.varve.transaction.log.Durability;
import dev.varve.transaction.log.LogOperation;
import dev.varve.transaction.log.LogRecord;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Deletes all that a partition has in a range, as a transaction of its own with one log record,
 * however much that is. Writers are kept out until the record is durable and the range hides what
 * is older; who reads sees all of it or nothing. No state.
 */
public final class RangeDeleter {
  private static final Slice NOTHING = new Slice();

  /** What a deletion takes of the memory beside its keys, about. */
  private static final long RANGE_BYTES = 64;

  private RangeDeleter() {}

  /**
   * Deletes what lies in a range, in either direction.
   *
   * @return false, with nothing deleted, where a range of primary keys would leave entries of other
   *     indexes, or components are cut by key range
   */
  static boolean delete(PartitionLifecycle lifecycle, KeyRange keys) throws StorageException {
    NodeContext node = lifecycle.node();
    node.health().requireWritable();
    lifecycle.markUsed();
    DeletedRanges ranges = ranges(keys, node.options().recordLimits().maxKeyBytes());
    if (ranges.isEmpty()) {
      return true;
    }
    if (!decidesNow(lifecycle)) {
      return false; // without a pause, which others would have to make way for
    }
    while (!lifecycle.admission().admits(RANGE_BYTES + ranges.bytes())) {
      lifecycle.admission().await();
    }
    try (WriterPause pause = new WriterPause(lifecycle)) {
      if (!decides(pause.indexes())) {
        return false; // an index was added meanwhile
      }
      logAndHide(lifecycle, pause.indexes().primary(), ranges);
    } catch (RequestException cut) {
      if (cut.reason() != RequestException.Reason.UNSUPPORTED || lifecycle.schema() == null) {
        throw cut;
      }
      return false; // components are cut by key range
    }
    lifecycle.admission().written();
    return true;
  }

  private static boolean decidesNow(PartitionLifecycle lifecycle) throws StorageException {
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      return decides(indexes);
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  /** Whether the primary index alone says what is there. */
  private static boolean decides(PartitionIndexes indexes) {
    assert indexes.size() >= 1;
    return indexes.size() == 1;
  }

  private static void logAndHide(
      PartitionLifecycle lifecycle, LsmIndex<KeyRange> primary, DeletedRanges ranges)
      throws StorageException {
    NodeContext node = lifecycle.node();
    try (RangeDeletion<KeyRange> deletion = primary.contents().newRangeDeletion()) {
      deletion.requireRoom();
      if (node.durability() == Durability.NONE) {
        // It lasts from the flush of its component on; no later operation lies below this LSN.
        hide(lifecycle, deletion, ranges, node.log().endLsn() - 1);
      } else {
        logAndHide(lifecycle, deletion, ranges);
      }
    }
  }

  private static void logAndHide(
      PartitionLifecycle lifecycle, RangeDeletion<KeyRange> deletion, DeletedRanges ranges)
      throws StorageException {
    NodeContext node = lifecycle.node();
    try (Transaction transaction = node.transactions().open()) {
      long lsn =
          transaction.commitAlone(
              lifecycle.descriptor().indexId(0),
              LogOperation.DELETE_RANGES,
              NOTHING,
              new Slice(ranges.encode()));
      try {
        // Before anybody can see it: there is no lock that readers would wait for.
        node.log().await(lsn, node.durability());
        hide(lifecycle, deletion, ranges, lsn);
        transaction.applied();
      } catch (StorageException | RuntimeException | Error e) {
        deletion.stay();
        node.health().commitLost(e);
        throw e;
      }
    }
  }

  private static void hide(
      PartitionLifecycle lifecycle,
      RangeDeletion<KeyRange> deletion,
      DeletedRanges ranges,
      long lsn) {
    lifecycle.saved().lostUpTo(Long.MAX_VALUE);
    deletion.delete(ranges, lsn);
    lifecycle.node().snapshots().decide(lifecycle.saved()::lostUpTo);
  }

  /** The same keys, with a first one and one behind the last; none for a range of no keys. */
  private static DeletedRanges ranges(KeyRange keys, int maxKeyBytes) throws LimitException {
    byte[] low = keys.low().isBounded() ? from(keys.low(), !keys.low().isInclusive()) : new byte[0];
    byte[] high = keys.high().isBounded() ? from(keys.high(), keys.high().isInclusive()) : null;
    for (byte[] bound : high == null ? new byte[][] {low} : new byte[][] {low, high}) {
      if (bound.length > maxKeyBytes + 1) {
        throw new LimitException("bytes of a bound of deleted keys", bound.length, maxKeyBytes + 1);
      }
    }
    return high != null && Arrays.compareUnsigned(low, high) >= 0
        ? DeletedRanges.NONE
        : DeletedRanges.of(low, high);
  }

  /** The first key from a bound on, or the first behind it. */
  private static byte[] from(KeyBound bound, boolean behind) {
    byte[] key = bound.key().toByteArray();
    return behind ? Arrays.copyOf(key, key.length + 1) : key;
  }

  /**
   * Does what a log record says. Where components are cut by key range by now, the keys are deleted
   * one by one.
   */
  public static void redo(PartitionIndexes indexes, LogRecord record) throws StorageException {
    DeletedRanges ranges = DeletedRanges.decode(record.value().toByteArray(), 0);
    LsmIndex<KeyRange> primary = indexes.primary();
    try (RangeDeletion<KeyRange> deletion = primary.contents().newRangeDeletion()) {
      deletion.delete(ranges, record.lsn());
    } catch (RequestException cut) {
      assert cut.reason() == RequestException.Reason.UNSUPPORTED : cut;
      deleteEach(primary, ranges, record.lsn());
    }
  }

  private static void deleteEach(LsmIndex<KeyRange> primary, DeletedRanges ranges, long lsn)
      throws StorageException {
    Entry gone = new Entry().antimatter(true);
    primary.seal(); // so that what was redone before is read
    try (EntryCursor there = primary.search(KeyRange.all())) {
      while (there.next()) {
        if (ranges.contains(there.entry().key())) {
          gone.key().copyOf(there.entry().key());
          put(primary.tryEnter(), gone, lsn);
        }
      }
    }
  }

  private static void put(@Nullable MemoryComponent<KeyRange> component, Entry entry, long lsn) {
    if (component == null) {
      throw new IllegalStateException("no memory component during redo");
    }
    try {
      component.putAlone(entry, lsn);
    } finally {
      component.exit();
    }
  }
}
