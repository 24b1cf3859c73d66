package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.MemoryFileSystem;
import java.lang.Thread.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cache with room for all files brings pages that follow one that was missing, and never at
 * anybody's cost: not that of the page that was asked for, and not that of pages that are used.
 */
final class CacheFillTest {
  private static final int PAGE_SIZE = 16 << 10;

  /** Pages that are read ahead at most. */
  private static final int AHEAD = CacheFill.DISTANCE_BYTES / PAGE_SIZE;

  private static final int PAGES = 10 * AHEAD;
  private static final long ALL_BYTES = (PAGES + 2) * (long) PAGE_SIZE;

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
  void aPageThatIsFarFromOthersComesAlone() throws StorageException {
    PageCache cache = new PageCache(ALL_BYTES);
    ComponentFile file = file(cache, 1);
    for (int page = 1; page <= PAGES; page += AHEAD + 1) {
      stamped.requirePage(file, page);
    }
    assertEquals(0, cache.stats().readAhead());
    assertEquals(cache.stats().misses() * PAGE_SIZE, cache.stats().bytes());
  }

  @ParameterizedTest
  @CsvSource({"20, 21", "20, 28", "28, 20", "21, 20"})
  void aPageCloseToAnotherBringsThoseBehindIt(int first, int second) throws StorageException {
    PageCache cache = new PageCache(ALL_BYTES);
    ComponentFile file = file(cache, 1);
    stamped.requirePage(file, first);
    long before = files.callCount();
    stamped.requirePage(file, second);
    int behind = first > second ? first - second - 1 : AHEAD;
    assertEquals(behind == 0 ? 1 : 2, files.callCount() - before);
    for (int i = 1; i <= behind; i++) {
      stamped.requirePage(file, second + i);
    }
    assertEquals(behind == 0 ? 1 : 2, files.callCount() - before);
    PageCacheStats stats = cache.stats();
    assertEquals(2, stats.misses());
    assertEquals(behind, stats.readAhead());
    assertEquals(behind, stats.hits());
    assertEquals((2L + behind) * PAGE_SIZE, stats.bytes());
  }

  @Test
  void aWalkOverTheFileReadsAFewTimesOnly() throws StorageException {
    PageCache cache = new PageCache(ALL_BYTES);
    ComponentFile file = file(cache, 1);
    long before = files.callCount();
    for (int page = 1; page <= PAGES; page++) {
      stamped.requirePage(file, page);
    }
    assertTrue(files.callCount() - before <= 1 + 2 * 10, () -> "" + (files.callCount() - before));
    assertEquals(PAGES, cache.stats().misses() + cache.stats().readAhead());
  }

  @Test
  void aReaderBringsOnePageWhileSomebodyFillsTheCache() throws StorageException {
    PageCache cache = new PageCache(ALL_BYTES);
    ComponentFile file = file(cache, 1);
    cache.beginFill();
    cache.beginFill();
    stamped.requirePage(file, 20);
    stamped.requirePage(file, 21);
    assertEquals(0, cache.stats().readAhead());
    cache.endFill();
    stamped.requirePage(file, 22);
    assertEquals(AHEAD, cache.stats().readAhead());
  }

