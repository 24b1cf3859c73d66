package dev.varve.common.env;

import java.nio.file.Path;

/** The other process of {@link DirectoryLockTest}: tries a lock, says how it went, holds it. */
final class LockHolder {
  private LockHolder() {}

  /** Prints {@code LOCKED} or {@code REFUSED}; ends when its standard input does. */
  public static void main(String[] arguments) throws Exception {
    try (FileSystem.DirectoryLock lock = new LocalFileSystem().lock(Path.of(arguments[0]))) {
      System.out.println("LOCKED " + (lock != null));
      while (System.in.read() >= 0) {
        // Hold the lock until the parent closes the pipe.
      }
    } catch (dev.varve.common.error.ConflictException refused) {
      System.out.println("REFUSED " + refused.reason());
    }
  }
}
