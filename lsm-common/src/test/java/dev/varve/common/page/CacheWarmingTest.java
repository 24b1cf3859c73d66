package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFile;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages are brought into the cache in order, a batch with one read, and at the cost of none. */
final class CacheWarmingTest {
  private static final int PAGE_SIZE = 4096;
  private static final int UNITS_IN_BATCH = CacheWarming.BATCH_BYTES / PAGE_SIZE;

  private final MemoryFileSystem disk = new MemoryFileSystem();
  private final FaultyFileSystem files = new FaultyFileSystem(disk);
  private final StampedFiles stamped = new StampedFiles(files, PAGE_SIZE);
  private final CacheWarming warming = new CacheWarming();

  @BeforeEach
  void makeDirectory() throws StorageException {
    disk.createDirectories(Path.of("/store"));
  }

  @AfterEach
  void closingAllFilesLeavesNothingOpenOrPinned() {
    stamped.close();
    files.assertNothingOpen();
  }

  private static int[] pages(int count, int units) {
    int[] pages = new int[count];
    Arrays.fill(pages, units);
    return pages;
  }

  /** Steps to the end, and returns the bytes that were read. */
  private long warm(ComponentFile file, long mostBytes) throws StorageException {
    long read = 0;
    int next = 1;
    while (next < file.pageCount()) {
      CacheWarming.Step step = warming.step(file, next, file.pageCount(), mostBytes);
      assertTrue(step.readBytes() <= Math.max(PAGE_SIZE, mostBytes), step::toString);
      if (step.readBytes() == 0) {
        return read;
      }
      assertTrue(step.next() > next, step::toString);
      next = step.next();
      read += step.readBytes();
    }
    return read;
  }

  @Test
  void aWholeFileComesWithOneReadABatch() throws StorageException {
    PageCache cache = new PageCache(64 << 20);
    ComponentFile file = stamped.file(cache, 1, pages(3 * UNITS_IN_BATCH, 1));
    long before = files.callCount();
    assertEquals(3L * CacheWarming.BATCH_BYTES, warm(file, Long.MAX_VALUE));
    assertEquals(3, files.callCount() - before);
    for (int page = 1; page <= 3 * UNITS_IN_BATCH; page++) {
      stamped.requirePage(file, page);
    }
    assertEquals(0, cache.stats().misses());
    assertEquals(0, warm(file, Long.MAX_VALUE), "nothing is read again");
  }

  @Test
  void pagesOfAnyLengthComeWholeOrAreLeftOut() throws StorageException {
    int[] units = new int[120];
    for (int i = 0; i < units.length; i++) {
      units[i] = 1 + i % 5 * 3 % 7;
    }
    PageCache cache = new PageCache(64 << 20);
    ComponentFile file = stamped.file(cache, 1, units);
    stamped.requirePage(file, 1 + units[0]);
    warm(file, 5 * PAGE_SIZE);
    int number = 1;
    for (int length : units) {
      assertEquals(length <= 5, file.has(number), "page " + number);
      stamped.requirePage(file, number);
      number += length;
    }
  }

  @Test
  void nothingIsPushedOutForPagesThatNobodyAskedFor() throws StorageException {
    PageCache cache = new PageCache(40 * PAGE_SIZE);
    ComponentFile used = stamped.file(cache, 1, pages(30, 1));
    ComponentFile other = stamped.file(cache, 2, pages(30, 1));
    assertFalse(cache.fitsAll());
    for (int page = 1; page <= 30; page++) {
      stamped.requirePage(used, page);
    }
    warm(other, Long.MAX_VALUE);
    for (int page = 1; page <= 30; page++) {
      assertTrue(used.has(page), "page " + page);
    }
    assertTrue(other.has(1) && !other.has(30));
    assertEquals(0, cache.stats().evictions());
  }

  @Test
  void theRangeThatIsWantedIsRead() throws StorageException {
    ComponentFile file = stamped.file(new PageCache(64 << 20), 1, pages(50, 1));
    CacheWarming.Step step = warming.step(file, 10, 20, Long.MAX_VALUE);
    assertEquals(new CacheWarming.Step(20, 10 * PAGE_SIZE), step);
    assertTrue(file.has(10) && file.has(19));
    assertFalse(file.has(9) || file.has(20));
  }

  /**
   * A file that notes where what is brought into the system's cache ends.
   *
   * @param file another
   * @param ends in the order of the calls
   */
  private record NotingFile(StorageFile file, List<Long> ends) implements ForwardingFile {
    @Override
    public void prefetch(long position, long length) throws DiskException {
      assertEquals(ends.isEmpty() ? PAGE_SIZE : ends.get(ends.size() - 1), position);
      ends.add(position + length);
      file.prefetch(position, length);
    }
  }

  /**
   * Files that note the same, in one list.
   *
   * @param files others
   * @param ends of all files
   */
  private record NotingFiles(FileSystem files, List<Long> ends) implements ForwardingFileSystem {
    @Override
    public StorageFile opened(StorageFile file) {
      return new NotingFile(file, ends);
    }
  }

  @Test
  void whatIsPassedComesIntoTheSystemsCacheOnly() throws StorageException {
    List<Long> ends = new ArrayList<>();
    PageCache cache = new PageCache(64 << 20);
    try (StampedFiles noting = new StampedFiles(new NotingFiles(disk, ends), PAGE_SIZE)) {
      ComponentFile file = noting.file(cache, 1, pages(2 * UNITS_IN_BATCH, 1));
      int next = 1;
      while (next < file.pageCount()) {
        CacheWarming.Step step = CacheWarming.pass(file, next, Long.MAX_VALUE);
        assertEquals((step.next() - next) * (long) PAGE_SIZE, step.readBytes());
        next = step.next();
      }
      long size = disk.size(Path.of(file.name()));
      long batch = CacheWarming.BATCH_BYTES;
      assertEquals(List.of(PAGE_SIZE + batch, PAGE_SIZE + 2 * batch, size), ends);
      assertFalse(file.has(1));
      ends.clear();
      assertEquals(2, CacheWarming.pass(file, 1, 10).next(), "one unit at least");
    }
  }

  @Test
  void aDamagedPageEndsIt() throws StorageException {
    ComponentFile file = stamped.file(new PageCache(64 << 20), 1, pages(50, 1));
    disk.damage(Path.of(file.name()), 5 * PAGE_SIZE + 100, 1);
    assertThrows(CorruptionException.class, () -> warm(file, Long.MAX_VALUE));
    assertTrue(file.has(4));
    assertFalse(file.has(5));
  }
}
