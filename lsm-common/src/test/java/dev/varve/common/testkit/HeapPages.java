package dev.varve.common.testkit;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import dev.varve.common.page.PageLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A component file on the heap, without checksums: tests of every kind of index change its bytes
 * and count its pins. Page 0 is left empty, as the file header is. Pages in the cache begin
 * somewhere in an array, and a pinned one is overwritten when it is given back.
 */
public final class HeapPages implements PageFile, PageFileWriter {
  /** Where in its array a page in the cache begins, and what stands around it. */
  private static final int AT = 100;

  private static final byte NOISE = (byte) 0xA5;

  /** What a page that was given back is overwritten with. */
  private static final byte GONE = (byte) 0xCC;

  private final int pageSize;
  private final Function<? super PageFileWriter, ? extends DiskIndexBuilder> builder;
  public byte[] bytes;
  public boolean refusesToHold;
  public boolean cached = true;
  public boolean stampsValid = true;
  public int pageCount = 1;
  public int pinned;
  public int pins;

  /** Pages that were held, and those that others were told to read, in turn. */
  public final List<Integer> held = new ArrayList<>();

  public final List<Integer> fetched = new ArrayList<>();

  /** Whether one of these had been held before. */
  public boolean fetchedLate;

  /** Number of fetches that were not closed. */
  public int fetches;

  /** Pages given back: the next pins take them, so that repeated finds allocate nothing. */
  private final Deque<PinnedPage> unpinned = new ArrayDeque<>();

  private final StampedPage stamped = new StampedPage();
  private int lastStamped = -1;

  public HeapPages(
      int pageSize, Function<? super PageFileWriter, ? extends DiskIndexBuilder> builder) {
    this.pageSize = pageSize;
    this.builder = builder;
    this.bytes = new byte[pageSize];
  }

  /** A page that stays where it is. */
  private static class HeldPage implements View {
    byte[] content = Bytes.EMPTY;

    @Override
    public final byte[] bytes() {
      return content;
    }

    @Override
    public final int at() {
      return AT;
    }
  }

  /** A copy of a page, made unusable when it is given back. */
  private final class PinnedPage extends HeldPage implements Page {
    @Override
    public void close() {
      Arrays.fill(content, GONE);
      pinned--;
      unpinned.push(this);
    }
  }

  /** One page at a time is looked at without a pin. */
  private final class StampedPage extends HeldPage implements Stamp {
    @Override
    public int prefetch() {
      return pinned;
    }
  }

  /** Builds an index of some entries and returns the root's page number. */
  public int build(Collection<Entry> entries) throws StorageException {
    DiskIndexBuilder index = builder.apply(this);
    for (Entry entry : entries) {
      index.add(entry);
    }
    return index.finish();
  }

  /** A copy whose bytes can be changed without changing this one. */
  public HeapPages copy() {
    HeapPages copy = new HeapPages(pageSize, builder);
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
    PinnedPage page = unpinned.isEmpty() ? new PinnedPage() : unpinned.pop();
    fill(page, pageNumber);
    pins++;
    pinned++;
    return page;
  }

  @Override
  public @Nullable Stamp stamp(int pageNumber) {
    if (!cached) {
      return null;
    }
    if (pageNumber != lastStamped) {
      try {
        fill(stamped, pageNumber);
      } catch (CorruptionException e) {
        return null;
      }
      lastStamped = pageNumber;
    }
    return stamped;
  }

  @Override
  public byte @Nullable [] optimisticBytes(int pageNumber) {
    return stamp(pageNumber) == null ? null : stamped.content;
  }

  @Override
  public int optimisticAt(int pageNumber) {
    return AT;
  }

  @Override
  public boolean validate(int pageNumber, Stamp stamp) {
    return stampsValid && stamp == stamped && pageNumber == lastStamped;
  }

  @Override
  public @Nullable View tryHold(int pageNumber) throws CorruptionException {
    held.add(pageNumber);
    if (refusesToHold) {
      return null;
    }
    HeldPage page = new HeldPage();
    fill(page, pageNumber);
    return page;
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

  /** Copies a page into another's array, with noise before and behind it. */
  private void fill(HeldPage page, int pageNumber) throws CorruptionException {
    int length = check(pageNumber);
    if (page.content.length != AT + length + AT) {
      page.content = new byte[AT + length + AT];
    }
    Arrays.fill(page.content, NOISE);
    System.arraycopy(bytes, pageNumber * pageSize, page.content, AT, length);
  }

  /** The same as a real file promises: no page, and no page's end, outside the file. */
  private int check(int pageNumber) throws CorruptionException {
    if (pageNumber <= 0 || pageNumber >= pageCount) {
      throw new CorruptionException("heap", (long) pageNumber * pageSize, "no such page");
    }
    int at = pageNumber * pageSize;
    int units = bytes[at + PageLayout.UNITS] & 0xFF;
    if (units == 0 || units > pageCount - pageNumber) {
      throw new CorruptionException("heap", at, "units");
    }
    return units * pageSize;
  }

  @Override
  public byte[] readUncached(int pageNumber, byte[] buffer) throws CorruptionException {
    int length = check(pageNumber);
    byte[] target = buffer.length < length ? new byte[length] : buffer;
    System.arraycopy(bytes, pageNumber * pageSize, target, 0, length);
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
