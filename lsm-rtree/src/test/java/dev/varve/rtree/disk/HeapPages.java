package dev.varve.rtree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import dev.varve.common.page.PageLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A component file on the heap, without checksums: tests change its bytes and count its pins. Page
 * 0 is left empty, as the file header is. Pages in the cache begin somewhere in an array.
 */
final class HeapPages implements PageFile, PageFileWriter {
  /** Where in its array a page in the cache begins, and what stands around it. */
  static final int AT = 100;

  private static final byte NOISE = (byte) 0xA5;

  private final int pageSize;
  private final HeapPage page = new HeapPage();
  byte[] bytes;
  boolean refusesToHold;
  int pageCount = 1;
  int pinned;

  /** Pages that were held, and those that others were told to read, in turn. */
  final List<Integer> held = new ArrayList<>();

  final List<Integer> fetched = new ArrayList<>();

  /** Whether one of these had been held before. */
  boolean fetchedLate;

  /** Number of fetches that were not closed. */
  int fetches;

  int pins;
  private int lastPinned = -1;

  HeapPages(int pageSize) {
    this.pageSize = pageSize;
    this.bytes = new byte[pageSize];
  }

  /** One page at a time can be pinned, so one object serves and pinning allocates nothing. */
  private final class HeapPage implements Page {
    private byte[] content = Bytes.EMPTY;

    @Override
    public byte[] bytes() {
      return content;
    }

    @Override
    public int at() {
      return AT;
    }

    @Override
    public void close() {
      pinned--;
    }
  }

  /** A page that stays where it is. */
  private static final class HeldPage implements View {
    private final byte[] content;

    HeldPage(byte[] content) {
      this.content = content;
    }

    @Override
    public byte[] bytes() {
      return content;
    }

    @Override
    public int at() {
      return AT;
    }
  }

  /** Builds a tree of some entries and returns the root's page number. */
  int build(Collection<Entry> entries) throws StorageException {
    RTreeBuilder builder = new RTreeBuilder(this);
    for (Entry entry : entries) {
      builder.add(entry);
    }
    return builder.finish();
  }

  /** A copy whose bytes can be changed without changing this one. */
  HeapPages copy() {
    HeapPages copy = new HeapPages(pageSize);
    copy.bytes = bytes.clone();
    copy.pageCount = pageCount;
    return copy;
  }

  @Override
  public int append(byte kind, byte[] source, int units) {
    int number = pageCount;
    pageCount += units;
    bytes = Arrays.copyOf(bytes, pageCount * pageSize);
    int at = number * pageSize;
    System.arraycopy(source, 0, bytes, at, units * pageSize);
    Bytes.putLong(bytes, at, 0);
    bytes[at + PageLayout.KIND] = kind;
    bytes[at + PageLayout.UNITS] = (byte) units;
    return number;
  }

  @Override
  public Page pin(int pageNumber) throws CorruptionException {
    // Refilled on a change of page only, so that repeated finds allocate nothing.
    if (pageNumber != lastPinned) {
      page.content = readAside(pageNumber);
      lastPinned = pageNumber;
    }
    pins++;
    pinned++;
    return page;
  }

  @Override
  public @Nullable Stamp stamp(int pageNumber) {
    return null;
  }

  @Override
  public byte @Nullable [] optimisticBytes(int pageNumber) {
    return null;
  }

  @Override
  public int optimisticAt(int pageNumber) {
    return AT;
  }

  @Override
  public boolean validate(int pageNumber, Stamp stamp) {
    return false;
  }

  @Override
  public @Nullable View tryHold(int pageNumber) throws CorruptionException {
    held.add(pageNumber);
    return refusesToHold ? null : new HeldPage(readAside(pageNumber));
  }

  @Override
  public Fetch fetchAtOpening(int[] pages) {
    for (int page : pages) {
      fetchedLate |= held.contains(page);
      fetched.add(page);
    }
    fetches++;
    return () -> fetches--;
  }

  /** A page with noise before and behind it. */
  private byte[] readAside(int pageNumber) throws CorruptionException {
    byte[] read = readUncached(pageNumber, Bytes.EMPTY);
    byte[] aside = new byte[AT + read.length + AT];
    Arrays.fill(aside, NOISE);
    System.arraycopy(read, 0, aside, AT, read.length);
    return aside;
  }

  @Override
  public byte[] readUncached(int pageNumber, byte[] buffer) throws CorruptionException {
    // The same as a real file promises: no page, and no page's end, outside the file.
    if (pageNumber <= 0 || pageNumber >= pageCount) {
      throw new CorruptionException("heap", (long) pageNumber * pageSize, "no such page");
    }
    int at = pageNumber * pageSize;
    int units = bytes[at + PageLayout.UNITS] & 0xFF;
    if (units == 0 || units > pageCount - pageNumber) {
      throw new CorruptionException("heap", at, "units");
    }
    byte[] target = buffer.length < units * pageSize ? new byte[units * pageSize] : buffer;
    System.arraycopy(bytes, at, target, 0, units * pageSize);
    return target;
  }

  @Override
  public SequentialReader sequentialReader(int readAheadBytes) {
    return this::readUncached;
  }

  @Override
  public String name() {
    return "heap";
  }

  @Override
  public int pageSize() {
    return pageSize;
  }

  @Override
  public int pageCount() {
    return pageCount;
  }

  @Override
  public int nextPage() {
    return pageCount;
  }

  @Override
  public long writtenBytes() {
    return bytes.length;
  }

  @Override
  public void close() {
    // Nothing to give back.
  }
}
