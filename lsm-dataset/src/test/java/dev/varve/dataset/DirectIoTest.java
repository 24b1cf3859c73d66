package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.ForwardingFile;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.dataset.options.OpeningOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/**
 * Goal: merges are written past the system's cache from the size on that the options say, and
 * components are read so where these ask for it. Method: counts the files that are opened.
 */
class DirectIoTest {
  private static final int RECORDS = 200;

  /**
   * Counts.
   *
   * @param files the real ones
   * @param opened how many files were opened how
   * @param reached how far files were brought into the system's cache
   * @param refilled those that were brought whole, each with what was in its directory then
   */
  private record CountedFiles(
      FileSystem files,
      Map<OpenMode, Integer> opened,
      Map<Path, Long> reached,
      Map<Path, List<Path>> refilled)
      implements ForwardingFileSystem {
    CountedFiles(FileSystem files) {
      this(files, new ConcurrentHashMap<>(), new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosedChecker") // the caller's
    public StorageFile open(Path path, OpenMode mode) throws DiskException {
      opened.merge(mode, 1, Integer::sum);
      return new CountedFile(files.open(path, mode), this);
    }
  }

  /** Says when the system's cache was given all of it, in order. */
  private record CountedFile(StorageFile file, CountedFiles counts) implements ForwardingFile {
    @Override
    public void prefetch(long position, long length) throws DiskException {
      if (position == counts.reached.getOrDefault(path(), 0L)) {
        counts.reached.put(path(), position + length);
        if (position + length == size()) {
          counts.refilled.put(
              path(), counts.files.list(Objects.requireNonNull(path().getParent())));
        }
      }
      file.prefetch(position, length);
    }
  }

  @MustBeClosed
  private static StorageEngine open(TestStore store, CountedFiles files, EngineOptions options)
      throws StorageException {
    return StorageEngine.open(
        options, new EngineSeams(files, store.clock, store.executor, Seeds.random(store.seed)));
  }

  /** Which nothing merges unasked. */
  private static KeyValueStore withTwoComponents(StorageEngine engine) throws StorageException {
    KeyValueStore pairs =
        engine.createKeyValueStore(
            "pairs",
            KeyValueOptions.DEFAULTS
                .withMemoryBytes(8 << 20)
                .withMergePolicy(new MergePolicyOptions("none")));
    put(pairs, 0, 8 * RECORDS);
    put(pairs, 8 * RECORDS, 16 * RECORDS);
    return pairs;
  }

  private static int directFilesOfAMerge(long directMergeBytes) throws StorageException {
    return openedByAMerge(TestStore.options().directMergeBytes(directMergeBytes).build())
        .getOrDefault(OpenMode.CREATE_NEW_DIRECT, 0);
  }

  private static Map<OpenMode, Integer> openedByAMerge(EngineOptions options)
      throws StorageException {
    TestStore store = TestStore.empty(32);
    CountedFiles files = new CountedFiles(store.faults);
    try (StorageEngine engine = open(store, files, options)) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "pairs",
              KeyValueOptions.DEFAULTS
                  .withMemoryBytes(1 << 20)
                  .withMergePolicy(new MergePolicyOptions("none")));
      for (int round = 0; round < 2; round++) {
        try (KeyValueSession session = pairs.openSession()) {
          for (int i = 0; i < RECORDS; i++) {
            session.put(key(i), new Slice(new byte[100]));
          }
        }
        pairs.flush();
      }
      pairs.compact();
      VerifyReport report = pairs.verify();
      assertTrue(report.clean(), report::toString);
      assertEquals(RECORDS, report.records());
    }
    return files.opened;
  }

  @Test
  void mergesOfThatSizeAndMoreAreWrittenDirectly() throws StorageException {
    assertEquals(1, directFilesOfAMerge(4096));
    assertEquals(0, directFilesOfAMerge(64 << 20));
  }

