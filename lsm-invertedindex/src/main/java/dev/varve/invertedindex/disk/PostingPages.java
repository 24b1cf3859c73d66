package dev.varve.invertedindex.disk;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFile;

/** How a reader of postings gets at pages. Confined to one thread. */
@FunctionalInterface
interface PostingPages {
  /** Opens a page. */
  @MustBeClosed
  PageFile.Page open(int pageNumber) throws StorageException;

  /** Pages in ascending order, each as often as wanted, past the cache. */
  static PostingPages sequential(PageFile file, int readAheadBytes) {
    return new Sequential(file.sequentialReader(readAheadBytes))::open;
  }

  /** Keeps the page that was read last. */
  final class Sequential implements PageFile.Page {
    private final PageFile.SequentialReader reader;
    private byte[] page = Bytes.EMPTY;
    private int number = -1;

    Sequential(PageFile.SequentialReader reader) {
      this.reader = reader;
    }

    @MustBeClosed
    PageFile.Page open(int pageNumber) throws StorageException {
      if (pageNumber != number) {
        page = reader.read(pageNumber, page);
        number = pageNumber;
      }
      return this;
    }

    @Override
    public byte[] bytes() {
      return page;
    }

    @Override
    public int at() {
      return 0;
    }

    @Override
    public void close() {
      // The page stays for the next list, which often begins in it.
    }
  }
}
