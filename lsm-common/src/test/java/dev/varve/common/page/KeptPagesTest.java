package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: pages of a file that is written are in the cache when it is opened, as far as there is room
 * for them, and take no room when it is given up. Method: counts the calls of the file system.
 */
final class KeptPagesTest {
  private static final int PAGE_SIZE = 4096;
  private static final Path PATH = Path.of("/store/c-1-1.lsm");

  private final MemoryFileSystem disk = new MemoryFileSystem();
  private final FaultyFileSystem files = new FaultyFileSystem(disk);
  private KeptPages kept;

  @BeforeEach
  void makeDirectory() throws StorageException {
    disk.createDirectories(Path.of("/store"));
  }

  @AfterEach
  void nothingIsOpen() {
    files.assertNothingOpen();
  }

  @MustBeClosed
  private ComponentFileWriter writer(PageCache cache) throws StorageException {
    ComponentFileOptions options = ComponentFileOptions.of(7, PAGE_SIZE, 1);
    ComponentFileWriter writer = ComponentFileWriter.create(files, PATH, options);
    kept = new KeptPages(cache, options);
    writer.tell(kept::keep);
    return writer;
  }

  /** Opens the file with the pages that were kept. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the caller's
  private ComponentFile openSealed(PageCache cache) throws StorageException {
    ComponentFile file = ComponentFile.open(files, PATH, 7, cache);
    kept.giveTo(file);
    kept.giveBack();
    return file;
  }

  private static byte[] page(int number, int units) {
    byte[] page = new byte[units * PAGE_SIZE];
    Bytes.putInt(page, PageLayout.BODY, number);
    return page;
  }

  private static void append(ComponentFileWriter writer, int... unitsOfPages)
      throws StorageException {
    for (int units : unitsOfPages) {
      writer.append((byte) 1, page(writer.nextPage(), units), units);
    }
  }

  private static void requireInCache(ComponentFile file, int number) throws StorageException {
    assertTrue(file.has(number), "page " + number);
    try (PageFile.Page page = file.pin(number)) {
      assertEquals(number, Bytes.getInt(page.bytes(), page.at() + PageLayout.BODY));
    }
  }

  @Test
  void pagesAreThereWithoutARead() throws StorageException {
    PageCache cache = new PageCache(1 << 20);
    try (ComponentFileWriter writer = writer(cache)) {
      append(writer, 1, 3, 1, 2);
      writer.seal(new byte[10]);
      try (ComponentFile file = openSealed(cache)) {
        byte[] onDisk = file.readUncached(2, Bytes.EMPTY);
        long calls = files.callCount();
        assertArrayEquals(onDisk, file.sequentialReader(4 * PAGE_SIZE).read(2, Bytes.EMPTY));
        assertEquals(0, file.wantedBytes(), "a merge is no reader");
        for (int number : new int[] {1, 2, 5, 6}) {
          requireInCache(file, number);
        }
        assertEquals(calls, files.callCount());
        assertEquals(0, cache.stats().misses());
        assertEquals(4, cache.stats().readAhead());
        assertEquals(7 * PAGE_SIZE, file.wantedBytes());
      }
    }
  }

  @Test
  void aMergeReadsFromTheDiskWhatTheCacheHasNot() throws StorageException {
    PageCache cache = new PageCache(1 << 20);
    try (ComponentFileWriter writer = writer(cache)) {
      append(writer, 1, 1, 2, 1);
      kept.giveBack();
      append(writer, 1, 1);
      writer.seal(new byte[0]);
      try (ComponentFile file = ComponentFile.open(files, PATH, 7, cache)) {
        requireMergeReads(file);
        requireInCacheAfterPin(file, 2);
        requireMergeReads(file);
        assertEquals(PAGE_SIZE, file.wantedBytes());
      }
    }
  }

  private static void requireInCacheAfterPin(ComponentFile file, int number)
      throws StorageException {
    file.pin(number).close();
    requireInCache(file, number);
  }

  private static void requireMergeReads(ComponentFile file) throws StorageException {
    PageFile.SequentialReader merge = file.sequentialReader(2 * PAGE_SIZE);
    for (int number : new int[] {1, 2, 3, 5, 6, 7}) {
      assertEquals(number, Bytes.getInt(merge.read(number, Bytes.EMPTY), PageLayout.BODY));
    }
  }

  @Test
  void pagesWithoutRoomAreLeftOutAndPushNothingOut() throws StorageException {
    PageCache cache = new PageCache(4 * PAGE_SIZE);
    try (ComponentFileWriter writer = writer(cache)) {
      append(writer, 1, 1, 1, 1, 1, 1);
      writer.seal(new byte[0]);
      try (ComponentFile file = openSealed(cache)) {
        for (int number = 1; number <= 4; number++) {
          requireInCache(file, number);
        }
        assertFalse(file.has(5) || file.has(6));
        PageCacheStats stats = cache.stats();
        assertEquals(0, stats.evictions() + stats.overruns());
        assertEquals(4 * PAGE_SIZE, stats.bytes());
      }
    }
  }

  @Test
  void nothingIsKeptAnyMoreOnceOtherFilesWantTheRoom() throws StorageException {
    PageCache cache = new PageCache(8 * PAGE_SIZE);
    try (ComponentFileWriter writer = writer(cache);
        StampedFiles others = new StampedFiles(files, PAGE_SIZE)) {
      append(writer, 1, 1);
      others.file(cache, 2, 1, 1, 1, 1, 1, 1, 1, 1);
      append(writer, 1, 1);
      writer.seal(new byte[0]);
      try (ComponentFile file = ComponentFile.open(files, PATH, 7, cache)) {
        kept.giveTo(file);
        assertTrue(file.has(1) && file.has(2));
        assertFalse(file.has(3) || file.has(4));
      }
    }
  }

  @Test
  void whatNoFileWasGivenGivesItsRoomBack() throws StorageException {
    PageCache cache = new PageCache(4 * PAGE_SIZE);
    try (ComponentFileWriter writer = writer(cache)) {
      append(writer, 1, 1, 1, 1);
      writer.seal(new byte[0]);
      disk.damage(PATH, 8, 1);
      assertThrows(
          CorruptionException.class, () -> ComponentFile.open(files, PATH, 7, cache).close());
      kept.giveBack();
    }
    disk.delete(PATH);
    try (ComponentFileWriter writer = writer(cache)) {
      append(writer, 1, 1, 1, 1);
      writer.seal(new byte[0]);
      try (ComponentFile file = openSealed(cache)) {
        for (int number = 1; number <= 4; number++) {
          requireInCache(file, number);
        }
      }
    }
  }
}
