package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFile;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The buffer cache keeps its budget, gives every reader the page it asked for, and forgets what
 * nobody uses. Method: pages say in every eight bytes which file and page they are.
 */
final class PageCacheTest {
  private static final int PAGE_SIZE = 256;
  private static final int PAGES = 200;
  private static final int[] SINGLE_PAGES = IntStream.generate(() -> 1).limit(PAGES).toArray();

  private final MemoryFileSystem disk = new MemoryFileSystem();
  private final FaultyFileSystem files = new FaultyFileSystem(disk);
  private final StampedFiles stamped = new StampedFiles(files, PAGE_SIZE);

  @BeforeEach
  void makeDirectory() throws StorageException {
    disk.createDirectories(Path.of("/store"));
  }

  @AfterEach
  void closingAllFilesLeavesNothingOpenOrPinned() {
    stamped.close();
    files.assertNothingOpen();
  }

  @Test
  void aPageIsReadOnceWhileItStays() throws StorageException {
    PageCache cache = new PageCache(100 * PAGE_SIZE);
    ComponentFile file = file(cache, 1);
    long before = files.callCount();
    for (int round = 0; round < 3; round++) {
      for (int page = 1; page <= 50; page++) {
        stamped.requirePage(file, page);
      }
    }
    assertEquals(50, files.callCount() - before);
    PageCacheStats stats = cache.stats();
    assertEquals(50, stats.misses());
    assertEquals(100, stats.hits());
    assertEquals(0, stats.evictions());
    assertEquals(50 * PAGE_SIZE, stats.bytes());
    assertEquals(100, cache.stats().hits());
  }

  @Test
  void aScanDoesNotPushOutWhatIsUsed() throws StorageException {
    PageCache cache = new PageCache(20 * PAGE_SIZE);
    ComponentFile file = file(cache, 1);
    for (int page = 11; page <= PAGES; page++) {
      stamped.requirePage(file, page);
      stamped.requirePage(file, 1 + page % 10);
    }
    PageCacheStats stats = cache.stats();
    assertEquals(20 * PAGE_SIZE, stats.bytes());
    assertEquals(PAGES, stats.misses());
    assertEquals(PAGES - 20, stats.evictions());
  }

  @Test
  void anOptimisticReadSeesCachedPagesOnlyAndKeepsWhatIsUsed() throws StorageException {
    PageCache cache = new PageCache(20 * PAGE_SIZE);
    ComponentFile file = file(cache, 1);
    for (int page : new int[] {-1, 0, 5, PAGES + 1, Integer.MAX_VALUE}) {
      assertNull(file.stamp(page));
      assertNull(file.optimisticBytes(page));
    }
    stamped.requirePage(file, 5);
    for (int page = 11; page <= PAGES; page++) {
      stamped.requirePage(file, page);
      PageFile.Stamp used = file.stamp(5);
      assertNotNull(used);
      byte[] bytes = Objects.requireNonNull(file.optimisticBytes(5));
      stamped.requireContent(file, 5, stamped.copy(bytes, file.optimisticAt(5)));
      assertTrue(file.validate(5, used));
    }
    assertEquals(PAGES - 10, cache.stats().hits());
    PageFile.Stamp late = Objects.requireNonNull(file.stamp(5));
    assertNotNull(file.optimisticBytes(5));
    file.close();
    assertFalse(file.validate(5, late));
    assertNull(file.stamp(5));
    assertNull(file.optimisticBytes(5));
  }

  @Test
  void oneOptimisticReadKeepsAPageForOneRoundMore() throws StorageException {
    PageCache cache = new PageCache(20 * PAGE_SIZE);
    ComponentFile file = file(cache, 1);
    stamped.requirePage(file, 5);
    PageFile.Stamp used = Objects.requireNonNull(file.stamp(5));
    assertTrue(file.validate(5, used));
    int stayed = 0;
    for (int page = 6; page <= PAGES && file.stamp(5) != null; page++) {
      stamped.requirePage(file, page);
      stayed++;
    }
    assertNull(file.stamp(5), "still there after " + stayed + " other pages");
    assertTrue(stayed > 20, "gone after " + stayed + " other pages");
    assertFalse(file.validate(5, used));
  }

