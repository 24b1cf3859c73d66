package dev.varve.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SimulatedCrash;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.dataset.options.OpeningOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: opening deletes, drops and accepts nothing before it is proven right. Method: a small
 * engine's life with every version that its files had; then, for each file, an older version of it,
 * garbage, or nothing in its place. Either the engine opens with everything, or it refuses with a
 * typed error, and then everything is there again once the right file is.
 */
class OpeningTest {
  /** As the options of the test store have it. */
  private static final int SEGMENT_BYTES = 128 << 10;

  private static final Path DATA = TestStore.ROOT.resolve("store/data");

  private static final Path LOG = TestStore.ROOT.resolve("store/log");

  private static StoreHistory history(long seed) throws StorageException {
    StoreHistory history = new StoreHistory(seed);
    history.live();
    return history;
  }

  /** What is done to a disk before it is opened. */
  @FunctionalInterface
  private interface Change {
    void make(MemoryFileSystem files) throws StorageException;
  }

  /** Counts of what happened, so that a test can have floors. */
  private static final class Outcomes {
    private int harmless;
    private int refused;
  }

  private static void expectHarmlessOrRefused(
      StoreHistory history, MemoryFileSystem right, Change wrong, Change undo, Outcomes outcomes)
      throws StorageException {
    MemoryFileSystem files = right.crash(1, Seeds.random(1));
    wrong.make(files);
    String what = wrong.toString();
    try {
      history.expectEverything(files, what);
      outcomes.harmless++;
    } catch (StorageException refused) {
      outcomes.refused++;
      undo.make(files);
      history.expectEverything(
          files, what + " was refused (" + refused.getMessage() + ") and undone");
    }
  }

  /** A file gets other bytes. */
  @SuppressWarnings("ArrayRecordComponent") // the bytes of a file are only written back
  private record Replacement(Path path, byte[] bytes) implements Change {
    @Override
    public void make(MemoryFileSystem files) throws StorageException {
      StoreHistory.replace(files, path, bytes);
    }

    @Override
    public String toString() {
      return path + " of " + bytes.length + " bytes, " + Arrays.hashCode(bytes);
    }
  }

  /** A file goes. */
  private record Deletion(Path path) implements Change {
    @Override
    public void make(MemoryFileSystem files) throws StorageException {
      if (files.exists(path)) {
        files.delete(path);
      }
    }
  }

