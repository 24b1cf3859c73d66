package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Goal: merges are written past the system's cache from the size on that the options say. Method:
 * counts the files that are opened for direct writes.
 */
class DirectMergesTest {
  private static final int RECORDS = 200;

  /**
   * Counts.
   *
   * @param files the real ones
   * @param direct how many files were opened for direct writes
   */
  private record DirectFiles(FileSystem files, AtomicInteger direct)
      implements ForwardingFileSystem {
    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosedChecker") // the caller's
    public StorageFile open(Path path, OpenMode mode) throws DiskException {
      if (mode == OpenMode.CREATE_NEW_DIRECT) {
        direct.incrementAndGet();
      }
      return files.open(path, mode);
    }
  }

  private static int directFilesOfAMerge(long directMergeBytes) throws StorageException {
    TestStore store = TestStore.empty(32);
    DirectFiles files = new DirectFiles(store.faults, new AtomicInteger());
    EngineOptions options = TestStore.options().directMergeBytes(directMergeBytes).build();
    EngineSeams seams =
        new EngineSeams(files, store.clock, store.executor, Seeds.random(store.seed));
    try (StorageEngine engine = StorageEngine.open(options, seams)) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "pairs",
              KeyValueOptions.DEFAULTS
                  .withMemoryBytes(1 << 20)
                  .withMergePolicy(new MergePolicyOptions("none")));
      for (int round = 0; round < 2; round++) {
        try (KeyValueSession session = pairs.openSession()) {
          for (int i = 0; i < RECORDS; i++) {
            session.put(
                new Slice(("key " + i).getBytes(StandardCharsets.UTF_8)), new Slice(new byte[100]));
          }
        }
        pairs.flush();
      }
      pairs.compact();
      VerifyReport report = pairs.verify();
      assertTrue(report.clean(), report::toString);
      assertEquals(RECORDS, report.records());
    }
    return files.direct.get();
  }

  @Test
  void mergesOfThatSizeAndMoreAreWrittenDirectly() throws StorageException {
    assertEquals(1, directFilesOfAMerge(4096));
    assertEquals(0, directFilesOfAMerge(64 << 20));
  }

  @Test
  void withoutASizeNoneIs() throws StorageException {
    assertEquals(0, directFilesOfAMerge(0));
  }

  @Test
  void aNegativeSizeIsRefused() {
    EngineOptions.Builder options = TestStore.options().directMergeBytes(-1);
    assertThrows(IllegalArgumentException.class, options::build);
  }
}
