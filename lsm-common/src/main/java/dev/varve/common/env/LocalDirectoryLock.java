package dev.varve.common.env;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A directory held through its {@code LOCK} file. Thread-safe.
 *
 * <p>POSIX gives up a process's lock on a file as soon as the process closes <em>any</em>
 * descriptor of it. So a second engine in this process must be turned away before it opens the
 * file: the registry of real paths is asked first, and nothing else in the engine ever opens {@code
 * LOCK}.
 */
@SeamImplementation
final class LocalDirectoryLock implements FileSystem.DirectoryLock {
  private static final String NAME = "LOCK";

  /** Directories that this process holds, by real path. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /**
   * Channels that must not be closed, because somebody in this process whom the registry does not
   * know (this class loaded twice, or a directory mounted at two paths) holds the lock.
   */
  private static final Queue<LocalChannel> ABANDONED = new ConcurrentLinkedQueue<>();

  private final Path realPath;
  private final LocalChannel channel;

  /** Which directory and which file were locked: a path may come to name others. */
  private final Object directoryKey;

  private final Object fileKey;
  private final AtomicBoolean open = new AtomicBoolean(true);

  private LocalDirectoryLock(Path realPath, LocalChannel channel) throws IOException {
    this.realPath = realPath;
    this.channel = channel;
    this.directoryKey = key(realPath);
    this.fileKey = key(realPath.resolve(NAME));
  }

  /** What tells a file from every other one that is there, without opening it. */
  private static Object key(Path path) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    Object key = attributes.fileKey();
    return key == null ? attributes.creationTime() : key;
  }

  @MustBeClosed
  static LocalDirectoryLock acquire(Path directory) throws IOException, ConflictException {
    Path realPath = directory.toRealPath();
    if (!HELD.add(realPath)) {
      throw inUse(directory, "this process");
    }
    boolean acquired = false;
    try {
      LocalDirectoryLock lock = acquireFile(directory, realPath);
      acquired = true;
      return lock;
    } finally {
      if (!acquired) {
        HELD.remove(realPath);
      }
    }
  }

  private static LocalDirectoryLock acquireFile(Path directory, Path realPath)
      throws IOException, ConflictException {
    LocalChannel channel =
        LocalChannel.open(
            realPath.resolve(NAME),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    boolean locked = false;
    boolean heldHere = false;
    try {
      locked = channel.tryLock();
    } catch (OverlappingFileLockException held) {
      heldHere = true;
    } finally {
      if (heldHere) {
        ABANDONED.add(channel);
      } else if (!locked) {
        channel.close();
      }
    }
    if (!locked) {
      throw inUse(directory, heldHere ? "this process" : "another process");
    }
    boolean known = false;
    try {
      LocalDirectoryLock lock = new LocalDirectoryLock(realPath, channel);
      known = true;
      return lock;
    } finally {
      if (!known) {
        channel.close();
      }
    }
  }

  @Override
  public void requireHeld() throws DiskException, ConflictException {
    Object directoryNow;
    Object fileNow;
    try {
      directoryNow = key(realPath);
      fileNow = key(realPath.resolve(NAME));
    } catch (NoSuchFileException removed) {
      throw lost(removed.getFile() + " was removed");
    } catch (IOException failure) {
      throw new DiskException(realPath.toString(), "look whether the lock is held on", failure);
    }
    if (!directoryNow.equals(directoryKey)) {
      throw lost("another directory is in its place");
    }
    if (!fileNow.equals(fileKey)) {
      throw lost("another file is in the place of " + NAME);
    }
  }

  private ConflictException lost(String how) {
    return new ConflictException(
        ConflictException.Reason.OWNERSHIP_LOST,
        realPath
            + " is no longer held by this engine: "
            + how
            + "; close the engine, find out who did it, and open it again");
  }

  /** Closing the file gives the process lock up; only then may this process lock it again. */
  @Override
  public void close() {
    if (!open.compareAndSet(true, false)) {
      return;
    }
    try {
      channel.close();
    } catch (IOException failure) {
      throw new UncheckedIOException("unlock " + realPath, failure);
    } finally {
      HELD.remove(realPath);
    }
  }

  private static ConflictException inUse(Path directory, String holder) {
    return new ConflictException(
        ConflictException.Reason.DIRECTORY_IN_USE,
        directory + " is in use by an engine of " + holder);
  }
}
