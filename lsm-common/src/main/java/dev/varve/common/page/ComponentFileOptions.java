package dev.varve.common.page;

import dev.varve.common.env.FileSystem;

/**
 * How a component file is written. The first three shape the file, the others only its making.
 *
 * @param storeId identity of the store, in every file of it; a reader refuses another store's file
 * @param pageSize bytes of a unit, a power of two from 128 to 1 MiB; larger ones make wider trees
 *     and fewer, longer reads, and waste more of the cache on a point read
 * @param fileId identity of the file in its store, mixed into every page's checksum, so that a page
 *     of another file is never taken for one of this
 * @param bufferBytes pages are collected into writes of this size
 * @param direct whether the file is written past the system's cache ({@link
 *     FileSystem.OpenMode#CREATE_NEW_DIRECT}); wants pages of whole blocks
 * @param forceEveryBytes the file is forced whenever so many bytes were written since the last
 *     time, so that no force has to write back much at once
 */
public record ComponentFileOptions(
    long storeId,
    int pageSize,
    long fileId,
    int bufferBytes,
    boolean direct,
    long forceEveryBytes) {
  /** Bytes of a unit where nobody says otherwise. */
  public static final int DEFAULT_PAGE_SIZE = 8 << 10;

  private static final int DEFAULT_BUFFER_BYTES = 512 << 10;
  private static final long DEFAULT_FORCE_EVERY_BYTES = 16L << 20;

  /** Checks the sizes. */
  public ComponentFileOptions {
    if (!ComponentFileLayout.isPageSize(pageSize)) {
      throw new IllegalArgumentException(
          "page size " + pageSize + ": not a power of two from 128 to 1048576");
    }
    if (direct && pageSize % FileSystem.DIRECT_BLOCK_BYTES != 0) {
      throw new IllegalArgumentException(
          "page size "
              + pageSize
              + ": direct writes want a multiple of "
              + FileSystem.DIRECT_BLOCK_BYTES);
    }
    if (bufferBytes < 0 || forceEveryBytes <= 0) {
      throw new IllegalArgumentException(
          "buffer of " + bufferBytes + " bytes, forced every " + forceEveryBytes + " bytes");
    }
  }

  /** Options with the default buffer of 512 KiB and a force every 16 MiB. */
  public static ComponentFileOptions of(long storeId, int pageSize, long fileId) {
    return new ComponentFileOptions(
        storeId, pageSize, fileId, DEFAULT_BUFFER_BYTES, false, DEFAULT_FORCE_EVERY_BYTES);
  }
}
