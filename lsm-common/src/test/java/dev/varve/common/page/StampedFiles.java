package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Component files whose pages say in every eight bytes which file and page they are. Closing closes
 * all that were opened.
 */
final class StampedFiles implements AutoCloseable {
  private final FileSystem files;
  private final int pageSize;
  private final List<ComponentFile> open = new ArrayList<>();

  StampedFiles(FileSystem files, int pageSize) {
    this.files = files;
    this.pageSize = pageSize;
  }

  static Path path(int id) {
    return Path.of("/store/c-" + id + "-" + id + ".lsm");
  }

  /** Writes pages of so many units each. */
  void write(int id, int... unitsOfPages) throws StorageException {
    try (ComponentFileWriter writer =
        ComponentFileWriter.create(files, path(id), ComponentFileOptions.of(7, pageSize, id))) {
      for (int units : unitsOfPages) {
        byte[] page = new byte[units * pageSize];
        for (int at = PageLayout.BODY; at < page.length; at += Long.BYTES) {
          Bytes.putLong(page, at, stamp(id, writer.nextPage()));
        }
        writer.append((byte) 1, page, units);
      }
      writer.seal(new byte[0]);
    }
  }

  /** Opens a file, through other files than those that were written to, say. */
  @SuppressWarnings("MustBeClosedChecker") // closed with this
  ComponentFile open(FileSystem through, PageCache cache, int id) throws StorageException {
    ComponentFile file = openOwn(through, cache, id);
    open.add(file);
    return file;
  }

  /** Opens a file that the caller closes. */
  @MustBeClosed
  static ComponentFile openOwn(FileSystem through, PageCache cache, int id)
      throws StorageException {
    return ComponentFile.open(through, path(id), 7, cache);
  }

  /** Writes a file and opens it. */
  ComponentFile file(PageCache cache, int id, int... unitsOfPages) throws StorageException {
    write(id, unitsOfPages);
    return open(files, cache, id);
  }

  void requirePage(ComponentFile file, int pageNumber) throws StorageException {
    try (PageFile.Page page = file.pin(pageNumber)) {
      requireContent(file, pageNumber, page);
    }
  }

  void requireContent(ComponentFile file, int pageNumber, PageFile.View view) {
    requireContent(file, pageNumber, copy(view.bytes(), view.at()));
  }

  /** The bytes of a page that begins somewhere in an array. */
  byte[] copy(byte[] bytes, int at) {
    int units = bytes[at + PageLayout.UNITS] & 0xFF;
    assertTrue(at + units * pageSize <= bytes.length, () -> units + " units at " + at);
    return Arrays.copyOfRange(bytes, at, at + units * pageSize);
  }

  void requireContent(ComponentFile file, int pageNumber, byte[] page) {
    int units = page[PageLayout.UNITS] & 0xFF;
    assertEquals(units * pageSize, page.length);
    long expected = stamp(file.fileId(), pageNumber);
    for (int at = PageLayout.BODY; at < page.length; at += Long.BYTES) {
      if (Bytes.getLong(page, at) != expected) {
        assertEquals(expected, Bytes.getLong(page, at), "page " + pageNumber + " at " + at);
      }
    }
  }

  private static long stamp(long id, int pageNumber) {
    return id << 32 | pageNumber;
  }

  @Override
  public void close() {
    open.forEach(ComponentFile::close);
    open.clear();
  }
}
