package dev.varve.common.env;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.List;

/**
 * The only door to files. Calls are synchronous and uninterruptible; a failure names path and
 * operation. After a crash, only what was forced (and whose directory entry was forced) is certain
 * to be there. Thread-safe.
 */
public interface FileSystem {
  /** How a file is opened. */
  enum OpenMode {
    /** A new file for reading and writing; fails when the path exists. */
    CREATE_NEW,
    /**
     * A new file for writing, past the system's cache where the system can do so, and through it
     * elsewhere: for what is long, and nobody reads soon. Positions and lengths of writes are
     * multiples of {@link #DIRECT_BLOCK_BYTES}. Nothing is durable for that before it is forced.
     */
    CREATE_NEW_DIRECT,
    /** An existing file for reading and writing. */
    READ_WRITE,
    /** An existing file for reading. */
    READ_ONLY,
    /**
     * The same past the system's cache where the system can do so, and through it elsewhere: each
     * read comes from the device, and takes no memory but the reader's.
     */
    READ_ONLY_DIRECT;

    /** Whether the file stays as it is. */
    public boolean onlyReads() {
      return this == READ_ONLY || this == READ_ONLY_DIRECT;
    }

    /** Whether the path must not exist. */
    public boolean creates() {
      return this == CREATE_NEW || this == CREATE_NEW_DIRECT;
    }

    /**
     * Checks a write.
     *
     * @throws IllegalArgumentException when a direct write is not of whole blocks
     */
    public void requireBlocks(long position, int length) {
      if (this == CREATE_NEW_DIRECT && ((position | length) & (DIRECT_BLOCK_BYTES - 1)) != 0) {
        throw new IllegalArgumentException(
            "a direct write of "
                + length
                + " bytes at "
                + position
                + ", which are not both multiples of "
                + DIRECT_BLOCK_BYTES);
      }
    }
  }

  /**
   * What direct writes are multiples of; direct reads need not be. A file system with longer blocks
   * is written through its cache.
   */
  int DIRECT_BLOCK_BYTES = 4096;

  /** Opens a file; the caller closes it. */
  @MustBeClosed
  StorageFile open(Path path, OpenMode mode) throws DiskException;

  /** Whether a file or directory is there. */
  boolean exists(Path path) throws DiskException;

  /** The entries of a directory, sorted by name. */
  List<Path> list(Path directory) throws DiskException;

  /** Size of a file in bytes. */
  long size(Path path) throws DiskException;

  /**
   * Creates a directory and its missing parents, for their owner only where the system has
   * permissions; durable only once each parent is forced.
   */
  void createDirectories(Path directory) throws DiskException;

  /** Atomically replaces {@code target}; durable once the directory is forced. */
  void rename(Path source, Path target) throws DiskException;

  /**
   * Gives a file that nobody changes any more a second name, which stays when the first is deleted:
   * a hard link, or a forced copy where there are none. Durable once the target's directory is
   * forced. The target must not be there.
   */
  default void link(Path source, Path target) throws DiskException {
    int checksum = new FileCopy(this, source, target).run();
    assert size(target) == size(source) : checksum;
  }

  /** Deletes a file, or an empty directory; durable once the directory is forced. */
  void delete(Path path) throws DiskException;

  /** Whether a path is a directory; a symbolic link to one is none. */
  boolean isDirectory(Path path) throws DiskException;

  /** Makes creations, renames and deletions in a directory durable. */
  void forceDirectory(Path directory) throws DiskException;

  /** Bytes that may still be written to the device that holds a path. */
  long usableBytes(Path path) throws DiskException;

  /** Which device holds a path. */
  Device device(Path path) throws DiskException;

  /**
   * Locks a directory against every other engine, in this process and in others, through a file
   * named {@code LOCK} in it. Closing the result unlocks.
   *
   * @throws ConflictException with {@code DIRECTORY_IN_USE} when somebody else holds it
   */
  @MustBeClosed
  DirectoryLock lock(Path directory) throws DiskException, ConflictException;

  /** A held directory lock. */
  interface DirectoryLock extends AutoCloseable {
    /**
     * Checks that the directory is still the one that was locked and that {@code LOCK} in it is
     * still the file that is held: otherwise another engine may have been let in, or what is
     * written goes where nobody will look for it. One or two system calls.
     *
     * @throws ConflictException with {@code OWNERSHIP_LOST}
     */
    void requireHeld() throws DiskException, ConflictException;

    @Override
    void close();
  }
}
