package dev.varve.common.page;

import dev.varve.common.error.StorageException;

/** Appends pages to a new component file. Confined to one task. */
public interface PageFileWriter {
  /** Size of one unit in bytes; a page is one or more units. */
  int pageSize();

  /** The number that the next appended page will get. */
  int nextPage();

  /**
   * Appends a page. The first {@link PageLayout#BODY} bytes of the buffer are overwritten with the
   * page header; the buffer may be reused afterwards.
   *
   * @param kind kind of page, for whoever reads it
   * @param page a buffer whose length is {@code units * pageSize()}
   * @return the page's number
   */
  int append(byte kind, byte[] page, int units) throws StorageException;

  /** Bytes appended so far. */
  long writtenBytes();
}
