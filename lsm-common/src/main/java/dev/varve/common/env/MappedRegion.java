package dev.varve.common.env;

import dev.varve.common.error.DiskException;

/**
 * A mapped range of a file whose space was allocated by writing it. A put is in the kernel when it
 * returns: it survives the process, and after {@link #force} it survives a power loss. Thread-safe
 * for disjoint ranges; used for log segments only.
 */
public interface MappedRegion extends AutoCloseable {
  /**
   * Copies bytes into the region.
   *
   * @throws DiskException when the disk failed under the mapping; the bytes may be there in part
   */
  void put(int position, byte[] source, int offset, int length) throws DiskException;

  /**
   * Has the system make every page of the region writable now, so that no put waits for that one
   * page at a time. Changes no byte, but the system may take all of them for changed, and write
   * them back in its own time. Not to be called while somebody puts.
   */
  void prefault() throws DiskException;

  /** Makes the bytes of a range durable. */
  void force(int position, int length) throws DiskException;

  /**
   * Unmaps; idempotent. Nobody may be in another call meanwhile; later ones throw {@link
   * IllegalStateException}. What was put is in the file, and durable when that is forced.
   */
  @Override
  void close();
}
