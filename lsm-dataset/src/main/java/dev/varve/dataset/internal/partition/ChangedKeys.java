package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.IndexContents;
import dev.varve.common.index.IndexState;
import dev.varve.common.index.LsmIndex;
import java.util.Arrays;
import java.util.Optional;

/**
 * The primary keys that changed since a flush of their index, as it has them on disk, with the
 * stamps that {@link KeyStamps} finds: all of them read at once into a hash table, where asking for
 * one costs a tenth of looking it up. Immutable once it was read.
 */
final class ChangedKeys {
  /** More than so many are not read; their slots take 8 MiB. */
  private static final int MOST_KEYS = 600_000;

  /** Longer keys together are given up, too. */
  private static final int MOST_KEY_BYTES = 8 << 20;

  /** Keys that were chosen so that they meet are given up. */
  private static final int MOST_PROBES = 1 << 10;

  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int HEAD_BYTES = LENGTH_BYTES + Long.BYTES;

  /** Of each key the upper half of its hash, and one more than where it lies; 0 for none. */
  private final long[] slots;

  /** Of each key its length, its stamp and its bytes. */
  private byte[] keys = new byte[1 << 10];

  private int keyBytes;
  private final long ofOthers;
  private final Extent extent;

  /**
   * What was read.
   *
   * @param checkedTo the flush after which keys count as changed
   * @param newestFlush all flushes up to this one were read
   * @param coveredLsn and all changes at or below this LSN
   */
  private record Extent(long checkedTo, long newestFlush, long coveredLsn) {}

  private ChangedKeys(long count, long ofOthers, Extent extent) {
    // At most five eighths of the slots are taken.
    this.slots = new long[Integer.highestOneBit((int) Math.max(1, count + count * 3 / 5)) << 1];
    this.ofOthers = ofOthers;
    this.extent = extent;
    assert slots.length > count + count / 2 : count;
  }

  /**
   * Reads them, if they are few enough.
   *
   * @param primaryKeys the index of primary keys
   * @param checkedTo the flush of it after which keys count as changed
   * @param most so many are worth it
   * @return empty when there are more
   */
  static Optional<ChangedKeys> read(LsmIndex<KeyRange> primaryKeys, long checkedTo, long most)
      throws StorageException {
    IndexState<KeyRange> before = primaryKeys.state(); // not less is read below
    Extent extent = new Extent(checkedTo, before.newestFlush(), before.indexLsn());
    return primaryKeys
        .contents()
        .withNewer(
            checkedTo,
            newer ->
                newer.count() > Math.min(most, MOST_KEYS)
                    ? Optional.empty()
                    : Optional.of(of(newer, extent)));
  }

  private static ChangedKeys of(IndexContents.Newer newer, Extent extent) throws StorageException {
    long ofOthers = newer.olderLeftOut() ? KeyStamps.UNCHANGED : KeyStamps.GONE;
    ChangedKeys changed = new ChangedKeys(newer.count(), ofOthers, extent);
    while (changed.isWhole() && newer.states().next()) {
      changed.add(newer.states().entry());
    }
    return changed;
  }

  /** Whether they were not too many bytes, so that it may be asked. */
  boolean isWhole() {
    return keyBytes >= 0;
  }

  /** Whether all are here that changed between two flushes. */
  boolean covers(long checkedTo, long newestFlush) {
    return extent.checkedTo <= checkedTo && newestFlush <= extent.newestFlush;
  }

  /** Changes at or below this LSN are among them, if they are that new. */
  long coveredLsn() {
    return extent.coveredLsn;
  }

  /** The stamp of a key, as {@link KeyStamps} says it. */
  long stampOf(Slice key) {
    assert isWhole();
    long hash = KeyHash.hash(key);
    int slot = slotOf(hash, key);
    return slots[slot] == 0 ? ofOthers : Bytes.getLong(keys, at(slots[slot]) + LENGTH_BYTES);
  }

  /** Takes the state of a key, unless a newer one was taken. */
  private void add(Entry entry) {
    Slice key = entry.key();
    long hash = KeyHash.hash(key);
    int slot = slotOf(hash, key);
    if (slots[slot] != 0) {
      return;
    }
    int end = keyBytes + HEAD_BYTES + key.length();
    int probes = slot - (int) hash & slots.length - 1;
    if (end > MOST_KEY_BYTES || probes > MOST_PROBES) {
      keyBytes = -1;
      return;
    }
    if (end > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(end, 2 * keys.length));
    }
    Bytes.putInt(keys, keyBytes, key.length());
    Bytes.putLong(
        keys, keyBytes + LENGTH_BYTES, entry.antimatter() ? KeyStamps.GONE : Stamp.of(entry));
    System.arraycopy(key.bytes(), key.offset(), keys, keyBytes + HEAD_BYTES, key.length());
    slots[slot] = tag(hash) | keyBytes + 1;
    keyBytes = end;
  }

  /** Where a key is, or would be. */
  private int slotOf(long hash, Slice key) {
    int slot = (int) hash & slots.length - 1;
    while (slots[slot] != 0 && !(tag(slots[slot]) == tag(hash) && isAt(slots[slot], key))) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }

  private boolean isAt(long found, Slice key) {
    int at = at(found);
    int length = Bytes.getInt(keys, at);
    int begin = at + HEAD_BYTES;
    return length == key.length()
        && Arrays.equals(
            keys, begin, begin + length, key.bytes(), key.offset(), key.offset() + length);
  }

  private static long tag(long hash) {
    return hash & 0xFFFF_FFFF_0000_0000L;
  }

  private static int at(long slot) {
    return (int) slot - 1;
  }
}
