package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SteppedExecutor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Pages that somebody is about to ask for are read by others, who do nothing after that one has no
 * use for them any more, and whom nobody has to wait for.
 */
@SuppressWarnings("try") // who fetches is not asked for anything but to end
final class PageFetchTest {
  private static final int PAGE_SIZE = 4 << 10;
  private static final int PAGES = 100;

  /** Less than the file has. */
  private static final long BUDGET = 80 * PAGE_SIZE;

  private final MemoryFileSystem disk = new MemoryFileSystem();
  private final FaultyFileSystem files = new FaultyFileSystem(disk);
  private final StampedFiles stamped = new StampedFiles(files, PAGE_SIZE);
  private final SteppedExecutor executor = new SteppedExecutor(new ManualClock(), 1);
  private final PageCache cache = new PageCache(BUDGET);

  @BeforeEach
  void makeDirectory() throws StorageException {
    disk.createDirectories(Path.of("/store"));
  }

  @AfterEach
  void closingAllFilesLeavesNothingOpenOrPinned() {
    stamped.close();
    files.assertNothingOpen();
  }

  private ComponentFile file(PageCache through) throws StorageException {
    int[] units = new int[PAGES];
    Arrays.fill(units, 1);
    return stamped.file(through, 1, units);
  }

  private static PageFile.Fetch begin(ComponentFile file, int... pages) {
    return Objects.requireNonNull(file.fetch(pages));
  }

  @Test
  void pagesAreThereBeforeTheyAreAskedFor() throws StorageException {
    ComponentFile file = file(cache);
    try (TaskExecutor.Handle fetcher = cache.fetchBy(executor)) {
      fetcher.wake();
      try (PageFile.Fetch fetch = begin(file, 3, 5, 9, 20)) {
        assertFalse(file.has(5), "nobody waits for them");
        executor.runUntilIdle();
        assertFalse(file.has(3), "the first is read by the one who asks for it at once");
        assertTrue(file.has(5) && file.has(9) && file.has(20));
        assertEquals(3, cache.stats().misses());
        assertEquals(3 * PAGE_SIZE, file.wantedBytes(), "they are asked for");
        for (int page : List.of(3, 5, 9, 20)) {
          stamped.requirePage(file, page);
        }
        assertEquals(4, cache.stats().misses());
      }
      assertEquals(List.of(), executor.runnable());
    }
  }

  @Test
  void whatIsThereIsNotReadAgain() throws StorageException {
    ComponentFile file = file(cache);
    try (TaskExecutor.Handle fetcher = cache.fetchBy(executor);
        PageFile.Fetch fetch = begin(file, 3, 5, 9, 20)) {
      for (int page : List.of(3, 5, 9, 20)) {
        stamped.requirePage(file, page);
      }
      long before = files.callCount();
      executor.runUntilIdle();
      assertEquals(before, files.callCount());
      assertEquals(4, cache.stats().misses());
    }
  }

  @Test
  void afterItsEndNothingIsRead() throws StorageException {
    ComponentFile file = file(cache);
    try (TaskExecutor.Handle fetcher = cache.fetchBy(executor)) {
      begin(file, 1, 2, 3).close();
      long before = files.callCount();
      executor.runUntilIdle();
      PageFile.Fetch begun = begin(file, 11, 12, 13, 14);
      PageFetch known = (PageFetch) begun;
      assertTrue(known.readOne());
      assertEquals(before + 1, files.callCount());
      begun.close();
      assertFalse(known.readOne());
      executor.runUntilIdle();
      assertEquals(before + 1, files.callCount());
      assertTrue(file.has(12));
      assertFalse(file.has(13));
    }
  }

  @Test
  void nothingIsFetchedWhereThatWouldDoHarm() throws StorageException {
    ComponentFile file = file(cache);
    assertNull(file.fetch(new int[] {1, 2}), "nobody fetches");
    TaskExecutor.Handle fetcher = cache.fetchBy(executor);
    assertNull(file.fetch(new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), "too many for the cache");
    begin(file, 1, 2).close();
    PageCache large = new PageCache(1 << 20);
    try (TaskExecutor.Handle other = large.fetchBy(executor);
        ComponentFile fits = StampedFiles.openOwn(files, large, 1)) {
      assertNull(fits.fetch(new int[] {1, 2}), "everything comes into the cache by itself");
    }
    fetcher.close();
    assertNull(file.fetch(new int[] {1, 2}), "the engine is being closed");
  }

