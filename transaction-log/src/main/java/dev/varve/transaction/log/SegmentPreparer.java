package dev.varve.transaction.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.MappedRegion;
import dev.varve.common.env.Signal;
import dev.varve.common.env.StorageFile;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one segment ready ahead of the active one, so that a switch needs neither zero-writing nor
 * a system call. A released segment is renamed where there is one; otherwise a file is written with
 * zeros, so that a full disk shows here and not in the middle of a record. The segment is handed
 * over only when its bytes and its directory entry are durable. Thread-safe; one thread at a time
 * steps it.
 */
final class SegmentPreparer implements Worker {
  private static final Logger LOGGER = LogManager.getLogger(SegmentPreparer.class);

  /**
   * Zeros written by one call. A kernel that caches files in large folios (ext4 since Linux 6.16)
   * makes them as large as the call that writes them, and dirties all of a folio when one page of
   * it is written through a mapping: with calls of 1 MiB, forcing a record of 150 bytes wrote a
   * megabyte. With single pages each page written costs a fault and an interrupt of the other
   * processors; this is in between.
   */
  private static final byte[] ZEROS = new byte[16 << 10];

  /** Bytes written per step: bounded, so that a step ends soon. */
  private static final int STEP_BYTES = 256 << 10;

  private final LogContext context;
  private final SegmentFiles names;
  private final int segmentBytes;
  private final Signal ready;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final ArrayDeque<Path> released = new ArrayDeque<>();

  /** The segment that an appender may take; written by the worker, cleared by the taker. */
  private volatile @Nullable Segment spare;

  private volatile @Nullable StorageException failure;

  /** Attempts that ended without a segment; a waiting appender watches it. */
  private final AtomicLong failedAttempts = new AtomicLong();

  private volatile boolean prefaults;
  private volatile boolean retry;
  private volatile boolean closed;
  private TaskExecutor.@Nullable Handle handle;

  // State of the worker: the file being written, and how far.
  private long nextId;
  private @Nullable StorageFile zeroing;
  private long zeroed;

  private final AtomicLong zeroedSegments = new AtomicLong();
  private final AtomicLong recycledSegments = new AtomicLong();
  private final AtomicLong waits = new AtomicLong();

  /**
   * A preparer that has nothing ready.
   *
   * @param nextId the id of the next segment, above all that were ever seen
   */
  SegmentPreparer(LogContext context, int segmentBytes, long nextId) {
    this.context = context;
    this.names = new SegmentFiles(context.files(), context.directory());
    this.segmentBytes = segmentBytes;
    this.nextId = nextId;
    this.ready = context.executor().newSignal();
  }

  /** Lets the executor run it from now on. */
  void start() {
    TaskExecutor.Handle started = context.executor().start(this);
    handle = started;
    started.wake();
  }

  /** Offers a file of the right length, wholly below the low-water mark, for reuse. */
  void recycle(Path path) {
    lock.lock();
    try {
      released.add(path);
    } finally {
      lock.unlock();
    }
    wake();
  }

  /** Deletes files that wait for reuse until so many are left; whether any was. */
  boolean deleteRecyclable(int left) throws StorageException {
    boolean deleted = false;
    while (true) {
      Path path;
      lock.lock();
      try {
        path = released.size() > left ? released.pollLast() : null;
      } finally {
        lock.unlock();
      }
      if (path == null) {
        return deleted;
      }
      context.files().delete(path);
      deleted = true;
    }
  }

  /** Files waiting for reuse. */
  int recyclable() {
    lock.lock();
    try {
      return released.size();
    } finally {
      lock.unlock();
    }
  }

  /** Prepares a segment on the calling thread; only before {@link #start}. */
  Segment prepareNow() throws StorageException {
    while (true) {
      step();
      Segment prepared = take(false);
      if (prepared != null) {
        return prepared;
      }
    }
  }

  /**
   * The prepared segment, or null when there is none yet; only one thread at a time takes.
   *
   * @param prefaultNext whether the pages of the segment after it are made writable before it is
   *     taken, which saves appenders their page faults. Where records are forced one by one it
   *     would have pages written back for nothing, and where a segment lasts for long as well.
   */
  @Nullable Segment take(boolean prefaultNext) {
    Segment taken = spare;
    if (taken != null) {
      spare = null;
      prefaults = prefaultNext;
      wake();
    }
    return taken;
  }

