package dev.varve.common.page;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.StorageException;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages in ascending order through a buffer of its own, so that a merge makes one call of the
 * operating system for many pages; those that the buffer cache has are copied from there, which
 * takes no notice of it. Confined to one thread.
 */
final class ReadAhead implements PageFile.SequentialReader {
  private final PageReader reader;
  private final int bufferUnits;
  private final @Nullable PageTable cached;

  /** As long as it had to be so far: merges of small files wait by the hundred. */
  private byte[] buffer = Bytes.EMPTY;

  // Units that the buffer holds: from firstUnit, so many.
  private int firstUnit;
  private int heldUnits;

  ReadAhead(PageReader reader, int readAheadBytes) {
    this(reader, readAheadBytes, null);
  }

  /** The same, of a file some of whose pages are perhaps in the buffer cache. */
  ReadAhead(PageReader reader, int readAheadBytes, @Nullable PageTable cached) {
    this.cached = cached;
    this.reader = reader;
    this.bufferUnits = Math.max(1, readAheadBytes / reader.pageSize());
  }

  @Override
  public byte[] read(int pageNumber, byte[] target) throws StorageException {
    byte[] copy = cached == null ? null : cached.copyOf(pageNumber, target);
    if (copy != null) {
      return copy;
    }
    int pageSize = reader.pageSize();
    if (!holds(pageNumber, 1)) {
      fill(pageNumber);
    }
    int units =
        reader.units(pageNumber, buffer[(pageNumber - firstUnit) * pageSize + PageLayout.UNITS]);
    if (!holds(pageNumber, units)) {
      if (units > bufferUnits) {
        return reader.read(pageNumber, target);
      }
      fill(pageNumber);
    }
    int length = units * pageSize;
    byte[] page = target.length < length ? new byte[length] : target;
    System.arraycopy(buffer, (pageNumber - firstUnit) * pageSize, page, 0, length);
    reader.check(pageNumber, units, page, 0);
    return page;
  }

  private boolean holds(int unit, int units) {
    return unit >= firstUnit && unit - firstUnit <= heldUnits - units;
  }

  private void fill(int unit) throws StorageException {
    if (unit <= 0 || unit >= reader.endPage()) {
      throw reader.noSuchPage(unit);
    }
    int units = Math.min(bufferUnits, reader.endPage() - unit);
    heldUnits = 0;
    if (buffer.length < units * reader.pageSize()) {
      buffer = new byte[units * reader.pageSize()];
    }
    reader.readFully(unit, buffer, 0, units * reader.pageSize());
    firstUnit = unit;
    heldUnits = units;
  }
}
