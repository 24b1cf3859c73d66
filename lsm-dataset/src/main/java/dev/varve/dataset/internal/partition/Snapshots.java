package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.Clock;
import dev.varve.common.error.ConflictException;
import dev.varve.transaction.log.Durability;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * The moments as of which readers of a node look at its records. A moment is a number; a change is
 * on one side of it or the other, whatever it changes: in the moment when it was decided before the
 * moment was opened, else after it. While a moment is open, whoever changes a record keeps the
 * version from before for it ({@link SavedVersions}), so that readers and writers do not wait for
 * each other. Thread-safe.
 *
 * <p>Implementation note. A transaction is decided when its commit is durable, with all of its
 * locks held, under the lock under which moments are opened; so a reader of a moment can tell. A
 * single change of a session is decided when its record is locked, by a look at {@link #newest};
 * one that was decided and is not in memory yet when a moment is opened is waited for ({@link
 * Steps}). From then on a record that nobody has locked, and of which no version is saved, is as it
 * was at the moment.
 */
public final class Snapshots {
  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 20_000;

  /** A reader gives up after these: the change that it waits for may wait for the reader. */
  private static final int STEP_LOOKS = SPINS + 200;

  /** So many moments may close before the versions that only they needed are looked for. */
  private static final int CLOSED_BEFORE_PRUNING = 64;

  private final Clock clock;
  private final long mostSavedBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Steps> writers = ConcurrentHashMap.newKeySet();
  private final Set<SavedVersions> partitions = ConcurrentHashMap.newKeySet();
  private final AtomicLong savedBytes = new AtomicLong();

  /** The number of the moment that was opened last, as long as any is open; else 0. */
  private volatile long newest;

  /** Changed under the lock. */
  private volatile Durability promised = Durability.NONE;

  @GuardedBy("lock")
  private long last;

  @GuardedBy("lock")
  private final TreeMap<Long, Moment> open = new TreeMap<>();

  @GuardedBy("lock")
  private int closedSincePruning;

  /** The latest wall-clock time that was seen: what has ended by it stays so in this process. */
  @GuardedBy("lock")
  private long latestMillis = Long.MIN_VALUE;

  /**
   * No moment is open.
   *
   * @param mostSavedBytes bytes of saved versions at which the oldest moment is given up
   */
  public Snapshots(Clock clock, long mostSavedBytes) {
    this.clock = clock;
    this.mostSavedBytes = mostSavedBytes;
  }

  /** A moment that readers look at. Thread-safe. */
  public static final class Moment {
    private final long number;
    private final long openedNanos;
    private final long openedMillis;
    private final String thread = Thread.currentThread().getName();

    /** Set before the state says that it was given up. */
    private volatile String reason =
        "the older versions that open snapshots need had grown beyond snapshotBytes; open another,"
            + " for a shorter time, or give it more";

    private volatile State state = State.OPEN;

    private enum State {
      OPEN,
      CLOSED,
      GIVEN_UP
    }

    private Moment(long number, long openedNanos, long openedMillis) {
      this.number = number;
      this.openedNanos = openedNanos;
      this.openedMillis = openedMillis;
    }

    /** Wall-clock time by which its readers see what has come to its end. */
    long openedMillis() {
      return openedMillis;
    }

    /** Counts the moments of a node, from 1. */
    long number() {
      return number;
    }

    /**
     * What was read as of it counts only if this does not throw afterwards.
     *
     * @throws ConflictException with {@code SNAPSHOT_GIVEN_UP}
     * @throws IllegalStateException when it was closed
     */
    void requireOpen() throws ConflictException {
      if (state == State.GIVEN_UP) {
        throw new ConflictException(
            ConflictException.Reason.SNAPSHOT_GIVEN_UP,
            "the snapshot that thread '" + thread + "' has opened was given up: " + reason);
      }
      if (state == State.CLOSED) {
        throw new IllegalStateException("the snapshot is closed");
      }
    }
  }

  /** The calls of one session, as far as others wait for them: odd while one is at work. */
  static final class Steps {
    private final AtomicInteger count = new AtomicInteger();

    /** A change begins that will look at {@link Snapshots#newest}. */
    void begin() {
      assert (count.get() & 1) == 0 : "one change at a time";
      count.set(count.get() | 1);
    }

    /** The change is in memory, or will not be; or has to begin again. */
    void end() {
      int now = count.get();
      if ((now & 1) != 0) {
        count.setRelease(now + 1);
      }
    }

    /** Waits for the call that is at work, if any; false when it still is after so many looks. */
    private boolean await(int mostLooks) {
      int first = count.get();
      for (int looks = 0; (first & 1) != 0 && count.get() == first; looks++) {
        if (looks == mostLooks) {
          return false;
        }
        if (looks < SPINS) {
          Thread.onSpinWait();
        } else {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
      return true;
    }
  }

  /** The calls of a new session, which promises so much; {@link #left} ends them. */
  Steps joined(Durability durability) {
    lock.lock();
    try {
      if (durability.compareTo(promised) < 0) {
        promised = durability;
      }
    } finally {
      lock.unlock();
    }
    Steps steps = new Steps();
    writers.add(steps);
    return steps;
  }

  /**
   * Waits, for some milliseconds at most, for the single changes that are at work.
   *
   * @return whether all of them are in memory by now and committed, or taken back
   */
  boolean stepsEnded() {
    return writers.stream().allMatch(steps -> steps.await(STEP_LOOKS));
  }

  /** The most that any session has promised so far. */
  Durability promised() {
    return promised;
  }

  /** The session has ended. */
  void left(Steps steps) {
    writers.remove(steps);
  }

  /** Opens the moment that is now; the caller closes it. */
  public Moment open() {
    Moment moment;
    lock.lock();
    try {
      moment = new Moment(++last, clock.nanoTime(), nowMillis());
      open.put(moment.number, moment);
      newest = moment.number;
    } finally {
      lock.unlock();
    }
    VarHandle.fullFence();
    writers.forEach(steps -> steps.await(Integer.MAX_VALUE));
    return moment;
  }

  /** Wall-clock time that does not go back. */
  @GuardedBy("lock")
  private long nowMillis() {
    latestMillis = Math.max(latestMillis, clock.currentTimeMillis());
    return latestMillis;
  }

  /**
   * What has come to its end by this wall-clock time has done so for everybody: readers of now, of
   * the moments that are open, and of those that are opened later.
   */
  long expiryMillis() {
    lock.lock();
    try {
      long now = nowMillis();
      return open.isEmpty() ? now : Math.min(now, open.firstEntry().getValue().openedMillis);
    } finally {
      lock.unlock();
    }
  }

  /** Nobody reads as of a moment any more; idempotent. */
  public void close(Moment moment) {
    end(moment, Moment.State.CLOSED);
  }

  private void end(Moment moment, Moment.State how) {
    lock.lock();
    try {
      if (moment.state != Moment.State.OPEN) {
        return;
      }
      moment.state = how;
      boolean oldest = open.firstKey() == moment.number;
      Moment ended = open.remove(moment.number);
      assert ended == moment : "a moment of another node";
      if (open.isEmpty()) {
        newest = 0;
      }
      closedSincePruning++;
      if (oldest || closedSincePruning >= CLOSED_BEFORE_PRUNING) {
        prune();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void prune() {
    closedSincePruning = 0;
    long[] needed = open.keySet().stream().mapToLong(Long::longValue).toArray();
    partitions.forEach(partition -> partition.retain(needed));
    if (open.isEmpty()) {
      // With what late writers have saved for nobody.
      savedBytes.set(0);
    }
  }

  /**
   * The newest open moment, or 0: what a change saves that is not in any open moment. Whoever asks
   * has locked what it changes, and changes it only after it has saved the version from before.
   */
  long newest() {
    return newest;
  }

  /**
   * Something is in all moments that are opened from now on, and in none before.
   *
   * @param change is given the number of the last moment, open or not
   * @return the newest open moment, or 0
   */
  long decide(LongConsumer change) {
    lock.lock();
    try {
      change.accept(last);
      return newest;
    } finally {
      lock.unlock();
    }
  }

  /** A partition saves its first version. */
  void saves(SavedVersions partition) {
    partitions.add(partition);
  }

  /** Versions were saved, or forgotten if negative. */
  void counted(long bytes) {
    if (savedBytes.addAndGet(bytes) > mostSavedBytes && bytes > 0) {
      giveUpOldest();
    }
  }

  private void giveUpOldest() {
    lock.lock();
    try {
      if (savedBytes.get() > mostSavedBytes && closedSincePruning > 0) {
        prune();
      }
      while (savedBytes.get() > mostSavedBytes && !open.isEmpty()) {
        end(open.firstEntry().getValue(), Moment.State.GIVEN_UP);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives all open moments up, since something changes of which no version is saved.
   *
   * @param reason what their readers are told
   */
  public void giveUpAll(String reason) {
    lock.lock();
    try {
      while (!open.isEmpty()) {
        Moment oldest = open.firstEntry().getValue();
        oldest.reason = reason;
        end(oldest, Moment.State.GIVEN_UP);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The number of the oldest moment that is open; {@link Long#MAX_VALUE} when none is. */
  long oldest() {
    lock.lock();
    try {
      return open.isEmpty() ? Long.MAX_VALUE : open.firstKey();
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of the versions that are saved, about. */
  public long savedBytes() {
    return savedBytes.get();
  }

  /** Whether versions are saved for a moment that was opened so long ago, in nanoseconds. */
  public boolean keepFor(long nanos) {
    if (savedBytes.get() == 0) {
      return false;
    }
    lock.lock();
    try {
      Map.Entry<Long, Moment> oldest = open.firstEntry();
      return oldest != null && clock.nanoTime() - oldest.getValue().openedNanos >= nanos;
    } finally {
      lock.unlock();
    }
  }

  /** The moments that are open, the oldest first, as text: by whom, and for how long. */
  public List<String> list() {
    long now = clock.nanoTime();
    lock.lock();
    try {
      return open.values().stream()
          .map(
              moment ->
                  "opened by thread '"
                      + moment.thread
                      + "' "
                      + (now - moment.openedNanos) / 1_000_000
                      + " ms ago")
          .toList();
    } finally {
      lock.unlock();
    }
  }
}
