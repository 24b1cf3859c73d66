package dev.varve.common.page;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;

/** The last page of a component file: where it stands, and the metadata of whoever sealed it. */
final class MetadataPage {
  private final int pageNumber;
  private final int units;
  private final byte[] bytes;

  private MetadataPage(int pageNumber, int units, byte[] bytes) {
    this.pageNumber = pageNumber;
    this.units = units;
    this.bytes = bytes;
  }

  int pageNumber() {
    return pageNumber;
  }

  int units() {
    return units;
  }

  /** The metadata; not to be written. */
  byte[] bytes() {
    return bytes;
  }

  /** Finds the page from the end of the file, reads and checks it. */
  static MetadataPage read(StorageFile file, FileHeader header) throws StorageException {
    String name = file.path().toString();
    int pageSize = header.pageSize();
    long size = file.size();
    long pages = size / pageSize;
    if (size % pageSize != 0 || pages < 2 || pages > Integer.MAX_VALUE) {
      throw new CorruptionException(
          name, size, "the file's size is not that of 2 or more pages of " + pageSize + " bytes");
    }
    int units = units(file, pageSize, (int) pages);
    int pageNumber = (int) pages - units;
    byte[] page = new byte[units * pageSize];
    long position = (long) pageNumber * pageSize;
    int read = file.read(position, page, 0, page.length);
    if (read < page.length) {
      throw new CorruptionException(name, position + read, "the file ends within its last page");
    }
    header.requireChecksum(name, pageNumber, page, 0, page.length);
    long length = Bytes.getInt(page, ComponentFileLayout.METADATA_LENGTH);
    long room =
        (long) page.length - ComponentFileLayout.METADATA - ComponentFileLayout.UNITS_FROM_END;
    if (page[PageLayout.KIND] != PageLayout.KIND_METADATA
        || page[ComponentFileLayout.VALIDITY] != ComponentFileLayout.VALID
        || Bytes.getLong(page, ComponentFileLayout.METADATA_PAGE_NUMBER) != pageNumber
        || length < 0
        || length > room) {
      throw new CorruptionException(name, position, "the last page is not a valid metadata page");
    }
    byte[] bytes = new byte[(int) length];
    System.arraycopy(page, ComponentFileLayout.METADATA, bytes, 0, bytes.length);
    return new MetadataPage(pageNumber, units, bytes);
  }

  /** Reads the page's length, which stands at the end of the file. */
  private static int units(StorageFile file, int pageSize, int pages) throws StorageException {
    long position = (long) pages * pageSize - ComponentFileLayout.UNITS_FROM_END;
    byte[] tail = new byte[ComponentFileLayout.UNITS_FROM_END];
    int read = file.read(position, tail, 0, tail.length);
    int units = Bytes.getInt(tail, 0);
    int magic =
        Bytes.getInt(
            tail, ComponentFileLayout.UNITS_FROM_END - ComponentFileLayout.END_MAGIC_FROM_END);
    if (read < tail.length
        || magic != ComponentFileLayout.END_MAGIC_VALUE
        || units < 1
        || units > Math.min(PageLayout.MAX_UNITS, pages - 1)) {
      throw new CorruptionException(
          file.path().toString(), position, "the file does not end with a metadata page");
    }
    return units;
  }
}