  /**
   * Waits until a segment is ready.
   *
   * @throws StorageException when an attempt that ran meanwhile failed
   */
  void awaitReady() throws StorageException {
    waits.incrementAndGet();
    long seen = failedAttempts.get();
    retry = true;
    wake();
    boolean interrupted = false;
    // An interrupt does not shorten the wait: it is bounded by the writing of one segment.
    while (spare == null && failedAttempts.get() == seen && !closed) {
      if (ready.await(() -> spare != null || failedAttempts.get() != seen || closed, Signal.FOREVER)
          == Signal.Outcome.INTERRUPTED) {
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    StorageException cause = failure;
    if (spare == null && !closed && cause != null) {
      throw new DiskException(context.directory().toString(), "allocate a log segment in", cause);
    }
  }

  @Override
  public String name() {
    return "varve-log-segments";
  }

  @Override
  public int doWork() {
    if (closed || spare != null || (failure != null && !retry)) {
      return 0;
    }
    try {
      step();
      if (spare != null) {
        ready.raise();
      }
    } catch (StorageException e) {
      LOGGER.warn("no log segment prepared, appends fail once the active one is full", e);
      fail(e);
    }
    return 1;
  }

  @Override
  public void failed(Throwable cause) {
    fail(new DiskException(context.directory().toString(), "prepare a log segment in", cause));
    LOGGER.error("the preparer of log segments stopped", cause);
  }

  private void fail(StorageException cause) {
    retry = false;
    failure = cause;
    failedAttempts.incrementAndGet();
    ready.raise();
  }

  private void step() throws StorageException {
    try {
      StorageFile file = zeroing;
      if (file == null) {
        begin();
      } else if (zeroed < segmentBytes) {
        long end = Math.min(zeroed + STEP_BYTES, segmentBytes);
        while (zeroed < end) {
          int length = (int) Math.min(ZEROS.length, end - zeroed);
          file.write(zeroed, ZEROS, 0, length);
          zeroed += length;
        }
      } else {
        file.force();
        file.close();
        zeroing = null;
        finish(names.unfinishedPath(nextId));
        zeroedSegments.incrementAndGet();
      }
    } catch (StorageException e) {
      abandon(e);
      throw e;
    }
  }

  @SuppressWarnings("MustBeClosed") // Kept open over several steps; finish or abandon close it.
  private void begin() throws StorageException {
    Path reused;
    lock.lock();
    try {
      reused = released.poll();
    } finally {
      lock.unlock();
    }
    if (reused != null) {
      wipe(reused);
      finish(reused);
      recycledSegments.incrementAndGet();
      return;
    }
    Path unfinished = names.unfinishedPath(nextId);
    if (context.files().exists(unfinished)) {
      context.files().delete(unfinished);
    }
    zeroing = context.files().open(unfinished, FileSystem.OpenMode.CREATE_NEW);
    zeroed = 0;
  }

  /**
   * Takes the header away: a header in a file always belongs to it. Only these bytes are forced,
   * since the rest of the file may be bytes that are not needed and were never forced.
   */
  private void wipe(Path path) throws StorageException {
    try (StorageFile file = context.files().open(path, FileSystem.OpenMode.READ_WRITE);
        MappedRegion header = file.map(0, SegmentLayout.HEADER_BYTES)) {
      header.put(0, ZEROS, 0, SegmentLayout.HEADER_BYTES);
      header.force(0, SegmentLayout.HEADER_BYTES);
    }
  }

  private void finish(Path source) throws StorageException {
    // The id is used up even when a later step fails: a name never comes to mean two contents.
    long id = nextId++;
    Path path = names.path(id);
    context.files().rename(source, path);
    context.files().forceDirectory(context.directory());
    Segment prepared = Segment.open(context, path, id, segmentBytes);
    if (prefaults) {
      prefault(prepared);
    }
    failure = null;
    retry = false;
    spare = prepared;
  }

  private static void prefault(Segment prepared) throws DiskException {
    try {
      prepared.prefault();
    } catch (DiskException | RuntimeException e) {
      prepared.close();
      throw e;
    }
  }

  /** Gives up a half-written file; a failure to delete it is told beside the first one. */
  private void abandon(StorageException first) {
    StorageFile file = zeroing;
    if (file == null) {
      return;
    }
    zeroing = null;
    file.close();
    try {
      context.files().delete(file.path());
    } catch (DiskException e) {
      first.addSuppressed(e);
    }
  }

  /** Stops; a segment that was not taken stays on disk, unused. */
  void close() {
    closed = true;
    TaskExecutor.Handle running = handle;
    if (running != null) {
      running.close();
    }
    ready.raise();
    StorageFile file = zeroing;
    if (file != null) {
      zeroing = null;
      file.close();
    }
    Segment unused = spare;
    if (unused != null) {
      spare = null;
      unused.close();
    }
  }

  long zeroedSegments() {
    return zeroedSegments.get();
  }

  long recycledSegments() {
    return recycledSegments.get();
  }

  long waits() {
    return waits.get();
  }

  private void wake() {
    TaskExecutor.Handle running = handle;
    if (running != null) {
      running.wake();
    }
  }
}
