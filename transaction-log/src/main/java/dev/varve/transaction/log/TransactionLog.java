package dev.varve.transaction.log;

import com.google.errorprone.annotations.MustBeClosed;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The node's log. An append copies a record into a mapped segment under one short lock: no system
 * call, no allocation, and the record survives this process when the append returns. {@link #force}
 * makes it survive a power loss, once for all commits that wait.
 *
 * <p>An LSN is the byte offset of a record in the stream of records, from 0, without headers of
 * segments. No record spans segments: a seal, which names the next one, closes what is left.
 *
 * <p>After the first failed write or force the log refuses every append with the first cause, and
 * every wait for a record that is not durable ends in {@link OutcomeUnknownException}; nothing is
 * retried. A segment that cannot be allocated (a full disk) fails only the appends that need it.
 *
 * <p>Thread-safe. Lock order: leadership of a force, then the append lock, then the waiters'.
 */
public final class TransactionLog implements AutoCloseable {
  /** Times that an appender tries for the lock before it queues: an append is shorter than that. */
  private static final int SPINS = 64;

  private final LogContext context;
  private final LogOptions options;
  private final int maxRecordBytes;
  private final SegmentFiles names;
  private final SegmentPreparer preparer;
  private final GroupForce force;
  private volatile LogReferent referent = () -> {};
  private final BackgroundForce background;
  private final LogContinuation continuation;
  private final ReentrantLock appendLock = new ReentrantLock();
  private final ReentrantLock releaseLock = new ReentrantLock();

  @GuardedBy("appendLock")
  private final RecordEncoder encoder = new RecordEncoder();

  @GuardedBy("appendLock")
  private Segment active;

  @GuardedBy("appendLock")
  private final SealedSegments sealed;

  /** Segments that may hold bytes which are not forced, oldest first, the active one last. */
  @GuardedBy("appendLock")
  private final ArrayDeque<Segment> unforced = new ArrayDeque<>();

  @GuardedBy("appendLock")
  private long records;

  @GuardedBy("appendLock")
  private long bytes;

  @GuardedBy("appendLock")
  private boolean closed;

  /** Written under the append lock, in order with what a reader may look at after it. */
  private final AtomicLong endLsn = new AtomicLong();

  /**
   * Opens a log for appending in a fresh segment, behind what was read of it. Nothing that only the
   * page cache may hold is relied upon: such records are written again, and forced, first. The log
   * is returned while that is done; cursors may read it up to its end meanwhile, but every append
   * and force waits.
   *
   * @param end where the log ended, from a {@link LogCursor}; {@link LogEnd#absent} for a new one
   */
  @MustBeClosed
  public static TransactionLog open(LogContext context, LogOptions options, LogEnd end)
      throws StorageException {
    TransactionLog log = new TransactionLog(context, options, end);
    log.background.start(context.executor());
    return log;
  }

  private TransactionLog(LogContext context, LogOptions options, LogEnd end)
      throws StorageException {
    this.context = context;
    this.options = options;
    this.maxRecordBytes = options.maxRecordBytes();
    this.names = new SegmentFiles(context.files(), context.directory());
    this.continuation = new LogContinuation(context, options, end);
    this.preparer = continuation.preparer();
    this.active = continuation.fresh();
    this.endLsn.set(active.firstLsn);
    this.sealed = new SealedSegments(continuation.chain());
    this.unforced.add(active);
    this.force =
        new GroupForce(
            context.directory().toString(),
            new ForceWaiters(context.executor()::newSignal),
            this::forceAppended);
    this.background = new BackgroundForce(force, this::resume, options, this::endLsn);
  }

  /** The first round: makes durable what was read, and takes the fresh segment into use. */
  private long resume() throws StorageException {
    long durable = continuation.run();
    preparer.start();
    return durable;
  }

  /**
   * Returns once all that was read is durable, and the log takes records.
   *
   * @throws DiskException when that cannot be
   */
  public void awaitOpen() throws DiskException {
    force.awaitBegun();
    StorageException failure = force.failure();
    if (failure != null) {
      String directory = context.directory().toString();
      throw new DiskException(directory, "make the end of the log durable in", failure);
    }
  }

  /** From now on the referent is forced before records are. */
  public void forceFirst(LogReferent newReferent) {
    referent = newReferent;
  }

  /** Appends one operation on one index; returns its LSN. */
  public long appendUpdate(LogUpdate update) throws StorageException {
    int length = checkedLength(RecordLayout.UPDATE_BYTES, update.key(), update.value());
    lockForAppend();
    try {
      Segment segment = makeRoom(length);
      encoder.update(update).at(endLsn());
      return write(segment, length);
    } finally {
      appendLock.unlock();
    }
  }

  /**
   * Appends one operation on one index that is a whole transaction, its commit included; returns
   * the LSN to be waited for.
   *
   * @param value may be empty for a deletion
   * @throws OutcomeUnknownException when the log failed in the middle of the record
   */
  public long appendLoneUpdate(int index, LogOperation operation, Slice key, Slice value)
      throws StorageException {
    int length = checkedLength(RecordLayout.LONE_UPDATE_BYTES, key, value);
    lockForAppend();
    try {
      Segment segment = makeRoom(length);
      encoder.loneUpdate(index, operation, key, value, force.durableLsn()).at(endLsn());
      return writeCommit(segment, length);
    } finally {
      appendLock.unlock();
    }
  }

  private int checkedLength(int headerBytes, Slice key, Slice value) throws LimitException {
    long length = (long) headerBytes + key.length() + value.length();
    if (length > maxRecordBytes) {
      throw new LimitException("log record bytes", length, maxRecordBytes);
    }
    return (int) length;
  }

  @GuardedBy("appendLock")
  private long writeCommit(Segment segment, int length) throws OutcomeUnknownException {
    try {
      return write(segment, length);
    } catch (DiskException e) {
      // The record may be whole in the mapping, and found by recovery.
      throw new OutcomeUnknownException(e);
    }
  }

  /**
   * Appends the end of a transaction that is to survive; returns the LSN to be waited for.
   *
   * @throws OutcomeUnknownException when the log failed in the middle of the record
   */
  public long appendCommit(long transaction, long previousLsn) throws StorageException {
    lockForAppend();
    try {
      Segment segment = makeRoom(RecordLayout.COMMIT_BYTES);
      encoder.commit(transaction, previousLsn, force.durableLsn()).at(endLsn());
      return writeCommit(segment, RecordLayout.COMMIT_BYTES);
    } finally {
      appendLock.unlock();
    }
  }

  /** Appends the end of a transaction that was undone in memory; returns the record's LSN. */
  public long appendAbort(long transaction, long previousLsn) throws StorageException {
    lockForAppend();
    try {
      Segment segment = makeRoom(RecordLayout.ABORT_BYTES);
      encoder.abort(transaction, previousLsn).at(endLsn());
      return write(segment, RecordLayout.ABORT_BYTES);
    } finally {
      appendLock.unlock();
    }
  }

  /** LSN that the next record will get, at least. */
  public long endLsn() {
    return endLsn.getAcquire();
  }

  /** LSN of the oldest record that is kept; a low-water mark lies not below. */
  public long startLsn() {
    appendLock.lock();
    try {
      return sealed.firstLsn(active.firstLsn);
    } finally {
      appendLock.unlock();
    }
  }

  /** Records below this LSN survive a power loss; -1 until the log is open. */
  public long durableLsn() {
    return force.durableLsn();
  }

  /**
   * Returns when the record at an LSN, and every record before it, is durable.
   *
   * @param lsn of an appended record; one that is not appended yet means all that are
   * @throws OutcomeUnknownException when the log failed before that
   */
  public void force(long lsn) throws StorageException {
    force.force(Math.min(lsn, endLsn() - 1));
  }

  /** Returns when a commit is as durable as was asked for. */
  public void await(long commitLsn, Durability durability) throws StorageException {
    switch (durability) {
      case POWER_LOSS -> force(commitLsn);
      case PROCESS_CRASH -> background.request(commitLsn);
      case NONE -> {
        // The append was all that was asked for.
      }
    }
  }

  /** The first failure, after which the log takes no records; null while it is well. */
  public @Nullable StorageException failure() {
    return force.failure();
  }

  /**
   * Makes every later LSN greater than one that was seen elsewhere, as in an index that was loaded
   * while the end of the log was not durable and got lost. Does nothing when that is so already.
   */
  public void skipTo(long lsn) throws StorageException {
    if (endLsn() > lsn) {
      return; // An opening goes on before the log is open.
    }
    lockForAppend();
    try {
      while (endLsn() <= lsn) {
        checkUsable();
        Segment next = preparer.take(!active.wasForced());
        if (next == null) {
          awaitSegment();
        } else {
          switchTo(next, Math.max(lsn + 1, endLsn() + RecordLayout.SEAL_BYTES));
        }
      }
    } finally {
      appendLock.unlock();
    }
  }

  /**
   * Where a checkpoint says that reading starts, for a low-water mark; makes durable what the
   * position relies on. That is no record: the thread that moves the mark up to an LSN knows that
   * nothing below it is needed any more.
   */
  public LogPosition position(long lowWaterMark) throws StorageException {
    if (lowWaterMark < 0 || lowWaterMark > endLsn()) {
      throw new IllegalArgumentException(
          "low-water mark " + lowWaterMark + " is not in a log that ends at " + endLsn());
    }
    List<SegmentSpan> spans;
    appendLock.lock();
    try {
      checkUsable();
      spans = spans();
    } finally {
      appendLock.unlock();
    }
    SegmentSpan span = SegmentSpan.of(spans, lowWaterMark);
    long end = spans.get(spans.size() - 1).endLsn();
    long firstLsn = span.firstLsn();
    long boundary = lowWaterMark == end ? lowWaterMark : firstLsn;
    force.alone(() -> forceHeader(firstLsn));
    long durable = Math.max(boundary, force.durableLsn());
    return new LogPosition(span.segment(), firstLsn, boundary, durable);
  }

  /** Forces the header of a segment unless it was forced; only a leader calls it. */
  private long forceHeader(long firstLsn) throws DiskException {
    Segment found = null;
    appendLock.lock();
    try {
      for (Segment segment : unforced) {
        if (segment.firstLsn == firstLsn && segment.forced == 0) {
          found = segment;
        }
      }
    } finally {
      appendLock.unlock();
    }
    if (found != null) {
      found.force(SegmentLayout.HEADER_BYTES);
    }
    return force.durableLsn();
  }

  /**
   * Recycles or deletes segments wholly below a low-water mark. The caller has made a checkpoint
   * with this mark durable before. Records of them that were not forced by then never are: they
   * count as durable, since no reader will look for it. With the mark at the end of the log no
   * segment is kept for reuse.
   */
  public void release(long lowWaterMark) throws StorageException {
    releaseLock.lock();
    try {
      force.alone(() -> forget(lowWaterMark));
      List<SegmentSpan> dropped;
      boolean empty;
      appendLock.lock();
      try {
        dropped = sealed.removeBelow(lowWaterMark, active.firstLsn);
        empty = endLsn() == lowWaterMark;
      } finally {
        appendLock.unlock();
      }
      // A log that holds nothing any more is one of an engine at rest: it gives the space back.
      int kept = empty ? 0 : options.recycledSegments();
      boolean deleted = preparer.deleteRecyclable(kept);
      for (SegmentSpan span : dropped) {
        Path path = names.path(span.segment());
        if (preparer.recyclable() < kept && options.isSegment(context.files().size(path))) {
          preparer.recycle(path);
        } else {
          context.files().delete(path);
          deleted = true;
        }
      }
      if (deleted) {
        context.files().forceDirectory(context.directory());
      }
    } finally {
      releaseLock.unlock();
    }
  }

  /** Closes segments wholly below a low-water mark without forcing them; only a leader calls it. */
  private long forget(long lowWaterMark) {
    appendLock.lock();
    try {
      long durable = force.durableLsn();
      while (unforced.size() > 1) {
        Segment oldest = unforced.removeFirst();
        long nextFirstLsn = unforced.getFirst().firstLsn;
        if (nextFirstLsn > lowWaterMark) {
          unforced.addFirst(oldest);
          break;
        }
        oldest.close();
        durable = Math.max(durable, nextFirstLsn);
      }
      return durable;
    } finally {
      appendLock.unlock();
    }
  }

  /**
   * A cursor over the records from an LSN to the present end of the log. Releasing what it has yet
   * to read makes it fail.
   */
  @MustBeClosed
  public LogCursor read(long fromLsn) throws StorageException {
    force.awaitBegun();
    List<SegmentSpan> spans = spans();
    SegmentSpan span = SegmentSpan.of(spans, fromLsn);
    long firstLsn = span.firstLsn();
    LogPosition start = new LogPosition(span.segment(), firstLsn, firstLsn, firstLsn);
    return LogCursor.openBounded(context, start, fromLsn, spans.get(spans.size() - 1).endLsn());
  }

  /** What segments hold that recovery would still read, oldest first, the active one last. */
  List<SegmentSpan> spans() {
    appendLock.lock();
    try {
      return sealed.with(new SegmentSpan(active.id(), active.firstLsn, endLsn()));
    } finally {
      appendLock.unlock();
    }
  }

  /** What the log has done since it was opened. */
  public LogStats stats() {
    appendLock.lock();
    try {
      return new LogStats(
          records,
          bytes,
          force.rounds(),
          force.shared(),
          preparer.zeroedSegments(),
          preparer.recycledSegments(),
          preparer.waits(),
          sealed.size() + 1);
    } finally {
      appendLock.unlock();
    }
  }

  /**
   * Forces what is appended and closes the files; idempotent. A log that has failed is closed
   * without another force.
   */
  @Override
  public void close() throws StorageException {
    appendLock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
    } finally {
      appendLock.unlock();
    }
    force.awaitBegun();
    background.close();
    preparer.close();
    try {
      if (force.failure() == null) {
        force.force(endLsn() - 1);
      }
    } finally {
      force.close();
      continuation.close();
      appendLock.lock();
      try {
        unforced.forEach(Segment::close);
        unforced.clear();
      } finally {
        appendLock.unlock();
      }
    }
  }

  private void lockForAppend() {
    force.awaitBegun();
    for (int i = 0; i < SPINS; i++) {
      if (appendLock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    appendLock.lock();
  }

  /** Returns the active segment with room for a record; may let go of the lock meanwhile. */
  @GuardedBy("appendLock")
  private Segment makeRoom(int length) throws StorageException {
    while (true) {
      checkUsable();
      Segment segment = active;
      if (segment.position + length <= segment.limit()) {
        return segment;
      }
      Segment next = preparer.take(!active.wasForced());
      if (next == null) {
        awaitSegment();
      } else {
        switchTo(next, endLsn() + RecordLayout.SEAL_BYTES);
      }
    }
  }

  @GuardedBy("appendLock")
  private void awaitSegment() throws StorageException {
    appendLock.unlock();
    try {
      preparer.awaitReady();
    } finally {
      appendLock.lock();
    }
  }

  /** Seals the active segment and takes the next into use. */
  @GuardedBy("appendLock")
  private void switchTo(Segment next, long firstLsn) throws DiskException {
    Segment previous = active;
    // Listed first, so that it is closed with the others also when a put fails.
    next.position = SegmentLayout.HEADER_BYTES;
    next.firstLsn = firstLsn;
    unforced.add(next);
    SegmentHeader header =
        new SegmentHeader(context.storeId(), next.id(), firstLsn, force.durableLsn(), next.bytes());
    encoder.seal(header, header.durableLsn()).at(endLsn());
    long end = endLsn() + RecordLayout.SEAL_BYTES;
    put(previous, RecordLayout.SEAL_BYTES);
    previous.sealed = true;
    encoder.header(header);
    try {
      next.put(0, encoder.bytes(), 0, SegmentLayout.HEADER_BYTES);
    } catch (DiskException e) {
      force.fail(e);
      throw e;
    }
    sealed.add(new SegmentSpan(previous.id(), previous.firstLsn, end));
    active = next;
    endLsn.setRelease(firstLsn);
    // Also when no commit asks for durability, the log does not wait for ever.
    background.request(end - 1);
  }

  @GuardedBy("appendLock")
  private void checkUsable() throws DiskException {
    if (closed) {
      throw new IllegalStateException("the log is closed");
    }
    force.checkForAppend();
  }

  @GuardedBy("appendLock")
  private long write(Segment segment, int length) throws DiskException {
    put(segment, length);
    long lsn = endLsn();
    endLsn.setRelease(lsn + length);
    return lsn;
  }

  @GuardedBy("appendLock")
  private void put(Segment segment, int length) throws DiskException {
    try {
      encoder.putInto(segment);
    } catch (DiskException e) {
      force.fail(e);
      throw e;
    }
    segment.position += length;
    records++;
    bytes += length;
  }

  /** One round of group commit; only the leader calls it. */
  private long forceAppended() throws DiskException {
    Segment[] segments;
    int position;
    long end;
    appendLock.lock();
    try {
      segments = unforced.toArray(new Segment[0]);
      position = active.position;
      end = endLsn();
    } finally {
      appendLock.unlock();
    }
    referent.force();
    // All but the last, the active one, were sealed when the snapshot was taken.
    int last = segments.length - 1;
    for (int i = 0; i < last; i++) {
      segments[i].forceSealed();
    }
    segments[last].force(position);
    // Before anybody is told that they are acknowledged; durably where a segment has its first.
    continuation.marks().put(end);
    if (force.durableLsn() <= segments[last].firstLsn) {
      continuation.marks().force();
    }
    appendLock.lock();
    try {
      for (int i = 0; i < last; i++) {
        Segment forced = unforced.removeFirst();
        assert forced == segments[i] && forced.sealed && forced.forced == forced.position;
        forced.close();
      }
    } finally {
      appendLock.unlock();
    }
    return end;
  }
}
