package dev.varve.common.testkit;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.Device;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Another file system, with the faults of a plan, and with a list of what is open. Thread-safe.
 *
 * <p>The plan is one line of text, for example {@code write *.lsm 3 EIO; force log* 1 ENOSPC
 * persistent}; {@link FaultPlan} has its grammar. Without a plan it only counts calls and finds
 * leaks: a test ends with {@link #assertNothingOpen}.
 */
public final class FaultyFileSystem implements FileSystem {
  private final FileSystem inner;
  private final OpenResources open = new OpenResources();
  private final ReentrantLock lock = new ReentrantLock();
  private FaultPlan plan = FaultPlan.parse("");
  private long callCount;
  private int faultCount;

  /** Passes every call on until a plan is set. */
  public FaultyFileSystem(FileSystem inner) {
    this.inner = inner;
  }

  /** Fails calls as the plan says. */
  public FaultyFileSystem(FileSystem inner, String plan) {
    this(inner);
    setPlan(plan);
  }

  /** Replaces the plan; its counts begin with the next call. An empty plan stops all faults. */
  public void setPlan(String text) {
    FaultPlan parsed = FaultPlan.parse(text);
    lock.lock();
    try {
      plan = parsed;
    } finally {
      lock.unlock();
    }
  }

  /** Calls so far, of every kind but closing: so many faults can be planned with {@code any *}. */
  public long callCount() {
    lock.lock();
    try {
      return callCount;
    } finally {
      lock.unlock();
    }
  }

  /** Faults that happened so far. */
  public int faultCount() {
    lock.lock();
    try {
      return faultCount;
    } finally {
      lock.unlock();
    }
  }

  /** What is open: kind and path. */
  public List<String> openResources() {
    return open.descriptions();
  }

  /** Fails with the stacks that opened files, regions or locks which nobody closed. */
  public void assertNothingOpen() {
    open.assertNothingOpen();
  }

  @Override
  @MustBeClosed
  public StorageFile open(Path path, OpenMode mode) throws DiskException {
    enter(mode.creates() ? FileCall.CREATE : FileCall.OPEN, path);
    return new FaultyFile(this, inner.open(path, mode));
  }

  @Override
  public boolean exists(Path path) throws DiskException {
    enter(FileCall.EXISTS, path);
    return inner.exists(path);
  }

  @Override
  public boolean isDirectory(Path path) throws DiskException {
    enter(FileCall.EXISTS, path);
    return inner.isDirectory(path);
  }

  @Override
  public List<Path> list(Path directory) throws DiskException {
    enter(FileCall.LIST, directory);
    return inner.list(directory);
  }

  @Override
  public long size(Path path) throws DiskException {
    enter(FileCall.SIZE, path);
    return inner.size(path);
  }

  @Override
  public void createDirectories(Path directory) throws DiskException {
    enter(FileCall.MKDIR, directory);
    inner.createDirectories(directory);
  }

  @Override
  public void rename(Path source, Path target) throws DiskException {
    enter(FileCall.RENAME, source, target);
    inner.rename(source, target);
  }

  @Override
  public void delete(Path path) throws DiskException {
    enter(FileCall.DELETE, path);
    inner.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws DiskException {
    FaultPlan.Hit hit = enter(FileCall.FORCEDIR, directory);
    if (hit == null) {
      inner.forceDirectory(directory);
    }
  }

  @Override
  public long usableBytes(Path path) throws DiskException {
    enter(FileCall.USABLE, path);
    return inner.usableBytes(path);
  }

  @Override
  public Device device(Path path) throws DiskException {
    enter(FileCall.DEVICE, path);
    return inner.device(path);
  }

  @Override
  @MustBeClosed
  public DirectoryLock lock(Path directory) throws DiskException, ConflictException {
    enter(FileCall.LOCK, directory);
    return new TrackedLock(inner.lock(directory), directory);
  }

  private final class TrackedLock implements DirectoryLock {
    private final DirectoryLock held;

    TrackedLock(DirectoryLock held, Path directory) {
      this.held = held;
      open.opened(this, "lock " + directory);
    }

    @Override
    public void requireHeld() throws DiskException, ConflictException {
      held.requireHeld();
    }

    @Override
    public void close() {
      open.closed(this);
      held.close();
    }
  }

  OpenResources open() {
    return open;
  }

  /**
   * Counts a call and lets its fault happen, as far as that is possible from outside.
   *
   * @return the fault that the call itself must carry out: a short, flipped, lost or shifted one
   */
  FaultPlan.@Nullable Hit enter(FileCall call, Path... paths) throws DiskException {
    FaultPlan.Hit hit;
    lock.lock();
    try {
      callCount++;
      hit = plan.next(call, paths);
      if (hit != null) {
        faultCount++;
      }
    } finally {
      lock.unlock();
    }
    if (hit == null) {
      return null;
    }
    switch (hit.fault()) {
      case EIO -> throw failure(call, paths[0], "Input/output error");
      case ENOSPC -> throw failure(call, paths[0], "No space left on device");
      case OOM -> throw new OutOfMemoryError("planned, in " + describe(call, paths[0]));
      case INTERRUPT -> {
        Thread.currentThread().interrupt();
        return null;
      }
      case SHORT, FLIP, LOST, SHIFT -> {
        return hit;
      }
    }
    throw new AssertionError(hit);
  }

  static DiskException failure(FileCall call, Path path, String message) {
    return new DiskException(
        path.toString(),
        call.name().toLowerCase(Locale.ROOT),
        new IOException(message + " (planned)"));
  }

  private static String describe(FileCall call, Path path) {
    return call.name().toLowerCase(Locale.ROOT) + " " + path;
  }
}
