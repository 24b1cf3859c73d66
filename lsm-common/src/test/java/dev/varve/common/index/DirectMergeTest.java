package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.ComponentFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a merge writes past the system's cache, unless readers have what it merges. Method: notes
 * how the files of new components are opened.
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
   */
  private record ModesOfNewFiles(FileSystem files, List<OpenMode> modes)
      implements ForwardingFileSystem {
    ModesOfNewFiles(FileSystem files) {
      this(files, new ArrayList<>());
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosedChecker") // the caller's
    public StorageFile open(Path path, OpenMode mode) throws DiskException {
      if (mode.creates()) {
        modes.add(mode);
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

  @Test
  void aMergeOfWhatReadersHaveInTheBufferCacheDoesNot() throws StorageException {
    for (DiskComponent<Slice> component : fixture.index.components().disk().flushed()) {
      ComponentFile file = component.file();
      for (int page = 1; page < file.pageCount() / 2; page++) {
        file.pin(page).close();
      }
    }
    assertEquals(FileSystem.OpenMode.CREATE_NEW, modeOfAMerge());
    assertEquals(ENTRIES, fixture.scan().size());
  }
}
