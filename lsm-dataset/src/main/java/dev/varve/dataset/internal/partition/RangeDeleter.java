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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Deletes all that a partition has in a range, as a transaction of its own with one log record for
 * each index, however much that is. Writers are kept out until the commit is durable and the range
 * hides what is older, in the primary and, by the primary keys in their entries, in all other
 * indexes; who reads one of them sees all of it or nothing. No state.
 */
public final class RangeDeleter {
  private static final Slice NOTHING = new Slice();

  /** What a deletion takes of the memory beside its keys, about. */
  private static final long RANGE_BYTES = 64;

  private RangeDeleter() {}

  /**
   * Deletes what lies in a range, in either direction.
   *
   * @return false, with nothing deleted, where records are in components that are cut by key range
   */
  static boolean delete(PartitionLifecycle lifecycle, KeyRange keys) throws StorageException {
    NodeContext node = lifecycle.node();
    node.health().requireWritable();
    lifecycle.markUsed();
    DeletedRanges ranges = ranges(keys, node.options().recordLimits().maxKeyBytes());
    if (ranges.isEmpty()) {
      return true;
    }
    while (!lifecycle.admission().admits(bytes(lifecycle, ranges))) {
      lifecycle.admission().await();
    }
    try (WriterPause pause = new WriterPause(lifecycle)) {
      delete(lifecycle, pause.indexes(), ranges);
    } catch (RequestException cut) {
      if (cut.reason() != RequestException.Reason.UNSUPPORTED || lifecycle.schema() == null) {
        throw cut;
      }
      return false;
    }
    lifecycle.admission().written();
    return true;
  }

  /** What ranges take of the memory of all indexes. */
  private static long bytes(PartitionLifecycle lifecycle, DeletedRanges ranges) {
    return lifecycle.descriptor().indexCount() * (RANGE_BYTES + ranges.bytes());
  }

  @SuppressWarnings("MustBeClosedChecker") // closed at the end, the ones that were begun
  private static void delete(
      PartitionLifecycle lifecycle, PartitionIndexes indexes, DeletedRanges ranges)
      throws StorageException {
    List<RangeDeletion<?>> deletions = new ArrayList<>();
    try {
      for (LsmIndex<?> index : indexes.all()) {
        RangeDeletion<?> deletion = index.contents().newRangeDeletion();
        deletions.add(deletion);
        deletion.requireRoom();
      }
      NodeContext node = lifecycle.node();
      long[] lsns = new long[indexes.size()];
      if (node.durability() == Durability.NONE) {
        // They last from the flushes of their components on; no later operation lies below this.
        Arrays.fill(lsns, node.log().endLsn() - 1);
        hide(lifecycle, deletions, ranges, lsns);
      } else {
        long commit = log(node, indexes, ranges, lsns);
        try {
          // Before anybody can see it: there is no lock that readers would wait for.
          node.log().await(commit, node.durability());
          hide(lifecycle, deletions, ranges, lsns);
        } catch (StorageException | RuntimeException | Error e) {
          deletions.forEach(RangeDeletion::stay);
          node.health().commitLost(e);
          throw e;
        }
      }
    } finally {
      deletions.forEach(RangeDeletion::close);
    }
  }

  /**
   * Says in the log what is deleted of each index. The log is kept from there on, because each has
   * been entered as by a writer.
   *
   * @param lsns by position of the index, filled with those of the records
   * @return the commit's
   */
  private static long log(
      NodeContext node, PartitionIndexes indexes, DeletedRanges ranges, long[] lsns)
      throws StorageException {
    Slice encoded = new Slice(ranges.encode());
    try (Transaction transaction = node.transactions().open()) {
      transaction.begin();
      boolean committed = false;
      try {
        for (int position = 0; position < indexes.size(); position++) {
          lsns[position] =
              transaction.update(
                  indexes.id(position), LogOperation.DELETE_RANGES, NOTHING, encoded);
        }
        long commit = transaction.commit();
        committed = true;
        return commit;
      } finally {
        if (!committed) {
          transaction.abort((index, operation, key, value) -> {}); // nothing was hidden
        }
      }
    }
  }

  private static void hide(
      PartitionLifecycle lifecycle,
      List<RangeDeletion<?>> deletions,
      DeletedRanges ranges,
      long[] lsns) {
    assert deletions.size() == lsns.length : lsns.length;
    lifecycle.saved().lostUpTo(Long.MAX_VALUE);
    for (int position = 0; position < lsns.length; position++) {
      deletions.get(position).delete(ranges, lsns[position]);
    }
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
   * Does what a log record says of an index. Where components are cut by key range by now, the
   * entries are deleted one by one.
   */
  public static void redo(LsmIndex<?> index, LogRecord record) throws StorageException {
    DeletedRanges ranges = DeletedRanges.decode(record.value().toByteArray(), 0);
    try (RangeDeletion<?> deletion = index.contents().newRangeDeletion()) {
      deletion.delete(ranges, record.lsn());
    } catch (RequestException cut) {
      assert cut.reason() == RequestException.Reason.UNSUPPORTED : cut;
      deleteEach(index, ranges, record.lsn());
    }
  }

  private static void deleteEach(LsmIndex<?> index, DeletedRanges ranges, long lsn)
      throws StorageException {
    Predicate<Slice> deleted = index.contents().entriesIn(ranges);
    Entry gone = new Entry().antimatter(true);
    index.seal(); // so that what was redone before is read
    try (EntryCursor there = index.contents().scan()) {
      while (there.next()) {
        if (deleted.test(there.entry().key())) {
          gone.key().copyOf(there.entry().key());
          put(index.tryEnter(), gone, lsn);
        }
      }
    }
  }

  private static void put(@Nullable MemoryComponent<?> component, Entry entry, long lsn) {
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