  @Test
  void readersWhoOutnumberTheProcessorsWaitWhileSomebodyFillsTheCache() throws Exception {
    PageCache cache = new PageCache(1L << 30, 0, TimeUnit.MINUTES.toNanos(3));
    HaltedFiles halted = new HaltedFiles(files, 2 * PAGE_SIZE);
    cache.beginFill();
    List<FutureTask<Void>> readers = haltedReaders(halted, cache);
    HaltedFiles.Reading oneMore = secondPage(halted, cache, 0);
    FutureTask<Void> waiting =
        new FutureTask<>(
            () -> {
              oneMore.run();
              return null;
            });
    Thread thread = new Thread(waiting);
    thread.start();
    while (thread.getState() != State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertEquals(0, halted.began().availablePermits());

    halted.goOn().release();
    halted.awaitHalt();
    cache.endFill();
    readers.add(halted.whileHalted(secondPage(halted, cache, readers.size() + 1)));
    readers.add(waiting);
    goOn(halted, readers);
  }

  @Test
  void readersWaitForASlowDiskNoLongerThanItsReadsShouldTake() throws Exception {
    PageCache cache = new PageCache(1L << 30);
    HaltedFiles halted = new HaltedFiles(files, 2 * PAGE_SIZE);
    cache.beginFill();
    List<FutureTask<Void>> readers = haltedReaders(halted, cache);
    readers.add(halted.whileHalted(secondPage(halted, cache, 0)));
    goOn(halted, readers);
  }

  /** As many readers as there are processors, of a file each. */
  private List<FutureTask<Void>> haltedReaders(HaltedFiles halted, PageCache cache)
      throws Exception {
    List<FutureTask<Void>> readers = new ArrayList<>();
    for (int id = 1; id <= Runtime.getRuntime().availableProcessors(); id++) {
      readers.add(halted.whileHalted(secondPage(halted, cache, id)));
    }
    return readers;
  }

  private static void goOn(HaltedFiles halted, List<FutureTask<Void>> readers) throws Exception {
    halted.goOn().release(readers.size());
    for (FutureTask<Void> reader : readers) {
      reader.get();
    }
  }

  private HaltedFiles.Reading secondPage(HaltedFiles halted, PageCache cache, int id)
      throws StorageException {
    stamped.write(id, 1, 1);
    ComponentFile file = stamped.open(halted, cache, id);
    return () -> stamped.requirePage(file, 2);
  }

  @Test
  void nothingIsReadAheadWhileTheOpenFilesDoNotFit() throws StorageException {
    PageCache cache = new PageCache(2 * ALL_BYTES - 1);
    ComponentFile file = file(cache, 1);
    ComponentFile other = file(cache, 2);
    stamped.requirePage(file, 1);
    stamped.requirePage(file, 2);
    assertEquals(0, cache.stats().readAhead());
    other.close();
    stamped.requirePage(file, 3);
    assertEquals(AHEAD, cache.stats().readAhead());
  }

  @Test
  void whatWasReadAheadGoesFirstWhenOthersComeAndNobodyUsedIt() throws StorageException {
    PageCache cache = new PageCache(ALL_BYTES);
    ComponentFile file = file(cache, 1);
    int[] used = {1, 2, 2 + AHEAD};
    for (int page : used) {
      stamped.requirePage(file, page);
    }
    assertEquals(AHEAD, cache.stats().readAhead());
    ComponentFile other = file(cache, 2);
    for (int page = 1; file.stamp(3) != null; page++) {
      stamped.requirePage(other, page);
      for (int old : used) {
        stamped.requirePage(file, old);
      }
    }
    assertTrue(cache.stats().evictions() > 0);
    for (int page : used) {
      assertTrue(file.has(page), () -> "page " + page + " is gone");
    }
  }

  @Test
  void wantedIsWhatSomebodyAskedForThenOrLater() throws StorageException {
    ComponentFile file = file(new PageCache(ALL_BYTES), 1);
    stamped.requirePage(file, 1);
    stamped.requirePage(file, 2);
    assertEquals(2 * PAGE_SIZE, file.wantedBytes());
    stamped.requirePage(file, 4);
    assertEquals(3 * PAGE_SIZE, file.wantedBytes());
    PageFile.Stamp stamp = Objects.requireNonNull(file.stamp(5));
    assertTrue(file.validate(5, stamp));
    assertEquals(4 * PAGE_SIZE, file.wantedBytes());
  }

  @Test
  void longPagesComeWholeOrNotAtAll() throws StorageException {
    PageCache cache = new PageCache(1L << 30);
    int[] units = new int[60];
    for (int i = 0; i < units.length; i++) {
      units[i] = 1 + i % 5 * 3 % 7;
    }
    units[30] = AHEAD + 3;
    ComponentFile file = stamped.file(cache, 1, units);
    for (int round = 0; round < 2; round++) {
      int number = 1;
      for (int length : units) {
        stamped.requirePage(file, number);
        number += length;
      }
    }
    PageCacheStats stats = cache.stats();
    assertEquals(units.length, stats.misses() + stats.readAhead());
    assertTrue(stats.readAhead() > 10, stats::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"EIO", "SHORT 5", "FLIP 33", "FLIP 300000"})
  void aReadAheadThatFailsOrLiesLeavesOnlyItsPagesOut(String fault) throws StorageException {
    PageCache cache = new PageCache(ALL_BYTES);
    ComponentFile file = file(cache, 1);
    stamped.requirePage(file, 1);
    files.setPlan("read * 2 " + fault);
    int before = files.faultCount();
    stamped.requirePage(file, 2);
    assertEquals(before + 1, files.faultCount());
    PageCacheStats stats = cache.stats();
    assertTrue(stats.readAhead() < AHEAD, stats::toString);
    files.setPlan("");
    for (int page = 1; page <= PAGES; page++) {
      stamped.requirePage(file, page);
    }
    assertTrue(cache.stats().bytes() <= PAGES * PAGE_SIZE);
  }

  @Test
  void aDamagedPageIsReportedToWhoAsksForIt() throws StorageException {
    PageCache cache = new PageCache(ALL_BYTES);
    ComponentFile file = file(cache, 1);
    disk.damage(Path.of(file.name()), 5 * PAGE_SIZE + 100, 1);
    stamped.requirePage(file, 1);
    stamped.requirePage(file, 2);
    assertEquals(2, cache.stats().readAhead());
    assertThrows(CorruptionException.class, () -> file.pin(5));
    stamped.requirePage(file, 6);
  }

  @Test
  void memoryThatRunsOutLeavesNoPinBehind() throws StorageException {
    ComponentFile file = file(new PageCache(ALL_BYTES), 1);
    stamped.requirePage(file, 1);
    files.setPlan("read * 2 OOM");
    assertThrows(OutOfMemoryError.class, () -> file.pin(2));
    files.setPlan("");
    stamped.requirePage(file, 2);
    file.close(); // finds pins
  }

  @Test
  void pagesThatNobodyAskedForGetNoMoreThanThereIs() {
    CacheShard shard = new CacheShard(2 * PAGE_SIZE, new PageBlocks(2 * PAGE_SIZE));
    PageBuffer asked = shard.take(1, PAGE_SIZE);
    assertNotNull(shard.takeIfRoom(1, PAGE_SIZE));
    assertNull(shard.takeIfRoom(1, PAGE_SIZE));
    shard.giveBack(asked);
    assertSame(asked, shard.takeIfRoom(1, PAGE_SIZE));
    assertEquals(0, shard.stats().overruns());
  }

  @Test
  void whoWantsAPageThatIsBeingReadAheadReadsItAlone() throws Exception {
    PageCache cache = new PageCache(ALL_BYTES);
    stamped.write(1, singlePages());
    HaltedFiles halted = new HaltedFiles(files, 3 * PAGE_SIZE);
    ComponentFile file = stamped.open(halted, cache, 1);
    stamped.requirePage(file, 1);
    FutureTask<Void> first = halted.whileHalted(() -> stamped.requirePage(file, 2));
    stamped.requirePage(file, 4);
    assertNull(file.stamp(5), "read ahead by the second, too");
    PageFile.Stamp alone = Objects.requireNonNull(file.stamp(4));
    halted.goOn().release();
    first.get();
    assertTrue(file.validate(4, alone), "replaced by the one that was read ahead");
    assertNotNull(file.stamp(5));
    assertFalse(file.has(2 + AHEAD + 1));
    PageCacheStats stats = cache.stats();
    assertEquals(3, stats.misses());
    assertEquals(AHEAD - 1, stats.readAhead());
    assertEquals((2 + AHEAD) * PAGE_SIZE, stats.bytes());
  }

  @Test
  void whoReadsAheadWaitsForNobodyWhoReadsAPageAlone() throws Exception {
    PageCache cache = new PageCache(ALL_BYTES);
    stamped.write(1, singlePages());
    HaltedFiles halted = new HaltedFiles(files, 4 * PAGE_SIZE);
    ComponentFile file = stamped.open(halted, cache, 1);
    stamped.requirePage(file, 1);
    FutureTask<Void> other = halted.whileHalted(() -> stamped.requirePage(file, 4));
    stamped.requirePage(file, 2);
    assertFalse(other.isDone());
    assertFalse(file.has(4));
    assertTrue(file.has(3) && file.has(5) && file.has(2 + AHEAD));
    halted.goOn().release();
    other.get();
    assertEquals(AHEAD - 1, cache.stats().readAhead());
  }

  private ComponentFile file(PageCache cache, int id) throws StorageException {
    return stamped.file(cache, id, singlePages());
  }

  private static int[] singlePages() {
    int[] units = new int[PAGES];
    Arrays.fill(units, 1);
    return units;
  }
}
