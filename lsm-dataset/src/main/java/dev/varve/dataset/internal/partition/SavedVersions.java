package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.dataset.model.Key;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What records of a partition were before changes that open moments ({@link Snapshots}) do not see.
 * A version is here before what comes after it can be read, and until no open moment needs it. A
 * record of which no version is here is, for every open moment, what it was before the transaction
 * that may have it locked ({@link LockedRecords}). Thread-safe; whoever saves has the record
 * locked.
 */
final class SavedVersions {
  /** What a version takes beside key and value, about. */
  private static final long ENTRY_BYTES = 120;

  /** What {@link #settled} is while a version is on its way. */
  static final long UNSETTLED = -1;

  /** That there was no record. */
  private static final Version ABSENT = new Version(0, null, null, 0);

  private final Snapshots snapshots;

  /** The number that was given to a version last. */
  private final AtomicLong numbers = new AtomicLong();

  /** How many of the numbered versions are where readers find them, or never will be. */
  private final AtomicLong arrived = new AtomicLong();

  /** Null while nothing is saved. Whoever saves asks for it after it has learned of the moment. */
  private final AtomicReference<@Nullable Kept> kept = new AtomicReference<>();

  /** Moments up to this one are lost here: something was deleted of which nothing was saved. */
  private volatile long lostUpTo;

  /** To moments up to this one the partition was empty, but for what is saved. */
  private volatile long emptyUpTo;

  /** Nothing is saved. */
  SavedVersions(Snapshots snapshots) {
    this.snapshots = snapshots;
  }

  /** All versions, from the first that is saved to the end of the last open moment. */
  private static final class Kept {
    private static final int LONGS = 1 << 12;

    private final ConcurrentNavigableMap<Place, Version> versions = new ConcurrentSkipListMap<>();
    private final AtomicLong bytes = new AtomicLong();

    /** By hash: whether there may be versions of a key. Most readers need no more. */
    private final AtomicLongArray hashes = new AtomicLongArray(LONGS);

    /**
     * Says that there are versions of a key from now on, and whether there may have been before.
     */
    private boolean mark(long hash) {
      int place = (int) (hash >>> Long.BYTES) & (LONGS - 1);
      long bit = 1L << hash;
      return (hashes.get(place) & bit) != 0
          || (hashes.getAndUpdate(place, bits -> bits | bit) & bit) != 0;
    }

    private @Nullable Version newest(Slice key) {
      long hash = KeyHash.hash(key);
      return (hashes.get((int) (hash >>> Long.BYTES) & (LONGS - 1)) & (1L << hash)) == 0
          ? null
          : versions.get(Place.of(Key.ofSlice(key)));
    }
  }

  /**
   * A key among others, with its head beside it: most keys that it is compared with differ there,
   * and their bytes, which lie elsewhere, are not looked at.
   */
  private record Place(long head, Key key) implements Comparable<Place> {
    static Place of(Key key) {
      return new Place(key.toSlice().head(), key);
    }

    @Override
    public int compareTo(Place other) {
      int byHead = Long.compareUnsigned(head, other.head);
      return byHead != 0 ? byHead : key.compareTo(other.key);
    }
  }

  /** What a record was. Immutable; the next older version is what earlier moments see. */
  static final class Version {
    private final long upTo;
    private final byte @Nullable [] value;
    private final @Nullable Version older;
    private final long number;

    private Version(long upTo, byte @Nullable [] value, @Nullable Version older, long number) {
      this.upTo = upTo;
      this.value = value;
      this.older = older;
      this.number = number;
    }

    /** The record; null when there was none. */
    byte @Nullable [] value() {
      return value;
    }

    /** The version that a moment sees; null when it sees a younger one than all of these. */
    private @Nullable Version asOf(long moment) {
      Version seen = null;
      for (Version version = this; version != null; version = version.older) {
        if (version.upTo < moment) {
          break;
        }
        seen = version;
      }
      return seen;
    }

    /** The same without the versions that no moment sees; null when it sees none of them. */
    private @Nullable Version retained(long[] moments) {
      List<Version> needed = new ArrayList<>();
      int before = moments.length;
      for (Version version = this; version != null; version = version.older) {
        long olderUpTo = version.older == null ? 0 : version.older.upTo;
        int seesNot = 0;
        while (seesNot < before && moments[seesNot] <= olderUpTo) {
          seesNot++;
        }
        int sees = seesNot;
        assert version.upTo > olderUpTo : "versions of one age";
        while (sees < before && moments[sees] <= version.upTo) {
          sees++;
        }
        if (sees > seesNot) {
          needed.add(version);
        }
        before = Math.min(before, seesNot);
      }
      Version kept = null;
      for (int i = needed.size() - 1; i >= 0; i--) {
        Version version = needed.get(i);
        kept = new Version(version.upTo, version.value, kept, version.number);
      }
      return kept;
    }

    private static long bytes(Key key, @Nullable Version newest) {
      long bytes = 0;
      for (Version version = newest; version != null; version = version.older) {
        bytes += ENTRY_BYTES + key.toSlice().length();
        bytes += version.value == null ? 0 : version.value.length;
      }
      return bytes;
    }
  }

