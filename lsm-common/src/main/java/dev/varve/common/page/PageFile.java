package dev.varve.common.page;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import org.jspecify.annotations.Nullable;

/** A sealed component file, read through the buffer cache. Thread-safe. */
public interface PageFile extends AutoCloseable {
  /** The file's path, for messages. */
  String name();

  /** Size of one unit in bytes. */
  int pageSize();

  /** Number of units in the file, the file header and the metadata page included. */
  int pageCount();

  /** Pins a page into the cache, reading and checking it if it is not there. */
  @MustBeClosed
  Page pin(int pageNumber) throws StorageException;

  /**
   * Looks at a page that is in the cache, without keeping it there: for reads of a few bytes, which
   * cost less than a pin. May be called while the file is being closed, and after that. Waits for
   * one look into the file's table, and for nothing of the page.
   *
   * @return null when the page is not in the cache; then pin it
   */
  @Nullable Stamp stamp(int pageNumber);

  /**
   * The array with the bytes of a page that is in the cache, header included; {@link #optimisticAt}
   * says where in it. They may be overwritten at any time with those of another page. So their
   * reader checks every offset and length that it found before following it, and trusts nothing
   * that it read until a {@link Stamp} that was taken before is found to {@linkplain #validate
   * hold}.
   *
   * @return null when the page is not in the cache; then pin it
   */
  byte @Nullable [] optimisticBytes(int pageNumber);

  /**
   * Where in its {@link #optimisticBytes} a page begins: asked after these were found, and before
   * they are read. Where the page has changed meanwhile, it may be a place that does not go with
   * them, or lies outside of them.
   */
  int optimisticAt(int pageNumber);

  /**
   * Whether everything that was read of a page until now was the page's. Counts as a use of the
   * page if so.
   *
   * @param stamp of the page, taken before its bytes were asked for
   */
  boolean validate(int pageNumber, Stamp stamp);

  /**
   * Pins a page until the file is closed, for pages that every search reads. The cache refuses when
   * half of its budget is held like this; the caller then pins for each use.
   *
   * @return the page, valid until the file is closed; null when the cache refuses
   */
  @Nullable View tryHold(int pageNumber) throws StorageException;

  /**
   * Reads a page past the cache, for scans by merges that would push out what readers use.
   *
   * @param buffer reused when it is long enough
   * @return the page, header included: {@code buffer} or a longer array
   */
  byte[] readUncached(int pageNumber, byte[] buffer) throws StorageException;

  /**
   * Reads pages past the cache in ascending order, many with one call of the operating system.
   *
   * @param readAheadBytes how much is read at a time
   */
  SequentialReader sequentialReader(int readAheadBytes);

  /**
   * Has others read pages into the cache, several at once, for a caller that is about to ask for
   * them in their order. It need not wait for that: what was not read yet is read when it is asked
   * for.
   *
   * @param pages ascending, more than one; not to be written any more
   * @return closed by the caller when it wants no more of them, and before it leaves the file; null
   *     when nobody reads them for it
   */
  default @Nullable Fetch fetch(int[] pages) {
    return null;
  }

  /**
   * As {@link #fetch}, of pages that the cache hardly has any of, since the file was just opened.
   *
   * @param pages as there, but may be fewer than two
   */
  default @Nullable Fetch fetchAtOpening(int[] pages) {
    return null;
  }

  /** Pages that are being read for somebody. */
  @FunctionalInterface
  interface Fetch extends AutoCloseable {
    /** Ends the reading, and waits for pages that are being read. */
    @Override
    void close();
  }

  /** Where a page stands in memory. */
  interface View {
    /** An array with the page's bytes, header included, and others'; not to be written. */
    byte[] bytes();

    /** Where in {@link #bytes} the page begins. */
    int at();
  }

  /** A pinned page, valid until it is unpinned by {@link #close}. Confined to one thread. */
  interface Page extends View, AutoCloseable {
    /** Unpins; must be called exactly once. */
    @Override
    void close();
  }

  /**
   * The state of a cached page before an optimistic read, which takes no pin; {@link #validate}
   * says afterwards whether the bytes read were the page's.
   */
  interface Stamp {
    /**
     * Prefetches what a pin of the page would look at first.
     *
     * @return a number that depends on what was read, so that the reads are not left out
     */
    int prefetch();
  }

  /** Pages in ascending order, read past the cache. Confined to one thread; holds only memory. */
  interface SequentialReader {
    /**
     * Reads a page; fast when its number is above that of the page read before.
     *
     * @param buffer reused when it is long enough
     * @return the page, header included: {@code buffer} or a longer array
     */
    byte[] read(int pageNumber, byte[] buffer) throws StorageException;
  }

  @Override
  void close();
}
