package dev.varve.common.page;

import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;

/**
 * Reads pages of one file from disk, and lets none through that is not what was written. Lengths
 * that stand in the file are checked before anything of that length is allocated. Thread-safe.
 */
final class PageReader {
  private final StorageFile file;
  private final String name;
  private final FileHeader header;
  private final int endPage;

  /** Reads the pages from 1 up to, not including, {@code endPage}, where the metadata stands. */
  PageReader(StorageFile file, FileHeader header, int endPage) {
    this.file = file;
    this.name = file.path().toString();
    this.header = header;
    this.endPage = endPage;
  }

  String name() {
    return name;
  }

  int pageSize() {
    return header.pageSize();
  }

  int endPage() {
    return endPage;
  }

  /** Reads and checks a page, which is at the beginning of the result. */
  byte[] read(int pageNumber, byte[] buffer) throws StorageException {
    byte[] page = buffer.length < pageSize() ? new byte[pageSize()] : buffer;
    int units = readFirstUnit(pageNumber, page, 0);
    if (units > 1) {
      if (page.length < units * pageSize()) {
        byte[] longer = new byte[units * pageSize()];
        System.arraycopy(page, 0, longer, 0, pageSize());
        page = longer;
      }
      readFurtherUnits(pageNumber, units, page, 0);
    }
    check(pageNumber, units, page, 0);
    return page;
  }

  /** Reads the first unit of a page, unchecked, and returns how many there are. */
  int readFirstUnit(int pageNumber, byte[] target, int at) throws StorageException {
    if (pageNumber <= 0 || pageNumber >= endPage) {
      throw noSuchPage(pageNumber);
    }
    readFully(pageNumber, target, at, pageSize());
    return units(pageNumber, target[at + PageLayout.UNITS]);
  }

  /** Reads the rest of a page behind its first unit, unchecked. */
  void readFurtherUnits(int pageNumber, int units, byte[] target, int at) throws StorageException {
    readFully(pageNumber + 1, target, at + pageSize(), (units - 1) * pageSize());
  }

  /** Reads consecutive units, unchecked. */
  void readFully(int firstUnit, byte[] target, int offset, int length) throws StorageException {
    long position = (long) firstUnit * pageSize();
    int read = file.read(position, target, offset, length);
    if (read < length) {
      throw new CorruptionException(
          name, position, "the file ends after " + read + " of " + length + " bytes");
    }
  }

  /** Brings consecutive units into the system's cache. */
  void prefetch(int firstUnit, int units) throws StorageException {
    file.prefetch((long) firstUnit * pageSize(), (long) units * pageSize());
  }

  /** Checks a page's length as it stands in the page. */
  int units(int pageNumber, byte field) throws CorruptionException {
    int units = field & 0xFF;
    if (units == 0 || units > endPage - pageNumber) {
      throw new CorruptionException(
          name,
          (long) pageNumber * pageSize() + PageLayout.UNITS,
          "a page of " + units + " units, 1 to " + (endPage - pageNumber) + " expected");
    }
    return units;
  }

  /** Checks a page's checksum. */
  void check(int pageNumber, int units, byte[] page, int at) throws CorruptionException {
    header.requireChecksum(name, pageNumber, page, at, units * pageSize());
  }

  /** Checks the first and the last page once more. */
  void verifyHeaderAndMetadata() throws StorageException {
    FileHeader headerNow = FileHeader.read(file, header.storeId());
    MetadataPage metadataNow = MetadataPage.read(file, headerNow);
    if (!headerNow.equals(header) || metadataNow.pageNumber() != endPage) {
      throw new CorruptionException(name, -1, "the file was replaced since it was opened");
    }
  }

  CorruptionException noSuchPage(int pageNumber) {
    return new CorruptionException(
        name,
        (long) pageNumber * pageSize(),
        "page " + pageNumber + " is asked for, 1 to " + (endPage - 1) + " expected");
  }

  void close() {
    file.close();
  }
}
