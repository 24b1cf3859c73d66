package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.LookupBatch;
import dev.varve.dataset.model.KeyOrder;

/**
 * Looks up in the index of primary keys, many at a time and in the order of keys, how young the
 * newest change of each is that may have left something obsolete. Confined to one thread, and
 * reused.
 */
final class KeyStamps {
  /** The stamp of a key that is not there: younger than any entry. */
  static final long GONE = Long.MAX_VALUE;

  /** The key was not changed since entries were checked: older than any entry. */
  static final long UNCHANGED = 0;

  /** The newest state of the key is in memory, so that it may not be committed. */
  static final long UNSETTLED = -1;

  /** Keys that are looked up together. */
  private static final int KEYS_A_SWEEP = 1024;

  private final Finder finder;
  private final LookupBatch batch = new LookupBatch();

  /** For elements that are looked up together: the place of the key in the batch. */
  private int[] places = new int[0];

  /** What was found of the keys in the batch. */
  private long[] stamps = new long[0];

  private final Slice key = new Slice();
  private final Slice last = new Slice();
  private final Entry found = new Entry();

  /** Looks keys up. */
  @FunctionalInterface
  interface Finder {
    /** Looks up a part of a batch at least. */
    void findAll(LookupBatch batch) throws StorageException;
  }

  /** Takes answers. */
  @FunctionalInterface
  interface Answers {
    /** Takes the stamp of the key that an element has. */
    void take(int element, long stamp);
  }

  /**
   * Stamps by a way to look them up.
   *
   * @param finder one of the methods of the index of primary keys for that
   * @param checkedTo the flush of that index against which the entries were checked whose keys will
   *     be looked up; only what came after it is looked at, where it can be told
   */
  KeyStamps(Finder finder, long checkedTo) {
    this.finder = finder;
    batch.leaveOut(checkedTo);
  }

  /**
   * Looks up the keys of some elements, which ascend and may be the same.
   *
   * @param elements how many
   */
  void look(int elements, KeyOrder.Keys keys, Answers answers) throws StorageException {
    if (places.length < Math.min(elements, KEYS_A_SWEEP)) {
      places = new int[Math.min(elements, KEYS_A_SWEEP)];
      stamps = new long[places.length];
    }
    int end;
    for (int begin = 0; begin < elements; begin = end) {
      end = Math.min(elements, begin + KEYS_A_SWEEP);
      batch.clear();
      for (int i = begin; i < end; i++) {
        Slice next = keys.key(i, key);
        if (i == begin || !next.sameBytes(last)) {
          batch.add(next);
          last.set(next.bytes(), next.offset(), next.length());
        }
        places[i - begin] = batch.size() - 1;
      }
      while (batch.to() < batch.size()) {
        finder.findAll(batch);
        for (int place = batch.from(); place < batch.to(); place++) {
          stamps[place] = stamp(place);
        }
      }
      assert batch.to() == batch.size();
      for (int i = begin; i < end; i++) {
        answers.take(i, stamps[places[i - begin]]);
      }
    }
  }

  private long stamp(int place) {
    if (!batch.isFound(place)) {
      return batch.olderLeftOut() ? UNCHANGED : GONE;
    }
    if (batch.isFoundInMemory(place)) {
      return UNSETTLED;
    }
    batch.view(place, found);
    return found.antimatter() ? GONE : Stamp.of(found);
  }
}
