package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.value.LargeValues;
import dev.varve.dataset.internal.value.ValueMark;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.LargeValueStats;
import dev.varve.dataset.model.LargeValueStats.Activity;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.budget.IoPurpose;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gives back the space of large values that nobody can read any more. It goes through all keys as
 * of a moment, and reads none of the values. A file that none refers to is deleted once nobody
 * reads as of an earlier moment, and what replaced its values is durable. A file of which much is
 * garbage is emptied before: its values are written again, each as a change of its own under the
 * lock of its key. A reader who finds a file gone looks its key up again. What it reads and writes
 * is charged to the I/O budget, behind flushes and merges: the keys that it passes, and once each
 * value that it writes again. Thread-safe.
 */
public final class ValueReclaim {
  /** What {@link #step} says at the end of a look. */
  public static final long ENDED = -1;

  /** Keys that are looked at in one step, during which the partition cannot be closed. */
  private static final int KEYS_OF_STEP = 1024;

  /** Bytes that are passed or written again in one step, about. */
  private static final long BYTES_OF_STEP = 4 << 20;

  /** A look is due when so many bytes for one were put. */
  private static final int PUT_PART = 8;

  private static final double NANOS_PER_SECOND = 1e9;

  private final PartitionLifecycle lifecycle;
  private final NodeContext node;
  private final LargeValues values;
  private final int stampBytes;

  /** Held during a step. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Held by whoever waits for a look, steps or not: one at a time. */
  private final ReentrantLock runLock = new ReentrantLock();

  /**
   * Files that nobody refers to, and the number of the moment as of which that was so: readers as
   * of an earlier one need them.
   */
  private final Map<Long, Long> kept = new ConcurrentHashMap<>();

  @GuardedBy("lock")
  private @Nullable Look look;

  @GuardedBy("lock")
  private long putBytesBefore;

  @GuardedBy("lock")
  private long writeMarkBefore;

  /** What the step that is under way has to pay for. */
  @GuardedBy("lock")
  private long charged;

  private final AtomicLong rewrittenBytes = new AtomicLong();

  private volatile Activity activity = Activity.RESTING;
  private volatile String failure = "";

  /** Whether nothing was tried since the failure. */
  private volatile boolean failed;

  private volatile @Nullable Known known;
  private volatile boolean awaited;

  /** All keys are looked at once or, where files are emptied, again afterwards. */
  private static final class Look {
    private final ValueMark mark;
    private final Snapshots.Moment moment;

    /** Nothing is emptied after it, or writers who are as fast would keep it going. */
    private final boolean last;

    /** Files that are being emptied, once all was seen. */
    private @Nullable Set<Long> emptied;

    private KeyRange left = KeyRange.all();

    private Look(ValueMark mark, Snapshots.Moment moment, boolean last) {
      this.mark = mark;
      this.moment = moment;
      this.last = last;
    }
  }

  /**
   * What was found out.
   *
   * @param mark which was shown all keys
   * @param nanos when the last of them
   */
  private record Known(ValueMark mark, long nanos) {}

  /** That of a partition; null where there are no large values. */
  static @Nullable ValueReclaim of(PartitionLifecycle lifecycle) {
    LargeValues large = lifecycle.form.large();
    return large == null ? null : new ValueReclaim(lifecycle, large);
  }

  private ValueReclaim(PartitionLifecycle lifecycle, LargeValues values) {
    this.lifecycle = lifecycle;
    this.node = lifecycle.node();
    this.values = values;
    this.stampBytes = Expiry.stampBytes(lifecycle.descriptor().options());
  }

  /** Whether the partition is open, for readers and writers. */
  public boolean isOpen() {
    return lifecycle.openIndexes() != null && !lifecycle.keptOut();
  }

  /** A number that a write or flush changes. */
  public long writeMark() {
    PartitionIndexes open = lifecycle.openIndexes();
    return open == null ? 0 : open.primary().state().writeMark();
  }

  /** Whether so much was put that a look at all keys is worth it, which nobody waits for. */
  public boolean isDue() {
    if (awaited) {
      return false;
    }
    lock.lock();
    try {
      long put = values.putBytes() - putBytesBefore;
      return look != null || put >= Math.max(values.fileBytes(), values.bytes() / PUT_PART);
    } finally {
      lock.unlock();
    }
  }

