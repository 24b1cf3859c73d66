package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFileWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects the children of one level of interior pages and writes its pages, one when the next
 * child does not fit. The separator between two pages of a level goes to the level above, which
 * comes into being then. Confined.
 */
final class InteriorBuilder {
  private final PageFileWriter file;
  private final int level;

  /** Separators with the child to the right of each as their value. */
  private final StagedEntries staged = new StagedEntries();

  private final byte[] page;
  private final Slice number = new Slice(new byte[Integer.BYTES]);

  /** Separator before the first child, which the level above gets; empty in the first page. */
  private final Slice pageSeparator = new Slice();

  private int firstChild;
  private boolean empty = true;
  private long restBytes;
  private @Nullable InteriorBuilder parent;

  InteriorBuilder(PageFileWriter file, int level) {
    assert level <= InteriorLayout.MAX_LEVEL;
    this.file = file;
    this.level = level;
    this.page = new byte[file.pageSize()];
  }

  /**
   * Adds a child to the right of those that are there.
   *
   * @param separator above all keys of the child before, at or below all keys of this one; unused
   *     for a level's first child
   */
  void add(Slice separator, int child) throws StorageException {
    if (!empty && tryAdd(separator, child)) {
      return;
    }
    if (!empty) {
      writePage();
    }
    pageSeparator.copyOf(separator);
    firstChild = child;
    empty = false;
  }

  private boolean tryAdd(Slice separator, int child) {
    int count = staged.count();
    int prefix = staged.prefixLengthWith(separator);
    long rests = restBytes + (long) count * (staged.prefixLength() - prefix);
    rests += separator.length() - prefix;
    if (count == InteriorLayout.MAX_COUNT
        || InteriorLayout.end(count + 1, prefix + rests) > file.pageSize()) {
      return false;
    }
    Bytes.putInt(number.bytes(), 0, child);
    staged.add(separator, number, false, prefix);
    restBytes = rests;
    return true;
  }

  /** Writes what is left on this level and above, and returns the root's page number. */
  int finish() throws StorageException {
    if (parent == null && staged.count() == 0) {
      return firstChild;
    }
    if (parent == null) {
      return append();
    }
    writePage();
    return parent.finish();
  }

  private void writePage() throws StorageException {
    int written = append();
    if (parent == null) {
      parent = new InteriorBuilder(file, level + 1);
    }
    parent.add(pageSeparator, written);
  }

  private int append() throws StorageException {
    int count = staged.count();
    int prefix = staged.prefixLength();
    int end = (int) InteriorLayout.end(count, prefix + restBytes);
    Arrays.fill(page, (byte) 0);
    Bytes.putShort(page, InteriorLayout.COUNT, count);
    Bytes.putShort(page, InteriorLayout.PREFIX_LENGTH, prefix);
    Bytes.putInt(page, InteriorLayout.END, end);
    page[InteriorLayout.LEVEL] = (byte) level;
    int children = InteriorLayout.children(count);
    int starts = InteriorLayout.starts(count);
    int startBytes = InteriorLayout.startBytes(end);
    Bytes.putInt(page, children, firstChild);
    int at = starts + startBytes * count;
    if (count > 0) {
      at = staged.copyPrefix(page, at);
    }
    for (int i = 0; i < count; i++) {
      Bytes.putLongBigEndian(page, InteriorLayout.HEADS + Long.BYTES * i, staged.head(i));
      Bytes.putInt(page, children + Integer.BYTES * (i + 1), staged.number(i));
      if (startBytes == Short.BYTES) {
        Bytes.putShort(page, starts + Short.BYTES * i, at);
      } else {
        Bytes.putInt(page, starts + Integer.BYTES * i, at);
      }
      at = staged.copyKeyRest(i, page, at);
    }
    assert at == end;
    staged.clear();
    restBytes = 0;
    return file.append(InteriorLayout.KIND, page, 1);
  }
}