  /** Whether nothing was saved yet that a change has to save that is not in a moment. */
  boolean lacks(Slice key, long moment) {
    Kept all = kept.get();
    Version saved = all == null ? null : all.newest(key);
    return saved == null || saved.upTo < moment;
  }

  /**
   * Keeps what a record is before it changes.
   *
   * @param moment the newest that does not see the change
   * @param value null when there is no record
   */
  void save(Key key, long moment, byte @Nullable [] value) {
    assert moment > 0 : "nobody asks for it";
    Kept all = kept();
    Place place = Place.of(key);
    boolean mayBeThere = all.mark(KeyHash.hash(key.toSlice()));
    while (true) {
      Version older = mayBeThere ? all.versions.get(place) : null;
      mayBeThere = true;
      if (older != null && older.upTo >= moment) {
        return;
      }
      Version newest = new Version(moment, value, older, numbers.incrementAndGet());
      boolean saved =
          older == null
              ? all.versions.putIfAbsent(place, newest) == null
              : all.versions.replace(place, older, newest);
      arrived.incrementAndGet();
      if (saved) {
        count(all, Version.bytes(key, newest) - Version.bytes(key, older));
        return;
      }
    }
  }

  private Kept kept() {
    Kept all = kept.get();
    while (all == null) {
      snapshots.saves(this);
      kept.compareAndSet(null, new Kept());
      all = kept.get();
    }
    return all;
  }

  private void count(Kept all, long bytes) {
    all.bytes.addAndGet(bytes);
    snapshots.counted(bytes);
  }

  /**
   * What a moment sees of a record; null when it sees what the indexes had, which were asked
   * before.
   *
   * @throws ConflictException with {@code SNAPSHOT_GIVEN_UP}
   */
  @Nullable Version of(Slice key, Snapshots.Moment moment) throws ConflictException {
    requireKept(moment);
    Kept all = kept.get();
    Version newest = all == null ? null : all.newest(key);
    Version seen = newest == null ? null : newest.asOf(moment.number());
    return seen == null && moment.number() <= emptyUpTo ? ABSENT : seen;
  }

  /** From now on moments up to this one cannot be read here any more. */
  void lostUpTo(long moment) {
    lostUpTo = moment;
  }

  /**
   * Throws if the partition is no more as a moment sees it; asked after it was read.
   *
   * @throws ConflictException with {@code SNAPSHOT_GIVEN_UP}
   */
  void requireKept(Snapshots.Moment moment) throws ConflictException {
    if (moment.number() <= lostUpTo) {
      throw new ConflictException(
          ConflictException.Reason.SNAPSHOT_GIVEN_UP,
          "the snapshot shows this store no more, of which a range of keys was deleted since it was"
              + " opened; open another");
    }
  }

  /** To moments up to this one the partition is empty, but for what was saved before. */
  void emptyUpTo(long moment) {
    emptyUpTo = moment;
  }

  /**
   * The number up to which all versions are where readers find them, which only grows; {@link
   * #UNSETTLED} while one is on its way.
   */
  long settled() {
    long there = arrived.get();
    return there == numbers.get() ? there : UNSETTLED;
  }

  /**
   * The keys in a range of which a moment sees a saved version, in the order of the range. What is
   * saved meanwhile may be among them.
   *
   * @param after what was saved as this number or before is left out
   */
  Iterator<Key> keys(KeyRange range, Snapshots.Moment moment, long after) {
    Kept all = kept.get();
    if (all == null) {
      return Collections.emptyIterator();
    }
    boolean down = range.direction() == KeyRange.Direction.DESCENDING;
    KeyBound begin = down ? range.high() : range.low();
    NavigableMap<Place, Version> part = down ? all.versions.descendingMap() : all.versions;
    if (begin.isBounded()) {
      part = part.tailMap(Place.of(Key.ofSlice(begin.key())), begin.isInclusive());
    }
    return part.entrySet().stream()
        .takeWhile(entry -> range.contains(entry.getKey().key().toSlice()))
        .filter(
            entry -> {
              Version seen = entry.getValue().asOf(moment.number());
              return seen != null && seen.number > after;
            })
        .map(entry -> entry.getKey().key())
        .iterator();
  }

  /**
   * Forgets what no moment needs.
   *
   * @param moments those that are open, ascending
   */
  void retain(long[] moments) {
    Kept all = kept.get();
    if (all == null) {
      return;
    }
    if (moments.length == 0) {
      // A writer that learned of a moment before it was closed may still save there, for nobody.
      kept.set(null);
      snapshots.counted(-all.bytes.get());
      return;
    }
    for (Map.Entry<Place, Version> entry : all.versions.entrySet()) {
      Key key = entry.getKey().key();
      Version newest = entry.getValue();
      Version needed = newest.retained(moments);
      long forgotten = Version.bytes(key, newest) - Version.bytes(key, needed);
      assert forgotten >= 0 : forgotten;
      if (forgotten > 0) {
        boolean replaced =
            needed == null
                ? all.versions.remove(entry.getKey(), newest)
                : all.versions.replace(entry.getKey(), newest, needed);
        // A version that a writer has just put before them keeps them until the next time.
        count(all, replaced ? -forgotten : 0);
      }
    }
  }
}
