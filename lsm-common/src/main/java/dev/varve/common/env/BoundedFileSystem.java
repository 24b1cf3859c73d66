package dev.varve.common.env;

import com.google.errorprone.annotations.MustBeClosed;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file system that keeps at most so many files open that are only read, so that however many
 * components there are, a process has handles left for its log and for whatever else it does. A
 * file beyond that is closed behind its owner's back and opened again when it is read. So it must
 * not be renamed, replaced or cut while its owner has it open. When the process has no handle left
 * all the same, files that nobody reads now are closed, and what was refused is tried once more.
 * Thread-safe.
 *
 * <p>Implementation note. A read pins its file, by one atomic step each way, and nothing is locked;
 * a file is parked only while it has no pin. Which one is told by a clock: a file that was read
 * since the hand passed last is passed over once.
 */
public final class BoundedFileSystem implements ForwardingFileSystem {
  /** What the JDK passes on of a process, or a system, that has no handle left. */
  private static final String NO_HANDLE = "Too many open files";

  private final FileSystem files;
  private final int mostOpen;

  /** How files for reading are opened. */
  private final OpenMode reading;

  private final ReentrantLock lock = new ReentrantLock();

  /** Files that have a handle, the next to be looked at first. */
  @GuardedBy("lock")
  private final Set<ReadFile> open = new LinkedHashSet<>();

  /** How many files owners have open, with a handle or without. */
  private final AtomicInteger owned = new AtomicInteger();

  /**
   * Around other files.
   *
   * @param mostOpen how many files are open for reading, unless more are read at one moment
   * @param reading how what is opened for reading is opened: {@link OpenMode#READ_ONLY} or {@link
   *     OpenMode#READ_ONLY_DIRECT}
   */
  public BoundedFileSystem(FileSystem files, int mostOpen, OpenMode reading) {
    assert reading.onlyReads() : reading;
    this.files = files;
    this.mostOpen = mostOpen;
    this.reading = reading;
  }

  @Override
  public FileSystem files() {
    return files;
  }

  /** How many files for reading owners have open now, with a handle or without. */
  public int owned() {
    return owned.get();
  }

  /** How many of them may have a handle. */
  public int mostOpen() {
    return mostOpen;
  }

  /** Something that takes a handle, at least for a moment. */
  @FunctionalInterface
  private interface Opening<T> {
    T open() throws DiskException;
  }