  @Test
  void pagesOfAFileThatWasJustOpenedAreReadThoughAllOfItFitsIn() throws StorageException {
    ComponentFile file = file(cache);
    PageCache large = new PageCache(1 << 20);
    assertNull(file.fetchAtOpening(new int[] {1, 2}), "nobody fetches");
    try (TaskExecutor.Handle other = large.fetchBy(executor);
        ComponentFile fits = StampedFiles.openOwn(files, large, 1)) {
      assertNull(fits.fetchAtOpening(new int[0]));
      assertNull(fits.fetchAtOpening(new int[] {7}), "the first is left to the caller");
      assertNull(fits.fetchAtOpening(new int[40]), "too many for the cache");
      // What no page can be is not asked for by anybody else: the caller finds it out.
      PageFile.Fetch fetch = fits.fetchAtOpening(new int[] {7, PAGES + 1, -3, 9});
      executor.runUntilIdle();
      Objects.requireNonNull(fetch).close();
      assertTrue(fits.has(9));
      assertFalse(fits.has(7));
    }
  }

  @Test
  void aPageThatCannotBeReadIsReportedToWhoAsksForIt() throws StorageException {
    ComponentFile file = file(cache);
    disk.damage(Path.of(file.name()), 5 * PAGE_SIZE + 100, 1);
    try (TaskExecutor.Handle fetcher = cache.fetchBy(executor);
        PageFile.Fetch fetch = begin(file, 3, 4, 5, 6)) {
      files.setPlan("read * 1 EIO");
      executor.runUntilIdle();
      files.setPlan("");
      assertFalse(file.has(4) || file.has(5));
      assertTrue(file.has(6));
      stamped.requirePage(file, 4);
      assertThrows(CorruptionException.class, () -> file.pin(5));
    }
  }

  @Test
  void theEndWaitsForAPageThatIsBeingRead() throws Exception {
    file(cache).close();
    HaltedFiles halted = new HaltedFiles(files, 5L * PAGE_SIZE);
    ComponentFile file = stamped.open(halted, cache, 1);
    try (TaskExecutor.Handle fetcher = cache.fetchBy(new ThreadTaskExecutor())) {
      PageFile.Fetch fetch = begin(file, 4, 5);
      halted.awaitHalt();
      FutureTask<Void> end = new FutureTask<>(fetch::close, null);
      Thread ending = new Thread(end);
      ending.start();
      while (ending.getState() != Thread.State.WAITING && !end.isDone()) {
        Thread.onSpinWait();
      }
      assertFalse(end.isDone());
      halted.goOn().release();
      end.get();
      assertTrue(file.has(5));
    }
  }

  @Test
  void threadsThatFetchAndCloseFilesMeetTheRightPages() throws Exception {
    file(cache).close();
    try (TaskExecutor.Handle fetcher = cache.fetchBy(new ThreadTaskExecutor())) {
      List<FutureTask<Void>> readers = new ArrayList<>();
      long seed = Seeds.one(20261127);
      for (int reader = 0; reader < 3; reader++) {
        RandomGenerator random = Seeds.random(seed + reader);
        readers.add(
            new FutureTask<>(
                () -> {
                  for (int round = 0; round < 150; round++) {
                    readSome(random);
                  }
                  return null;
                }));
      }
      readers.forEach(reader -> new Thread(reader).start());
      for (FutureTask<Void> reader : readers) {
        reader.get();
      }
    }
  }

  /** Reads pages of a file that is opened and closed for that, not always all that were wanted. */
  private void readSome(RandomGenerator random) throws StorageException {
    try (ComponentFile file = StampedFiles.openOwn(files, cache, 1)) {
      for (int lookup = 0; lookup < 5; lookup++) {
        int[] pages = random.ints(1, PAGES).distinct().limit(8).sorted().toArray();
        PageFile.Fetch fetch = file.fetch(pages);
        try {
          for (int i = 0; i < random.nextInt(1, 9); i++) {
            stamped.requirePage(file, pages[i]);
          }
        } finally {
          if (fetch != null) {
            fetch.close();
          }
        }
      }
    }
  }
}
