package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.value.LargeValues;
import dev.varve.dataset.internal.value.ValueMark;
import dev.varve.dataset.model.FilterRange;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives back the space of large values that nobody can read any more. It goes through all keys as
 * of a moment, and reads none of the values. A file that none refers to is deleted once nobody
 * reads as of an earlier moment, and what replaced its values is durable. A file of which much is
 * garbage is emptied before: its values are written again, each as a change of its own under the
 * lock of its key. A reader who finds a file gone looks its key up again. Thread-safe.
 */
public final class ValueReclaim {
  /** Keys that are looked at in one step, during which the partition cannot be closed. */
  private static final int KEYS_OF_STEP = 1024;

  /** Bytes that are written again in one step. */
  private static final long BYTES_OF_STEP = 4 << 20;

  /** A look is due when so many bytes for one were put. */
  private static final int PUT_PART = 8;

  private final PartitionLifecycle lifecycle;
  private final NodeContext node;
  private final LargeValues values;
  private final int stampBytes;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private @Nullable Look look;

  @GuardedBy("lock")
  private long putBytesBefore;

  @GuardedBy("lock")
  private long writeMarkBefore;

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

  /** Whether so much was put that a look at all keys is worth it. */
  public boolean isDue() {
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
    lock.lock();
    try {
      return look != null || (values.bytes() > 0 && writeMark() != writeMarkBefore);
    } finally {
      lock.unlock();
    }
  }

  /** Begins a look unless one is under way, and goes on with it; false at its end. */
  public boolean step() throws StorageException {
    lock.lock();
    try {
      if (look == null) {
        putBytesBefore = values.putBytes();
        writeMarkBefore = writeMark();
        begin(false);
      }
      boolean more = false;
      try {
        more = look != null && goOn(look);
      } finally {
        if (!more) {
          end();
        }
      }
      return more;
    } finally {
      lock.unlock();
    }
  }

  /** Looks at all keys now, and again if one was under way. */
  void run() throws StorageException {
    lock.lock();
    try {
      end();
      while (step()) {
        assert look != null : "more of nothing";
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives up what is under way. */
  public void end() {
    lock.lock();
    try {
      Look ended = look;
      look = null;
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
      return empty(now, emptied);
    }
    if (see(now)) {
      return true;
    }
    now.moment.requireOpen();
    if (node.snapshots().isOldest(now.moment)) {
      makeDurable();
      now.mark.deleteDead();
    }
    Set<Long> next = now.last ? Set.of() : now.mark.toBeEmptied();
    now.emptied = next;
    now.left = KeyRange.all();
    return !next.isEmpty();
  }

  /** What replaced the values of the dead files must not be taken back by a crash. */
  private void makeDurable() throws StorageException {
    if (node.durability() == Durability.NONE) {
      PartitionIndexes indexes = lifecycle.enterRead();
      try {
        indexes.flush();
      } finally {
        lifecycle.users().leaveRead();
      }
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
      while (seen < KEYS_OF_STEP && cursor.next()) {
        now.mark.see(reference(cursor.value()));
        seen++;
        if (seen == KEYS_OF_STEP) {
          now.left = behind(cursor.key());
        }
      }
    }
    return seen == KEYS_OF_STEP;
  }

  /** Writes the next values of some files again; false when there are no more. */
  @GuardedBy("lock")
  private boolean empty(Look now, Set<Long> files) throws StorageException {
    List<Slice> keys = new ArrayList<>();
    long bytes = 0;
    int seen = 0;
    try (PrimaryCursor cursor = scan(now.left, ReadView.COMMITTED)) {
      while (seen < KEYS_OF_STEP && bytes < BYTES_OF_STEP && cursor.next()) {
        seen++;
        if (ValueMark.isIn(files, reference(cursor.value()))) {
          keys.add(new Slice(cursor.key().toByteArray()));
          bytes += ValueMark.lengthOf(reference(cursor.value()));
        }
        now.left = behind(cursor.key());
      }
    }
    try (SessionWriter session = new SessionWriter(lifecycle, Durability.NONE)) {
      for (Slice key : keys) {
        session.move(key, stored -> movedOutOf(files, now.mark, stored));
        session.force();
      }
    }
    if (seen > 0) {
      return true;
    }
    end();
    begin(true);
    return look != null;
  }

  private byte @Nullable [] movedOutOf(Set<Long> files, ValueMark mark, byte @Nullable [] stored)
      throws StorageException {
    if (stored == null || !ValueMark.isIn(files, reference(new Slice(stored)))) {
      return stored;
    }
    byte[] moved = stored.clone();
    Slice written = mark.writeAgain(reference(new Slice(stored)));
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
