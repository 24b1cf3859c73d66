package dev.varve.common.page;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.StorageException;

/**
 * Reads consecutive pages with one call of the operating system, and offers them to the cache.
 * Confined to its owner.
 */
final class PageRun {
  /** Takes a page that was read. */
  @FunctionalInterface
  interface Taker {
    /**
     * Copies the page if it is wanted.
     *
     * @param source where the page stands, unchecked
     */
    void offer(int pageNumber, byte[] source, int offset, int length) throws StorageException;
  }

  private final int mostBytes;

  /** Made when it is needed first. */
  private byte[] buffer = Bytes.EMPTY;

  /** Runs of at most so many bytes. */
  PageRun(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Reads units of a file, of which the first begins a page, and offers each page that is whole
   * among them.
   *
   * @param end the unit behind the last
   * @return the unit behind the last page that was offered, or behind the first page where that is
   *     longer than what was read
   */
  int read(PageReader reader, int first, int end, Taker taker) throws StorageException {
    int pageSize = reader.pageSize();
    assert (end - first) * (long) pageSize <= mostBytes : end - first;
    if (buffer.length == 0) {
      buffer = new byte[mostBytes];
    }
    reader.readFully(first, buffer, 0, (end - first) * pageSize);
    int number = first;
    while (number < end) {
      int at = (number - first) * pageSize;
      int units = reader.units(number, buffer[at + PageLayout.UNITS]);
      if (units > end - number) {
        return number == first ? first + units : number;
      }
      taker.offer(number, buffer, at, units * pageSize);
      number += units;
    }
    return number;
  }
}