  /** Whether something was written since the last look. */
  public boolean isDueAtRest() {
    if (awaited) {
      return false;
    }
    lock.lock();
    try {
      return look != null || (values.bytes() > 0 && writeMark() != writeMarkBefore);
    } finally {
      lock.unlock();
    }
  }

  /** Whether what was tried last has failed, so that there is reason to try it again. */
  public boolean hasFailed() {
    return failed && !awaited;
  }

  /** What there is, what is known of it, and what is done. */
  public LargeValueStats stats() {
    Known last = known;
    return new LargeValueStats(
        values.files(),
        values.bytes(),
        last == null ? 0 : last.mark.liveBytes(),
        last == null ? 0 : last.mark.deadBytes(),
        last == null ? -1 : (node.clock().nanoTime() - last.nanos) / NANOS_PER_SECOND,
        keptBytes(),
        rewrittenBytes.get(),
        values.deletedBytes(),
        activity,
        failure);
  }

  /** Bytes of files that stay for snapshots alone. */
  public long keptBytes() {
    return kept.isEmpty() ? 0 : values.bytes(kept.keySet());
  }

  /**
   * Begins a look unless one is under way, and goes on with it when it is its turn in the I/O
   * budget.
   *
   * @return nanoseconds until the next step; {@link #ENDED} at the end
   */
  public long step() throws StorageException {
    lock.lock();
    try {
      IoBudget budget = node.environment().budget();
      long wait = budget.begin(IoPurpose.RECLAIM, node.clock().nanoTime());
      if (wait > 0) {
        activity = Activity.WAITING;
        return wait;
      }
      charged = 0;
      try {
        return goOn() ? 0 : ENDED;
      } finally {
        budget.end(IoPurpose.RECLAIM, charged, node.clock().nanoTime());
      }
    } finally {
      lock.unlock();
    }
  }

  private void failed(StorageException cause) {
    failure = String.valueOf(cause.getMessage());
    failed = true;
  }

  /** False at the end, whatever it is. */
  @GuardedBy("lock")
  private boolean goOn() throws StorageException {
    boolean more = false;
    failed = false;
    try {
      if (look == null) {
        putBytesBefore = values.putBytes();
        writeMarkBefore = writeMark();
        begin(false);
      }
      more = look != null && goOn(look);
      if (!more) {
        failure = "";
      }
    } catch (StorageException e) {
      failed(e);
      throw e;
    } finally {
      if (!more) {
        end();
      }
    }
    return more;
  }

  /** Looks at all keys now, and again if one was under way. */
  void run() throws StorageException {
    runLock.lock();
    try {
      awaited = true;
      end();
      for (long wait = step(); wait != ENDED; wait = step()) {
        if (wait > 0) {
          awaitTurn(wait);
        }
      }
    } finally {
      awaited = false;
      runLock.unlock();
    }
  }

  private void awaitTurn(long nanos) throws ConflictException {
    if (node.progress().await(() -> false, nanos) == Signal.Outcome.INTERRUPTED) {
      throw new ConflictException(
          ConflictException.Reason.INTERRUPTED,
          "interrupted while space of large values was given back, which goes on later");
    }
    node.health().requireOpen();
  }