  /**
   * Pages that readers have are replaced by merges, one after the other: the second does not go
   * past the system's cache because readers had no time to ask for what the first has written. Each
   * result that stays in there is read once more when its inputs are gone, for which the system may
   * have dropped it; one that went past is not.
   */
  @Test
  void mergesOfWhatReadersHaveAreNotUntilTheyReadNoMore() throws StorageException {
    int pageBytes = 4096;
    int cacheBytes = 64 * pageBytes;
    TestStore store = TestStore.empty(33);
    CountedFiles files = new CountedFiles(store.faults);
    EngineOptions options = TestStore.options().pageBytes(pageBytes).cacheBytes(cacheBytes).build();
    List<Integer> direct = new ArrayList<>();
    try (StorageEngine engine = open(store, files, options)) {
      KeyValueStore pairs = withTwoComponents(engine);
      KeyValue found = new KeyValue();
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < 16 * RECORDS; i++) {
          assertTrue(session.get(key(i), found));
        }
      }
      for (int merge = 0; merge < 6; merge++) {
        put(pairs, 0, 10);
        pairs.compact();
        direct.add(files.opened.getOrDefault(OpenMode.CREATE_NEW_DIRECT, 0));
      }
      VerifyReport report = pairs.verify();
      assertTrue(report.clean(), report::toString);
    }
    assertEquals(List.of(0, 0), direct.subList(0, 2), direct.toString());
    assertEquals(direct.get(4) + 1, direct.get(5), direct.toString());
    assertEquals(6 - direct.get(5), files.refilled.size(), files.refilled.toString());
    files.refilled.forEach(
        (component, beside) ->
            assertEquals(List.of(component), compacted(beside), "beside " + component));
  }

  /** Of two components that were there before, in a cache that has no room for them. */
  private static int directFilesOfAMergeAfterOpening(OpeningOptions opening)
      throws StorageException {
    TestStore store = TestStore.empty(34);
    CountedFiles files = new CountedFiles(store.faults);
    EngineOptions options =
        TestStore.options().pageBytes(4096).cacheBytes(64 * 4096).opening(opening).build();
    try (StorageEngine engine = open(store, files, options)) {
      withTwoComponents(engine);
    }
    files.opened.clear();
    try (StorageEngine engine = open(store, files, options)) {
      KeyValueStore pairs = engine.keyValueStore("pairs");
      pairs.compact();
      VerifyReport report = pairs.verify();
      assertTrue(report.clean(), report::toString);
    }
    return files.opened.getOrDefault(OpenMode.CREATE_NEW_DIRECT, 0);
  }

  @Test
  void mergesOfWhatTheEngineReadsAtOpeningAreNot() throws StorageException {
    assertEquals(0, directFilesOfAMergeAfterOpening(OpeningOptions.DEFAULTS));
    assertEquals(1, directFilesOfAMergeAfterOpening(OpeningOptions.DEFAULTS.withColdCache()));
  }

  /** Of components those that have the first flush. */
  private static List<Path> compacted(List<Path> files) {
    return files.stream().filter(file -> file.getFileName().toString().startsWith("c-1-")).toList();
  }

  private static Slice key(int number) {
    return new Slice(("key " + number).getBytes(StandardCharsets.UTF_8));
  }

  private static void put(KeyValueStore pairs, int from, int to) throws StorageException {
    try (KeyValueSession session = pairs.openSession()) {
      for (int i = from; i < to; i++) {
        session.put(key(i), new Slice(new byte[500]));
      }
    }
    pairs.flush();
  }

  @Test
  void withoutASizeNoneIs() throws StorageException {
    assertEquals(0, directFilesOfAMerge(0));
  }

  @Test
  void componentsAreReadDirectlyWhereOptionsAskForIt() throws StorageException {
    Map<OpenMode, Integer> direct = openedByAMerge(TestStore.options().directReads().build());
    assertTrue(direct.getOrDefault(OpenMode.READ_ONLY_DIRECT, 0) >= 3, direct::toString);
    Map<OpenMode, Integer> cached = openedByAMerge(TestStore.options().build());
    assertFalse(cached.containsKey(OpenMode.READ_ONLY_DIRECT), cached::toString);
  }

  @Test
  void aNegativeSizeIsRefused() {
    EngineOptions.Builder options = TestStore.options().directMergeBytes(-1);
    assertThrows(IllegalArgumentException.class, options::build);
  }
}