  private static void expectNoOlderCopyToLoseAnything(StoreHistory history, MemoryFileSystem right)
      throws StorageException {
    Outcomes outcomes = new Outcomes();
    Outcomes ofLog = new Outcomes();
    for (Map.Entry<Path, List<byte[]>> file : history.versions().entrySet()) {
      Path path = file.getKey();
      boolean there = right.exists(path);
      byte[] now = there ? right.content(path) : new byte[0];
      for (byte[] older : file.getValue()) {
        if (!there || !Arrays.equals(older, now)) {
          expectHarmlessOrRefused(
              history,
              right,
              new Replacement(path, older),
              there ? new Replacement(path, now) : new Deletion(path),
              path.startsWith(LOG) ? ofLog : outcomes);
        }
      }
    }
    for (Outcomes each : List.of(outcomes, ofLog)) {
      assertTrue(each.refused > 10, "refused " + each.refused);
      assertTrue(each.harmless > 10, "harmless " + each.harmless);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = 1)
  void anyOlderCopyOfAnyFileIsHarmlessOrRefusedAfterAnOrderlyClose(long seed)
      throws StorageException {
    StoreHistory history = history(seed);
    expectNoOlderCopyToLoseAnything(history, history.closed());
  }

  @ParameterizedTest
  @ValueSource(longs = 2)
  void anyOlderCopyOfAnyFileIsHarmlessOrRefusedAfterAKill(long seed) throws StorageException {
    StoreHistory history = history(seed);
    MemoryFileSystem killed = history.killed();
    history.engine().close();
    expectNoOlderCopyToLoseAnything(history, killed);
  }

  @Test
  void anyFileThatIsMissingIsHarmlessOrRefused() throws StorageException {
    StoreHistory history = history(3);
    MemoryFileSystem killed = history.killed();
    for (MemoryFileSystem right : List.of(killed, history.closed())) {
      Outcomes outcomes = new Outcomes();
      for (Path path : StoreHistory.filesOf(right, TestStore.ROOT)) {
        expectHarmlessOrRefused(
            history,
            right,
            new Deletion(path),
            new Replacement(path, right.content(path)),
            outcomes);
      }
      assertTrue(outcomes.refused > 5, "refused " + outcomes.refused);
    }
  }

  @Test
  void garbageUnderAnyNameIsHarmlessOrRefused() throws StorageException {
    StoreHistory history = history(4);
    MemoryFileSystem killed = history.killed();
    byte[] garbage = new byte[8192];
    RandomGenerator random = Seeds.random(4);
    random.nextBytes(garbage);
    for (MemoryFileSystem right : List.of(killed, history.closed())) {
      List<Path> places = new ArrayList<>();
      for (Path path : StoreHistory.filesOf(right, DATA)) {
        for (String name : List.of("c-1-2.lsm", "c-1-4.lsm", "c-1-9.lsm", "c-4-7.lsm", "r-9.lsm")) {
          places.add(path.resolveSibling(name));
        }
        for (String name :
            List.of("c-5-5.lsm", "c-1-2.building", "manifest", "manifest.building")) {
          places.add(path.resolveSibling(name));
        }
      }
      for (String name : List.of("catalog-99", "catalog-1", "catalog.building", "log/checkpoint")) {
        places.add(TestStore.ROOT.resolve("store").resolve(name));
      }
      places.add(DATA.resolve("d77"));
      places.add(DATA.resolve("d2"));
      Outcomes outcomes = new Outcomes();
      for (Path place : places.stream().distinct().toList()) {
        if (right.isDirectory(place)) {
          continue;
        }
        boolean there = right.exists(place);
        expectHarmlessOrRefused(
            history,
            right,
            new Replacement(place, garbage),
            there ? new Replacement(place, right.content(place)) : new Deletion(place),
            outcomes);
      }
      assertTrue(outcomes.refused > 5, "refused " + outcomes.refused);
      assertTrue(outcomes.harmless > 5, "harmless " + outcomes.harmless);
    }
  }

  /** Three flushes and the result of their merge, because somebody reads the three. */
  private static MemoryFileSystem mergedUnderAReader(TestStore store) throws StorageException {
    MemoryFileSystem left;
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "kv",
              new KeyValueOptions(
                  1 << 20, MergePolicyOptions.none(), 0.01, Optional.empty(), Optional.empty(), 0));
      for (int flush = 0; flush < 3; flush++) {
        try (KeyValueSession session = pairs.openSession()) {
          for (int key = 0; key < 10; key++) {
            TestStore.put(session, flush * 5 + key);
          }
        }
        pairs.flush();
      }
      try (RecordCursor cursor = pairs.scan(KeyRange.all())) {
        assertTrue(cursor.next());
        pairs.compact();
        left = store.files.crash(1, Seeds.random(1));
      }
    }
    return left;
  }

  private static void expectPairs(MemoryFileSystem files, String after) throws StorageException {
    try (StorageEngine engine = new TestStore(files, 4).open()) {
      assertEquals(
          20, TestStore.records(engine.keyValueStore("kv").scan(KeyRange.all())).size(), after);
      assertEquals(List.of(), engine.verify().problems(), after);
    }
  }

  @Test
  void aDamagedResultOfAMergeDoesNotCostItsInputs() throws StorageException {
    MemoryFileSystem left = mergedUnderAReader(TestStore.empty(5));
    Path output = DATA.resolve("d1/p0/i1/c-1-3.lsm");
    long size = left.size(output);
    for (long at = 0; at < size; at += 97) {
      MemoryFileSystem files = left.crash(1, Seeds.random(1));
      files.damage(output, at, 1);
      byte[] damaged = files.content(output);
      expectPairs(files, "byte " + at);
      Path kept = TestStore.ROOT.resolve("quarantine/q-0000000001/c-1-3.lsm");
      assertArrayEquals(damaged, files.content(kept));
    }
  }

  @Test
  void inputsOfAMergeGoToQuarantineAndAreDeletedAfterAnOrderlyClose() throws StorageException {
    MemoryFileSystem left = mergedUnderAReader(TestStore.empty(5));
    TestStore store = new TestStore(left, 4);
    Path quarantine = TestStore.ROOT.resolve("quarantine");
    try (StorageEngine engine = store.open()) {
      assertEquals(3, left.list(quarantine).size());
      VerifyReport report = engine.verify();
      assertTrue(report.clean());
      assertEquals(3, report.notes().size(), report.notes().toString());
    }
    assertEquals(List.of(), left.list(quarantine));
    expectPairs(left, "closed");
  }

  @Test
  void theDamagedResultAndAMissingInputAreRefusedAndNothingIsMoved() throws StorageException {
    MemoryFileSystem left = mergedUnderAReader(TestStore.empty(5));
    Path index = DATA.resolve("d1/p0/i1");
    left.damage(index.resolve("c-1-3.lsm"), 5000, 1);
    for (String input : List.of("c-1-1.lsm", "c-2-2.lsm", "c-3-3.lsm")) {
      MemoryFileSystem files = left.crash(1, Seeds.random(1));
      files.delete(index.resolve(input));
      List<Path> before = files.list(index);
      assertThrows(StorageException.class, () -> expectPairs(files, input));
      assertEquals(before, files.list(index));
    }
  }

  @SuppressWarnings("try") // opening and closing are what is crashed
  @Test
  void aCrashAnywhereInAnOpeningLosesNothing() throws StorageException {
    MemoryFileSystem left = mergedUnderAReader(TestStore.empty(6));
    // What a crash leaves of a drop, and of a creation.
    left.createDirectories(DATA.resolve("d2/p0/i2"));
    for (long operation = 1; ; operation++) {
      MemoryFileSystem files = left.crash(1, Seeds.random(1));
      files.crashAt(operation);
      boolean crashed = false;
      try (StorageEngine engine = new TestStore(files, 4).open()) {
        crashed = files.crashed();
        files.crashAt(Long.MAX_VALUE);
      } catch (SimulatedCrash crash) {
        crashed = true;
      }
      if (!crashed) {
        assertTrue(operation > 20, "operations " + operation);
        return;
      }
      for (int image = 0; image < 4; image++) {
        MemoryFileSystem again = files.crash(image, Seeds.random(operation));
        expectPairs(again, "crash in operation " + operation + ", image " + image);
      }
    }
  }

  @Test
  void anEmptyDirectoryIsRefusedWhereAStoreMustBe() throws StorageException {
    TestStore store = TestStore.empty(7);
    EngineOptions options =
        TestStore.options().opening(OpeningOptions.DEFAULTS.withMustExist()).build();
    ConflictException refused =
        assertThrows(ConflictException.class, () -> store.open(options).close());
    assertEquals(ConflictException.Reason.NO_STORE, refused.reason());
    store.files.createDirectories(TestStore.ROOT);
    assertThrows(ConflictException.class, () -> store.open(options).close());
    store.open().close();
    store.open(options).close();
  }

  @Test
  void anEngineThatLostItsLockAcknowledgesNothingMore() throws StorageException {
    TestStore store = TestStore.empty(8);
    StorageEngine engine = store.open();
    KeyValueStore pairs =
        engine.createKeyValueStore(
            "kv",
            new KeyValueOptions(
                1 << 20, MergePolicyOptions.none(), 0.01, Optional.empty(), Optional.empty(), 0));
    try (KeyValueSession session = pairs.openSession()) {
      TestStore.put(session, 1);
    }
    store.files.delete(TestStore.ROOT.resolve("LOCK"));
    store.clock.advanceMillis(1000);
    StorageException refused =
        assertThrows(
            StorageException.class,
            () -> {
              try (KeyValueSession session = pairs.openSession()) {
                TestStore.put(session, 2);
              }
            });
    assertTrue(refused.getMessage().contains("no longer held"), refused.getMessage());
    assertThrows(StorageException.class, () -> pairs.openSession().close());
    assertThrows(StorageException.class, pairs::flush);
    List<Path> before = StoreHistory.filesOf(store.files, TestStore.ROOT);
    engine.close();
    assertEquals(before, StoreHistory.filesOf(store.files, TestStore.ROOT));
  }

  @Test
  void whatBelongsToNothingIsReported() throws StorageException {
    TestStore store = TestStore.empty(9);
    try (StorageEngine engine = store.open()) {
      for (String name : List.of("store/junk", "store/log/junk.log", "store/data/junk")) {
        Path junk = TestStore.ROOT.resolve(name);
        StoreHistory.replace(store.files, junk, new byte[1]);
        assertEquals(List.of(junk + " belongs to no index"), engine.verify().problems());
        store.files.delete(junk);
      }
    }
  }

  @Test
  void whatHasTheNameOfALogSegmentAndIsNoneIsKept() throws StorageException {
    byte[] letter = "a letter of somebody who mistook the directory for theirs".getBytes(UTF_8);
    for (int bytes : List.of(letter.length, 8192, SEGMENT_BYTES)) {
      TestStore store = TestStore.empty(9);
      store.open().close();
      Path segment = TestStore.ROOT.resolve("store/log/segment-0000000050.log");
      byte[] content = Arrays.copyOf(letter, bytes);
      StoreHistory.replace(store.files, segment, content);
      try (StorageEngine engine = store.open()) {
        assertTrue(engine.verify().clean());
        assertEquals(1, engine.verify().notes().size(), engine.verify().notes().toString());
      }
      Path kept = TestStore.ROOT.resolve("quarantine/q-0000000001").resolve(segment.getFileName());
      assertArrayEquals(content, store.files.content(kept));
    }
  }
}