  /** Gives up what is under way. */
  public void end() {
    lock.lock();
    try {
      Look ended = look;
      look = null;
      activity = Activity.RESTING;
      if (ended != null) {
        node.snapshots().close(ended.moment);
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void begin(boolean last) {
    ValueMark mark = new ValueMark(values);
    look = mark.isEmpty() ? null : new Look(mark, node.snapshots().open(), last);
  }

  @GuardedBy("lock")
  private boolean goOn(Look now) throws StorageException {
    Set<Long> emptied = now.emptied;
    if (emptied != null) {
      activity = Activity.EMPTYING;
      return empty(now, emptied);
    }
    activity = Activity.LOOKING;
    if (see(now)) {
      return true;
    }
    now.moment.requireOpen();
    known = new Known(now.mark, node.clock().nanoTime());
    now.mark.dead().forEach(file -> kept.putIfAbsent(file, now.moment.number()));
    deleteKept();
    // What is written again is saved for the snapshots of others only.
    node.snapshots().close(now.moment);
    Set<Long> next = now.last ? Set.of() : now.mark.toBeEmptied();
    now.emptied = next;
    now.left = KeyRange.all();
    return !next.isEmpty();
  }

  /** Whether there are files that nobody needs any more, since the snapshots from before are. */
  public boolean isFreed() {
    return !kept.isEmpty() && !awaited && !free().isEmpty();
  }

  /** Deletes the files that no snapshot from before needs any more. */
  public void deleteFreed() throws StorageException {
    lock.lock();
    try {
      deleteKept();
    } catch (StorageException e) {
      failed(e);
      throw e;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void deleteKept() throws StorageException {
    Set<Long> free = free();
    if (free.isEmpty()) {
      return;
    }
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      makeDurable(indexes);
      values.delete(free);
      kept.keySet().removeAll(free);
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  private Set<Long> free() {
    long oldest = node.snapshots().oldest();
    return kept.entrySet().stream()
        .filter(file -> file.getValue() <= oldest)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** What replaced the values of the dead files must not be taken back by a crash. */
  private void makeDurable(PartitionIndexes indexes) throws StorageException {
    if (node.durability() == Durability.NONE) {
      indexes.flush();
    }
    long end = node.log().endLsn();
    if (end > 0) {
      node.log().force(end - 1);
    }
  }

  /** Looks at the next keys; false at the end. */
  @GuardedBy("lock")
  private boolean see(Look now) throws StorageException {
    int seen = 0;
    try (PrimaryCursor cursor = scan(now.left, ReadView.asOf(now.moment))) {
      while (cursor.next()) {
        now.mark.see(reference(cursor.value()));
        if (isEnough(cursor, ++seen)) {
          now.left = behind(cursor.key());
          return true;
        }
      }
    }
    return false;
  }

  /** Writes the next values of some files again; false when there are no more. */
  @GuardedBy("lock")
  private boolean empty(Look now, Set<Long> files) throws StorageException {
    List<Slice> keys = new ArrayList<>();
    int seen = 0;
    boolean more = false;
    try (PrimaryCursor cursor = scan(now.left, ReadView.COMMITTED)) {
      while (!more && cursor.next()) {
        if (ValueMark.isIn(files, reference(cursor.value()))) {
          keys.add(new Slice(cursor.key().toByteArray()));
          charged += ValueMark.lengthOf(reference(cursor.value()));
        }
        more = isEnough(cursor, ++seen);
        if (more) {
          now.left = behind(cursor.key());
        }
      }
    }
    try (SessionWriter session = new SessionWriter(lifecycle, Durability.NONE)) {
      for (Slice key : keys) {
        session.move(key, stored -> movedOutOf(files, now.mark, stored));
        session.force();
      }
    }
    if (more) {
      return true;
    }
    end();
    begin(true);
    return look != null;
  }

  /** Charges for an entry that was passed; whether the step ends with it. */
  @GuardedBy("lock")
  private boolean isEnough(PrimaryCursor cursor, int seen) {
    charged += cursor.key().length() + cursor.value().length();
    long most = Math.min(BYTES_OF_STEP, node.environment().budget().batchBytes());
    return seen == KEYS_OF_STEP || charged >= most;
  }

  private byte @Nullable [] movedOutOf(Set<Long> files, ValueMark mark, byte @Nullable [] stored)
      throws StorageException {
    if (stored == null || !ValueMark.isIn(files, reference(new Slice(stored)))) {
      return stored;
    }
    byte[] moved = stored.clone();
    Slice written = mark.writeAgain(reference(new Slice(stored)));
    rewrittenBytes.addAndGet(ValueMark.lengthOf(written));
    System.arraycopy(written.bytes(), written.offset(), moved, 0, written.length());
    return moved;
  }

  /** What is stored without the end of its life. */
  private Slice reference(Slice stored) {
    return new Slice(stored.bytes(), stored.offset(), Math.max(0, stored.length() - stampBytes));
  }

  private static KeyRange behind(Slice key) {
    return KeyRange.greaterThan(key.toByteArray());
  }

  @SuppressWarnings("MustBeClosedChecker") // closed by the caller
  private PrimaryCursor scan(KeyRange range, ReadView view) throws StorageException {
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      return new PrimaryCursor(
          lifecycle, indexes.primary(), range, FilterRange.NONE, view, StoredForm.RAW);
    } catch (StorageException | RuntimeException | Error e) {
      lifecycle.users().leaveRead();
      throw e;
    }
  }
}