  @Test
  void aMergeTakesNoCopyOfAPageThatWasPushedOutMeanwhile() throws StorageException {
    PageCache cache = new PageCache(10 * PAGE_SIZE);
    ComponentFile file = file(cache, 1);
    stamped.requirePage(file, 5);
    Frame found = file.frame(5);
    assertNotNull(found);
    stamped.requireContent(file, 5, assertNotNullAndGet(file.copyOf(found, new byte[0])));
    for (int page = 6; page < 50; page++) {
      stamped.requirePage(file, page);
    }
    assertNull(file.copyOf(found, new byte[0]));
    assertNull(file.copyOf(5, new byte[0]));
    stamped.requirePage(file, 5);
    assertNull(file.copyOf(found, new byte[0]), "another frame of the page");
    stamped.requireContent(file, 5, file.sequentialReader(PAGE_SIZE).read(5, new byte[0]));
  }

  private static byte[] assertNotNullAndGet(byte @Nullable [] bytes) {
    assertNotNull(bytes);
    return bytes;
  }

  /** Readers that pin nothing, while others push the pages out from under them. */
  @Test
  void whatAValidStampCoversWasThePage() throws Exception {
    // Blocks of two pages.
    PageCache cache = new PageCache(16 * PAGE_SIZE);
    ComponentFile[] shared = {file(cache, 1), file(cache, 2)};
    AtomicLong held = new AtomicLong();
    AtomicLong lost = new AtomicLong();
    inThreads(
        4,
        random -> {
          for (int round = 0; round < 20_000; round++) {
            ComponentFile file = shared[random.nextInt(2)];
            int number = 1 + random.nextInt(24);
            PageFile.Stamp stamp = file.stamp(number);
            if (stamp == null) {
              stamped.requirePage(file, number);
              continue;
            }
            byte[] bytes = file.optimisticBytes(number);
            if (bytes == null) {
              lost.incrementAndGet();
              continue;
            }
            int at = file.optimisticAt(number);
            if (at > bytes.length - PAGE_SIZE) {
              assertFalse(file.validate(number, stamp));
              continue;
            }
            byte[] copy = Arrays.copyOfRange(bytes, at, at + PAGE_SIZE);
            if (file.validate(number, stamp)) {
              stamped.requireContent(file, number, copy);
              held.incrementAndGet();
            } else {
              lost.incrementAndGet();
            }
          }
        });
    assertTrue(held.get() > 100, () -> held + " held, " + lost + " lost");
  }

  @Test
  void whenEverythingIsPinnedTheBudgetIsExceededAndKeptAgainLater() throws StorageException {
    PageCache cache = new PageCache(4 * PAGE_SIZE);
    ComponentFile file = file(cache, 1);
    List<PageFile.Page> pins = new ArrayList<>();
    for (int page = 1; page <= 10; page++) {
      pins.add(file.pin(page));
    }
    assertEquals(10 * PAGE_SIZE, cache.stats().bytes());
    assertEquals(6, cache.stats().overruns());
    for (int i = 0; i < pins.size(); i++) {
      stamped.requireContent(file, i + 1, pins.get(i));
      pins.get(i).close();
    }
    stamped.requirePage(file, 11);
    assertEquals(4 * PAGE_SIZE, cache.stats().bytes());
    assertEquals(6, cache.stats().overruns());
  }

  @Test
  void halfOfTheBudgetMayBeHeldUntilTheFileIsClosed() throws StorageException {
    PageCache cache = new PageCache(10 * PAGE_SIZE);
    ComponentFile file = file(cache, 1);
    PageFile.View first = file.tryHold(1);
    assertNotNull(first);
    assertSame(first, file.tryHold(1));
    for (int page = 2; page <= 5; page++) {
      assertNotNull(file.tryHold(page));
    }
    assertNull(file.tryHold(6));
    for (int page = 6; page <= PAGES; page++) {
      stamped.requirePage(file, page);
    }
    stamped.requireContent(file, 1, first);
    assertEquals(5 * PAGE_SIZE, cache.stats().heldBytes());
    assertEquals(0, cache.stats().overruns());
    file.close();
    assertEquals(0, cache.stats().heldBytes());
    ComponentFile other = file(cache, 2);
    assertNotNull(other.tryHold(1));
  }

