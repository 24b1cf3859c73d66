package dev.varve.common.env;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;

/**
 * An open file, addressed by absolute position. Thread-safe; concurrent writes to one range have no
 * order. An interrupt of the caller never closes it. After {@link #close} every call throws {@link
 * IllegalStateException}, and mapped regions stay usable.
 */
public interface StorageFile extends AutoCloseable {
  /** Where the file was opened. */
  Path path();

  /** Current size in bytes. */
  long size() throws DiskException;

  /**
   * Reads until {@code length} bytes are there or the file ends.
   *
   * @return the number of bytes read, less than {@code length} only at the end of the file
   */
  int read(long position, byte[] target, int offset, int length) throws DiskException;

  /**
   * Brings what the file has of a range into the system's cache, where there is one, for those who
   * read it later. An interrupt of the caller ends it early.
   */
  void prefetch(long position, long length) throws DiskException;

  /** Writes all bytes, extending the file where needed; a short write is completed or thrown. */
  void write(long position, byte[] source, int offset, int length) throws DiskException;

  /** Makes the file's bytes and size durable. */
  void force() throws DiskException;

  /** Cuts the file to a size; a size above the current one is a mistake of the caller. */
  void truncate(long size) throws DiskException;

  /** Maps a range that was written before, for appending to a log; see {@link MappedRegion}. */
  @MustBeClosed
  MappedRegion map(long position, int length) throws DiskException;

  @Override
  void close();
}
