package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFile;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.MappedRegion;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The files of an engine that looks whether the directory is still its own: before each creation,
 * renaming and deletion of a file, so before each checkpoint, log segment, component and manifest;
 * and with a force when the last look was a tenth of a second ago. What fails is the operation, and
 * with the force of the log all later writes. Thread-safe.
 */
final class OwnedFiles implements ForwardingFileSystem {
  private static final long LOOK_EVERY_NANOS = 100_000_000;

  private final FileSystem files;
  private final DirectoryLock lock;
  private final Clock clock;
  private final AtomicLong lastLook;

  OwnedFiles(FileSystem files, DirectoryLock lock, Clock clock) {
    this.files = files;
    this.lock = lock;
    this.clock = clock;
    this.lastLook = new AtomicLong(clock.nanoTime());
  }

  @Override
  public FileSystem files() {
    return files;
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with what is around it
  public StorageFile open(Path path, OpenMode mode) throws DiskException {
    if (mode.creates()) {
      requireHeld(path, "create");
    }
    StorageFile file = files.open(path, mode);
    return mode.onlyReads() ? file : new OwnedFile(file);
  }

  @Override
  public void rename(Path source, Path target) throws DiskException {
    requireHeld(source, "rename");
    files.rename(source, target);
  }

  @Override
  public void delete(Path path) throws DiskException {
    requireHeld(path, "delete");
    files.delete(path);
  }

  private void requireHeld(Path path, String operation) throws DiskException {
    try {
      lock.requireHeld();
    } catch (ConflictException lost) {
      throw new DiskException(path.toString(), operation, lost);
    }
  }

  private void requireHeldNowAndThen(Path path) throws DiskException {
    long now = clock.nanoTime();
    long last = lastLook.get();
    if (now - last >= LOOK_EVERY_NANOS && lastLook.compareAndSet(last, now)) {
      requireHeld(path, "force");
    }
  }

  /** A file that may be written to. */
  private final class OwnedFile implements ForwardingFile {
    private final StorageFile file;

    OwnedFile(StorageFile file) {
      this.file = file;
    }

    @Override
    public StorageFile file() {
      return file;
    }

    @Override
    public void force() throws DiskException {
      requireHeldNowAndThen(path());
      file.force();
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosedChecker") // closed with what is around it
    public MappedRegion map(long position, int length) throws DiskException {
      return new OwnedRegion(path(), file.map(position, length));
    }
  }

  /** A range of a log segment. */
  private final class OwnedRegion implements MappedRegion {
    private final Path path;
    private final MappedRegion region;

    OwnedRegion(Path path, MappedRegion region) {
      this.path = path;
      this.region = region;
    }

    @Override
    public void put(int position, byte[] source, int offset, int length) throws DiskException {
      region.put(position, source, offset, length);
    }

    @Override
    public void prefault() throws DiskException {
      region.prefault();
    }

    @Override
    public void force(int position, int length) throws DiskException {
      requireHeldNowAndThen(path);
      region.force(position, length);
    }

    @Override
    public void close() {
      region.close();
    }
  }
}