  @Test
  void closingAFileFreesItsPagesForOthers() throws StorageException {
    PageCache cache = new PageCache(10 * PAGE_SIZE);
    ComponentFile first = file(cache, 1);
    for (int page = 1; page <= 10; page++) {
      stamped.requirePage(first, page);
    }
    first.close();
    first.close();
    ComponentFile second = file(cache, 2);
    for (int page = 1; page <= 10; page++) {
      stamped.requirePage(second, page);
    }
    PageCacheStats stats = cache.stats();
    assertEquals(0, stats.evictions());
    assertEquals(10 * PAGE_SIZE, stats.bytes());
    assertThrows(IllegalStateException.class, () -> first.pin(1));
    assertThrows(IllegalStateException.class, () -> first.readUncached(1, new byte[0]));
  }

  @Test
  void shardsFillEvenlyAndHaveTheWholeBudgetTogether() throws StorageException {
    int budget = 2200 * PAGE_SIZE + 7;
    PageCache cache = new PageCache(budget, 4, PageCache.TURN_NANOS);
    for (int id = 1; id <= 10; id++) {
      ComponentFile file = file(cache, id);
      for (int page = 1; page <= PAGES; page++) {
        stamped.requirePage(file, page);
      }
    }
    PageCacheStats stats = cache.stats();
    assertEquals(budget, stats.budgetBytes());
    assertEquals(10 * PAGES, stats.misses() + stats.readAhead());
    assertEquals(0, stats.evictions());
    assertEquals(10 * PAGES * PAGE_SIZE, stats.bytes());
    stamped.close();
    assertEquals(10 * PAGES * PAGE_SIZE, cache.stats().bytes());
    assertEquals(budget, cache.stats().budgetBytes());
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "31, 0", "32, 1", "63, 1", "64, 2", "128, 3", "256, 4", "2048, 4"})
  void aLargerCacheHasMoreShards(int mebibytes, int shardBits) {
    assertEquals(shardBits, PageCache.shardBits((long) mebibytes << 20));
  }

  @Test
  void pagesOfDifferentLengthsShareTheBudget() throws StorageException {
    PageCache cache = new PageCache(20 * PAGE_SIZE);
    int[] units = new int[40];
    for (int i = 0; i < units.length; i++) {
      units[i] = 1 + i % 7;
    }
    ComponentFile file = file(cache, 3, units);
    for (int round = 0; round < 3; round++) {
      int number = 1;
      for (int length : units) {
        stamped.requirePage(file, number);
        number += length;
        assertTrue(cache.stats().bytes() <= 20 * PAGE_SIZE);
      }
    }
    assertEquals(0, cache.stats().overruns());
  }

  @Test
  void aPageLargerThanTheBudgetIsReadAllTheSame() throws StorageException {
    PageCache cache = new PageCache(0);
    ComponentFile file = file(cache, 3, 5, 1);
    stamped.requirePage(file, 1);
    stamped.requirePage(file, 6);
    stamped.requirePage(file, 1);
    assertTrue(cache.stats().overruns() > 0);
    assertTrue(cache.stats().bytes() <= 6 * PAGE_SIZE);
  }

  @Test
  void unpinningTwiceAndReadingAfterItAreFound() throws StorageException {
    ComponentFile file = file(new PageCache(10 * PAGE_SIZE), 1);
    PageFile.Page page = file.pin(1);
    page.close();
    assertThrows(AssertionError.class, page::close);
    assertThrows(AssertionError.class, page::bytes);
    assertThrows(AssertionError.class, page::at);
  }

  @Test
  void aPinThatIsOutWhenTheFileIsClosedIsFound() throws StorageException {
    ComponentFile file = file(new PageCache(10 * PAGE_SIZE), 1);
    PageFile.Page leaked = file.pin(1);
    assertThrows(AssertionError.class, file::close);
    stamped.requireContent(file, 1, leaked);
  }

  @Test
  void pagesThatAreReadOneAfterTheOtherLieSideBySide() throws StorageException {
    PageCache cache = new PageCache(80 * PAGE_SIZE);
    ComponentFile file = file(cache, 1);
    for (int first = 1; first <= 50; first += 10) {
      byte[] block;
      try (PageFile.Page page = file.pin(first)) {
        block = page.bytes();
      }
      for (int i = 0; i < 10; i++) {
        try (PageFile.Page page = file.pin(first + i)) {
          assertSame(block, page.bytes());
          assertEquals(i * PageBlocks.stride(PAGE_SIZE), page.at());
          stamped.requireContent(file, first + i, page);
        }
      }
    }
  }

  @Test
  void pagesOfSeveralUnitsHaveArraysOfTheirOwn() throws StorageException {
    ComponentFile file = file(new PageCache(80 * PAGE_SIZE), 1, 1, 2, 1, 4);
    for (int number : new int[] {2, 5}) {
      try (PageFile.Page page = file.pin(number)) {
        assertEquals(0, page.at());
        stamped.requireContent(file, number, page.bytes());
      }
    }
  }

  @Test
  void noTwoPagesInTheCacheShareAPlace() throws StorageException {
    PageCache cache = new PageCache(24 * PAGE_SIZE);
    int[] units = new int[60];
    for (int i = 0; i < units.length; i++) {
      units[i] = i % 6 == 0 ? 2 : 1;
    }
    ComponentFile file = file(cache, 1, units);
    RandomGenerator random = Seeds.random(Seeds.one(78));
    int[] numbers = new int[units.length];
    for (int i = 1; i < units.length; i++) {
      numbers[i] = numbers[i - 1] + units[i - 1];
    }
    for (int round = 0; round < 200; round++) {
      List<PageFile.Page> pins = new ArrayList<>();
      Set<String> places = new HashSet<>();
      // More at once than the budget has room for, now and then.
      for (int i = random.nextInt(40); i > 0; i--) {
        pins.add(file.pin(1 + numbers[random.nextInt(units.length)]));
      }
      Set<Integer> pages = new HashSet<>();
      for (PageFile.Page page : pins) {
        pages.add((int) Bytes.getLong(page.bytes(), page.at() + PageLayout.BODY));
        places.add(System.identityHashCode(page.bytes()) + " " + page.at());
      }
      assertEquals(pages.size(), places.size());
      for (PageFile.Page page : pins) {
        int number = (int) Bytes.getLong(page.bytes(), page.at() + PageLayout.BODY);
        stamped.requireContent(file, number, page);
        page.close();
      }
    }
  }

  @Test
  void aPlaceThatGoesWithOtherBytesIsNotValid() throws StorageException {
    PageCache cache = new PageCache(16 * PAGE_SIZE);
    ComponentFile file = file(cache, 1);
    stamped.requirePage(file, 5);
    PageFile.Stamp stamp = Objects.requireNonNull(file.stamp(5));
    byte[] bytes = Objects.requireNonNull(file.optimisticBytes(5));
    int at = file.optimisticAt(5);
    for (int page = 6; file.has(5); page++) {
      stamped.requirePage(file, page);
    }
    // Between a reader's two questions the page goes, and comes back somewhere else.
    stamped.requirePage(file, 5);
    assertTrue(bytes != file.optimisticBytes(5) || at != file.optimisticAt(5));
    assertFalse(file.validate(5, stamp));
    PageFile.Stamp later = Objects.requireNonNull(file.stamp(5));
    byte[] found = Objects.requireNonNull(file.optimisticBytes(5));
    stamped.requireContent(file, 5, stamped.copy(found, file.optimisticAt(5)));
    assertTrue(file.validate(5, later));
  }

  @Test
  void theMemoryOfAPageThatWasPinnedWhenItsFileWasClosedIsUsedNoMore() throws StorageException {
    PageCache cache = new PageCache(16 * PAGE_SIZE);
    ComponentFile file = file(cache, 1);
    PageFile.Page leaked = file.pin(1);
    assertThrows(AssertionError.class, file::close);
    assertEquals(0, cache.stats().bytes());
    ComponentFile other = file(cache, 2);
    for (int page = 1; page <= PAGES; page++) {
      stamped.requirePage(other, page);
    }
    stamped.requireContent(file, 1, leaked);
  }

  @Test
  void anEvictedPageIsOverwritten() throws StorageException {
    PageCache cache = new PageCache(PAGE_SIZE);
    ComponentFile file = file(cache, 1, 1, 2);
    byte[] stale;
    try (PageFile.Page page = file.pin(1)) {
      stale = page.bytes();
      assertEquals(0, page.at());
    }
    stamped.requirePage(file, 2);
    for (byte b : stale) {
      assertEquals(PageCache.DEAD_BYTE, b);
    }
  }

  @Test
  void thePagesBesideOneThatIsEvictedStayAsTheyAre() throws StorageException {
    PageCache cache = new PageCache(24 * PAGE_SIZE);
    ComponentFile file = file(cache, 1);
    try (PageFile.Page first = file.pin(1);
        PageFile.Page third = file.pin(3)) {
      for (int page = 2; page <= PAGES; page++) {
        stamped.requirePage(file, page);
      }
      stamped.requireContent(file, 1, first);
      stamped.requireContent(file, 3, third);
    }
  }

  @Test
  void aDamagedPageIsNeverCachedAndCostsNoBytes() throws StorageException {
    PageCache cache = new PageCache(10 * PAGE_SIZE);
    ComponentFile file = file(cache, 1);
    Path path = Path.of(file.name());
    disk.damage(path, 5 * PAGE_SIZE + 100, 1);
    for (int i = 0; i < 20; i++) {
      assertThrows(CorruptionException.class, () -> file.pin(5));
    }
    assertTrue(cache.stats().bytes() <= PAGE_SIZE);
    disk.damage(path, 5 * PAGE_SIZE + 100, 1);
    stamped.requirePage(file, 5);
  }

  @Test
  void concurrentMissesReadAPageOnce() throws Exception {
    PageCache cache = new PageCache(2 * PAGES * PAGE_SIZE);
    stamped.write(1, SINGLE_PAGES);
    CountDownLatch reading = new CountDownLatch(1);
    Semaphore goOn = new Semaphore(0);
    AtomicBoolean stop = new AtomicBoolean();
    Runnable beforeRead =
        () -> {
          if (stop.get()) {
            reading.countDown();
            goOn.acquireUninterruptibly();
          }
        };
    FileSystem watched = new WatchedFiles(files, beforeRead);
    ComponentFile file = stamped.open(watched, cache, 1);
    stop.set(true);
    long before = files.callCount();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread first = new Thread(() -> pinInThread(file, failure));
    Thread second = new Thread(() -> pinInThread(file, failure));
    first.start();
    reading.await();
    second.start();
    while (second.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    goOn.release(2); // also a second read, which there should not be
    first.join();
    second.join();
    assertNull(failure.get());
    assertEquals(1, files.callCount() - before);
    assertEquals(1, cache.stats().misses());
    assertEquals(1, cache.stats().hits());
  }

  private void pinInThread(ComponentFile file, AtomicReference<Throwable> failure) {
    try {
      stamped.requirePage(file, 3);
    } catch (StorageException | AssertionError e) {
      failure.set(e);
    }
  }

  /** Files that run something before each read. */
  private record WatchedFiles(FileSystem files, Runnable beforeRead)
      implements ForwardingFileSystem {
    @Override
    public StorageFile opened(StorageFile file) {
      return new WatchedFile(file, beforeRead);
    }
  }

  private record WatchedFile(StorageFile file, Runnable beforeRead) implements ForwardingFile {
    @Override
    public int read(long position, byte[] target, int offset, int length) throws DiskException {
      beforeRead.run();
      return file.read(position, target, offset, length);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void manyThreadsInATinyCacheAlwaysSeeTheirPages(int shardBits) throws Exception {
    PageCache cache = new PageCache(24 * PAGE_SIZE, shardBits, PageCache.TURN_NANOS);
    int[] units = new int[PAGES / 2];
    int[] numbers = new int[units.length];
    for (int i = 0, number = 1; i < units.length; i++) {
      units[i] = i % 5 == 0 ? 3 : 1;
      numbers[i] = number;
      number += units[i];
    }
    ComponentFile[] shared = {file(cache, 1, units), file(cache, 2, units), file(cache, 3, units)};
    inThreads(
        6,
        random -> {
          List<PageFile.Page> pins = new ArrayList<>();
          List<Integer> wanted = new ArrayList<>();
          for (int round = 0; round < 4_000; round++) {
            ComponentFile file = shared[random.nextInt(3)];
            // Most pins go to few pages, so that evictors and readers meet on them.
            int bound = random.nextInt(4) == 0 ? numbers.length : 12;
            int number = numbers[random.nextInt(bound)];
            if (random.nextInt(50) == 0) {
              stamped.requireContent(file, number, file.readUncached(number, new byte[0]));
            }
            pins.add(file.pin(number));
            wanted.add(file == shared[0] ? number : file == shared[1] ? -number : 0);
            stamped.requireContent(file, number, pins.get(pins.size() - 1));
            while (pins.size() > random.nextInt(4)) {
              int last = pins.size() - 1;
              int expected = wanted.remove(last);
              if (expected != 0) {
                stamped.requireContent(
                    shared[expected > 0 ? 0 : 1], Math.abs(expected), pins.get(last));
              }
              pins.remove(last).close();
            }
          }
          pins.forEach(PageFile.Page::close);
        });
    PageCacheStats stats = cache.stats();
    assertTrue(stats.evictions() > 1000);
    // A pin that meets a frame in the moment of its eviction is counted there, and as a miss again.
    long pinned = stats.hits() + stats.misses();
    assertTrue(pinned >= 24_000 && pinned < 24_100, () -> pinned + " pins counted");
    assertTrue(stats.bytes() <= 24 * PAGE_SIZE + stats.overruns() * 3 * PAGE_SIZE);
    stamped.close();
    assertTrue(cache.stats().bytes() <= 24 * PAGE_SIZE);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void filesComeAndGoWhileOthersAreRead(int shardBits) throws Exception {
    PageCache cache = new PageCache(30 * PAGE_SIZE, shardBits, PageCache.TURN_NANOS);
    ComponentFile stable = file(cache, 1);
    for (int id = 10; id < 16; id++) {
      stamped.write(id, 1, 2, 3, 1, 1, 1, 4, 1);
    }
    inThreads(
        4,
        random -> {
          for (int round = 0; round < 500; round++) {
            try (ComponentFile own = StampedFiles.openOwn(files, cache, 10 + random.nextInt(6))) {
              own.tryHold(1);
              stamped.requirePage(own, 2);
              stamped.requirePage(own, 4);
              stamped.requirePage(stable, 1 + random.nextInt(PAGES));
              stamped.requirePage(own, 1);
            }
          }
        });
    assertEquals(0, cache.stats().heldBytes());
  }

  /** Work of one thread. */
  private interface Task {
    void run(RandomGenerator random) throws StorageException;
  }

  private static void inThreads(int count, Task task) throws InterruptedException {
    long seed = Seeds.one(77);
    CountDownLatch start = new CountDownLatch(1);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RandomGenerator random = Seeds.random(seed + i);
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  task.run(random);
                } catch (Throwable e) {
                  failure.compareAndSet(null, e);
                }
              });
      thread.start();
      threads.add(thread);
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new AssertionError("in a thread", failure.get());
    }
  }

  /** A file of single pages, unless told what units its pages have. */
  private ComponentFile file(PageCache cache, int id, int... units) throws StorageException {
    return stamped.file(cache, id, units.length == 0 ? SINGLE_PAGES : units);
  }
}
