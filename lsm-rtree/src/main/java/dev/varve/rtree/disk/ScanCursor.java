package dev.varve.rtree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageFile;

/**
 * Walks all leaves in the order in which they lie in the file, past the cache, for a merge.
 * Confined to one thread.
 */
final class ScanCursor implements EntryCursor {
  /** Bytes to read at a time: a merge of many components holds this much for each. */
  private static final int READ_AHEAD = 256 << 10;

  private final Directory directory;
  private final PageFile.SequentialReader pages;
  private final LeafReader reader;
  private final Entry entry = new Entry();
  private final int leafCount;
  private byte[] page = Bytes.EMPTY;
  private int nextLeaf;
  private int slot;
  private int count;

  ScanCursor(PageFile file, Directory directory) {
    this.directory = directory;
    this.leafCount = directory.leafCount();
    this.pages = file.sequentialReader(leafCount == 1 ? file.pageSize() : READ_AHEAD);
    this.reader = new LeafReader(file);
  }

  @Override
  public boolean next() throws StorageException {
    if (slot == count) {
      if (nextLeaf == leafCount) {
        return false;
      }
      int pageNumber = directory.leafPage(nextLeaf++);
      page = pages.read(pageNumber, page);
      reader.load(page, 0, pageNumber);
      slot = 0;
      count = reader.count();
    }
    reader.view(slot++, entry);
    return true;
  }

  @Override
  public Entry entry() {
    return entry;
  }

  @Override
  public long position() {
    return reader.liesAt(slot - 1);
  }

  @Override
  public void close() {
    // Nothing is pinned; the page goes with the cursor.
    nextLeaf = leafCount;
    slot = 0;
    count = 0;
  }
}