  private <T> T withHandle(Opening<T> opening) throws DiskException {
    try {
      return opening.open();
    } catch (DiskException refused) {
      Throwable cause = refused.getCause();
      String reason = cause == null ? null : cause.getMessage();
      if (reason == null || !reason.contains(NO_HANDLE) || !parkSome(mostOpen)) {
        throw refused;
      }
      return opening.open();
    }
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with what is around it
  public StorageFile open(Path path, OpenMode mode) throws DiskException {
    StorageFile file = withHandle(() -> files.open(path, mode.onlyReads() ? reading : mode));
    if (!mode.onlyReads()) {
      return file;
    }
    boolean kept = false;
    try {
      ReadFile read = new ReadFile(file, file.size());
      owned.incrementAndGet();
      lock.lock();
      try {
        open.add(read);
        makeRoom();
      } finally {
        lock.unlock();
      }
      kept = true;
      return read;
    } finally {
      if (!kept) {
        file.close();
      }
    }
  }

  @Override
  public List<Path> list(Path directory) throws DiskException {
    return withHandle(() -> files.list(directory));
  }

  @Override
  public void forceDirectory(Path directory) throws DiskException {
    withHandle(
        () -> {
          files.forceDirectory(directory);
          return directory;
        });
  }

  /** Takes the handles of files that are not being read; false when there was none to take. */
  private boolean parkSome(int most) {
    lock.lock();
    try {
      int before = open.size();
      park(Math.min(most, before), /* passes= */ 2);
      return open.size() < before;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void makeRoom() {
    if (open.size() > mostOpen) {
      park(open.size() - mostOpen, /* passes= */ 2);
    }
  }

  @GuardedBy("lock")
  private void park(int wanted, int passes) {
    int left = wanted;
    for (int looks = passes * open.size(); looks > 0 && left > 0; looks--) {
      Iterator<ReadFile> first = open.iterator();
      ReadFile file = first.next();
      first.remove();
      if (file.tryPark()) {
        left--;
      } else {
        open.add(file);
      }
    }
  }

  /** A file that is only read, with a handle or without. */
  private final class ReadFile implements StorageFile {
    private static final int PARKED = -1;
    private static final int CLOSED = -2;

    private final Path path;
    private final long size;

    /** Reads that are under way, {@link #PARKED} without a handle, or {@link #CLOSED}. */
    private final AtomicInteger state = new AtomicInteger();

    /** Replaced under the lock, while parked. */
    private volatile StorageFile file;

    private volatile boolean used = true;
    private volatile boolean ended;

    ReadFile(StorageFile file, long size) {
      this.path = file.path();
      this.file = file;
      this.size = size;
    }

    @Override
    public Path path() {
      return path;
    }

    @Override
    public long size() throws DiskException {
      pin();
      try {
        return file.size();
      } finally {
        unpin();
      }
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) throws DiskException {
      pin();
      try {
        return file.read(position, target, offset, length);
      } finally {
        unpin();
      }
    }

    @Override
    public void prefetch(long position, long length) throws DiskException {
      pin();
      try {
        file.prefetch(position, length);
      } finally {
        unpin();
      }
    }

    @Override
    public void write(long position, byte[] source, int offset, int length) throws DiskException {
      pin();
      try {
        file.write(position, source, offset, length);
      } finally {
        unpin();
      }
    }

    @Override
    public void force() throws DiskException {
      pin();
      try {
        file.force();
      } finally {
        unpin();
      }
    }

    @Override
    public void truncate(long newSize) throws DiskException {
      pin();
      try {
        file.truncate(newSize);
      } finally {
        unpin();
      }
    }

    @Override
    @MustBeClosed
    public MappedRegion map(long position, int length) throws DiskException {
      pin();
      try {
        return file.map(position, length);
      } finally {
        unpin();
      }
    }

    private void pin() throws DiskException {
      while (true) {
        int reads = state.get();
        if (ended) {
          throw new IllegalStateException("read " + path + ": the file is closed");
        }
        if (reads == PARKED) {
          reopen();
        } else if (reads >= 0 && state.compareAndSet(reads, reads + 1)) {
          if (!used) {
            used = true;
          }
          return;
        }
      }
    }

    private void unpin() {
      int reads = state.decrementAndGet();
      assert reads >= 0 : "unpinned more often than pinned: " + path;
      if (reads == 0 && ended) {
        closeUnread();
      }
    }

    @SuppressWarnings("MustBeClosedChecker") // closed when it is parked again, or by its owner
    private void reopen() throws DiskException {
      StorageFile again = withHandle(() -> files.open(path, reading));
      boolean taken = false;
      try {
        if (again.size() != size) {
          throw new DiskException(
              path.toString(), "read, which has another size than " + size + ",", null);
        }
        lock.lock();
        try {
          if (state.get() == PARKED && !ended) {
            file = again;
            used = true;
            taken = true;
            open.add(this);
            state.set(0);
            makeRoom();
          }
        } finally {
          lock.unlock();
        }
      } finally {
        if (!taken) {
          again.close();
        }
      }
    }

    /** Under the lock; the caller has taken the file out. */
    boolean tryPark() {
      if (used) {
        used = false;
        return false;
      }
      if (state.compareAndSet(0, PARKED)) {
        file.close();
        return true;
      }
      return state.get() < 0;
    }

    private void closeUnread() {
      if (state.compareAndSet(0, CLOSED)) {
        file.close();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        if (ended) {
          return;
        }
        ended = true;
        open.remove(this);
        state.compareAndSet(PARKED, CLOSED);
      } finally {
        lock.unlock();
      }
      int left = owned.decrementAndGet();
      assert left >= 0 : "closed more often than opened";
      // A read that is under way closes it at its end.
      closeUnread();
    }
  }
}
