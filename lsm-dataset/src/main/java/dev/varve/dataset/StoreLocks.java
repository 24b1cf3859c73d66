package dev.varve.dataset;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The locks of an engine's directory and of the roots beside it, as one. Filled by one thread
 * before others see it; thread-safe from then on.
 */
final class StoreLocks implements FileSystem.DirectoryLock {
  private final Deque<FileSystem.DirectoryLock> locks = new ArrayDeque<>();

  /**
   * Locks one more directory.
   *
   * @throws ConflictException with {@code DIRECTORY_IN_USE}
   */
  @SuppressWarnings("MustBeClosedChecker") // closed with the others
  void add(FileSystem files, Path directory) throws DiskException, ConflictException {
    locks.push(files.lock(directory));
  }

  @Override
  public void requireHeld() throws DiskException, ConflictException {
    for (FileSystem.DirectoryLock lock : locks) {
      lock.requireHeld();
    }
  }

  /** Unlocks, the last one first; idempotent as they are. */
  @Override
  public void close() {
    locks.forEach(FileSystem.DirectoryLock::close);
  }
}
