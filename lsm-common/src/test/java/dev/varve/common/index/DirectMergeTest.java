package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.page.ComponentFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a merge writes past the system's cache, and leaves its pages in the buffer cache where
 * readers have what it merges; a flush does so beside such components. Method: notes how the files
 * of new components are opened.
 */
final class DirectMergeTest {
  private static final int ENTRIES = 400;

  @TempDir Path directory;
  private final ModesOfNewFiles files = new ModesOfNewFiles(new LocalFileSystem());
  private IndexFixture fixture;

  /**
   * Knows how new files were opened.
   *
   * @param files the real ones
   * @param modes of each new file, in order
   * @param failing call of components that fails, {@code rename} or {@code open}
   */
  private record ModesOfNewFiles(
      FileSystem files, List<OpenMode> modes, AtomicReference<String> failing)
      implements ForwardingFileSystem {
    ModesOfNewFiles(FileSystem files) {
      this(files, new ArrayList<>(), new AtomicReference<>(""));
    }

    private void failPerhaps(String call, Path path) throws DiskException {
      if (failing.get().equals(call) && path.toString().endsWith(".lsm")) {
        throw new DiskException(path.toString(), call, null);
      }
    }

    @Override
    public void rename(Path source, Path target) throws DiskException {
      failPerhaps("rename", target);
      files.rename(source, target);
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosedChecker") // the caller's
    public StorageFile open(Path path, OpenMode mode) throws DiskException {
      if (mode.creates()) {
        modes.add(mode);
      } else {
        failPerhaps("open", path);
      }
      return files.open(path, mode);
    }
  }

  @BeforeEach
  void flushTwoComponentsOfSeveralPages() throws StorageException {
    fixture = new IndexFixture(directory, files);
    fixture.queue.runAtOnce();
    for (int component = 0; component < 2; component++) {
      for (int i = 0; i < ENTRIES; i++) {
        fixture.put(key(i), "value ".repeat(20) + component);
      }
      fixture.index.flush();
    }
  }

  @AfterEach
  void verifyAndClose() throws StorageException {
    fixture.close();
  }

  private static String key(int number) {
    return "key %05d".formatted(number);
  }

  private FileSystem.OpenMode modeOfAMerge() {
    files.modes.clear();
    fixture.merge(0, 2);
    assertEquals(1, files.modes.size());
    return files.modes.get(0);
  }

  @Test
  void aFlushGoesThroughTheCacheSinceAMergeReadsItSoon() {
    assertEquals(
        List.of(FileSystem.OpenMode.CREATE_NEW, FileSystem.OpenMode.CREATE_NEW), files.modes);
  }

  @Test
  void aMergeOfWhatNobodyReadsGoesPastTheCache() throws StorageException {
    fixture.get(key(7));
    assertEquals(FileSystem.OpenMode.CREATE_NEW_DIRECT, modeOfAMerge());
    assertEquals(ENTRIES, fixture.scan().size());
    assertEquals("value ".repeat(20) + 1, fixture.get(key(7)));
  }

  private void readHalfOfAllPages() throws StorageException {
    for (DiskComponent<Slice> component : fixture.index.components().disk().flushed()) {
      ComponentFile file = component.file();
      for (int page = 1; page < file.pageCount() / 2; page++) {
        file.pin(page).close();
      }
    }
  }

  private DiskComponent<Slice> newest() {
    return fixture.index.components().disk().flushed().get(0);
  }

  /** All but the first and the last page of a file may be in the cache. */
  private void requireAllPagesCached(ComponentFile file) {
    assertEquals(file.pageCount() - 2, file.cachedPages().cardinality());
  }

  @Test
  void aMergeOfWhatReadersHaveLeavesItsPagesInTheBufferCache() throws StorageException {
    readHalfOfAllPages();
    assertEquals(FileSystem.OpenMode.CREATE_NEW_DIRECT, modeOfAMerge());
    requireAllPagesCached(newest().file());
    assertEquals(ENTRIES, fixture.scan().size());
    assertEquals("value ".repeat(20) + 1, fixture.get(key(7)));
  }

  /** Nobody has asked for a page of them yet. */
  private void openWhatIsReadIntoTheCache() throws StorageException {
    fixture.cache.fillAtOpening();
    fixture.reopen();
  }

  @Test
  void soDoesAMergeOfWhatIsReadIntoItAtOpening() throws StorageException {
    openWhatIsReadIntoTheCache();
    modeOfAMerge();
    requireAllPagesCached(newest().file());
  }

  @Test
  void whichWithoutRoomThereGoesThroughTheSystemsCache() throws StorageException {
    openWhatIsReadIntoTheCache();
    List<ComponentFile> others = withoutRoom();
    assertEquals(FileSystem.OpenMode.CREATE_NEW, modeOfAMerge());
    others.forEach(ComponentFile::close);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rename", "open"})
  void aMergeThatFailsGivesItsRoomInTheBufferCacheBack(String call) throws StorageException {
    readHalfOfAllPages();
    long bytes = newest().bytes();
    files.failing.set(call);
    // Enough of them for all of the cache, if each kept what it wrote.
    for (long lost = 0; lost < 2 * fixture.cache.stats().budgetBytes(); lost += bytes) {
      AssertionError failure = assertThrows(AssertionError.class, () -> fixture.merge(0, 2));
      assertTrue(failure.getCause() instanceof DiskException, failure::toString);
    }
    files.failing.set("");
    assertEquals(FileSystem.OpenMode.CREATE_NEW_DIRECT, modeOfAMerge());
    requireAllPagesCached(newest().file());
  }

  /** Files that take the room of the buffer cache, which the caller closes. */
  private List<ComponentFile> withoutRoom() throws StorageException {
    ComponentFile file = newest().file();
    List<ComponentFile> others = new ArrayList<>();
    while (fixture.cache.fitsAllWith(file.sizeBytes() / 2)) {
      others.add(ComponentFile.open(files, Path.of(file.name()), 42, fixture.cache));
    }
    return others;
  }

  @Test
  void withoutRoomThereItGoesThroughTheSystemsCache() throws StorageException {
    readHalfOfAllPages();
    List<ComponentFile> others = withoutRoom();
    assertEquals(FileSystem.OpenMode.CREATE_NEW, modeOfAMerge());
    others.forEach(ComponentFile::close);
    assertEquals(ENTRIES, fixture.scan().size());
  }

  private MaintenanceTask begunMerge() {
    fixture.queue.leave();
    fixture.merge(0, 2);
    return fixture.queue.tasks().remove(0);
  }

  private void finish(MaintenanceTask merge, List<ComponentFile> others) throws StorageException {
    while (!merge.done()) {
      assertEquals(List.of(), fixture.queue.tasks());
      merge.step(4096);
    }
    others.forEach(ComponentFile::close);
  }

  private MaintenanceTask refillAfterAMerge() throws StorageException {
    readHalfOfAllPages();
    List<ComponentFile> others = withoutRoom();
    MaintenanceTask merge = begunMerge();
    finish(merge, others);
    assertEquals(1, fixture.queue.tasks().size());
    return fixture.queue.tasks().remove(0);
  }

  @Test
  void whatItWroteThereIsReadOnceMoreWhenItIsDone() throws StorageException {
    MaintenanceTask refill = refillAfterAMerge();
    assertEquals(newest().bytes(), refill.remainingInputBytes());
    assertEquals(0, refill.outputBytes());
    assertFalse(refill.done());
    assertEquals(0, refill.step(4096));
    assertEquals(0, refill.remainingInputBytes());
    assertTrue(refill.done());
  }

  /** A merge of what readers have in the buffer cache, where that has no room. */
  private void mergeWhatReadersHave(long spareBytes) throws StorageException {
    readHalfOfAllPages();
    List<ComponentFile> others = withoutRoom();
    fixture.spareBytes = spareBytes;
    files.modes.clear();
    MaintenanceTask merge = begunMerge();
    merge.step(4096);
    assertEquals(List.of(FileSystem.OpenMode.CREATE_NEW_DIRECT), files.modes);
    finish(merge, others);
  }

  @Test
  void soIsWhatTheSystemHasMemoryForOnceTheInputsAreGone() throws StorageException {
    mergeWhatReadersHave(2 * newest().bytes() - 1);
    assertEquals(1, fixture.queue.tasks().size());
  }

  @Test
  void whatTheSystemHasNoMemoryForIsNot() throws StorageException {
    mergeWhatReadersHave(newest().bytes() / 2);
    assertEquals(List.of(), fixture.queue.tasks());
  }

  @Test
  void soIsWhatReadersCameToWantWhileItWasWrittenPastTheCache() throws StorageException {
    List<ComponentFile> others = withoutRoom();
    files.modes.clear();
    MaintenanceTask merge = begunMerge();
    merge.step(4096);
    assertEquals(List.of(FileSystem.OpenMode.CREATE_NEW_DIRECT), files.modes);
    readHalfOfAllPages();
    finish(merge, others);
    assertEquals(1, fixture.queue.tasks().size());
    assertEquals(newest().bytes(), fixture.queue.tasks().get(0).remainingInputBytes());
  }

  @Test
  void whatItLeftInTheBufferCacheIsNot() throws StorageException {
    readHalfOfAllPages();
    MaintenanceTask merge = begunMerge();
    merge.step(4096);
    List<ComponentFile> others = withoutRoom();
    finish(merge, others);
    assertEquals(List.of(), fixture.queue.tasks());
  }

  @Test
  void whatNobodyReadIsNot() throws StorageException {
    List<ComponentFile> others = withoutRoom();
    MaintenanceTask merge = begunMerge();
    finish(merge, others);
    assertEquals(List.of(), fixture.queue.tasks());
  }

  @Test
  void whatIsMergedAgainByThenIsNot() throws StorageException {
    MaintenanceTask refill = refillAfterAMerge();
    fixture.queue.runAtOnce();
    fixture.put(key(3), "new");
    fixture.index.flush();
    fixture.merge(0, 2);
    assertEquals(0, refill.step(4096));
    assertTrue(refill.done());
  }

  @Test
  void aFlushBesideWhatReadersHaveLeavesItsPagesInTheBufferCache() throws StorageException {
    readHalfOfAllPages();
    files.modes.clear();
    fixture.put(key(3), "new");
    fixture.index.flush();
    assertEquals(List.of(FileSystem.OpenMode.CREATE_NEW_DIRECT), files.modes);
    requireAllPagesCached(newest().file());
    assertEquals("new", fixture.get(key(3)));
  }
}
