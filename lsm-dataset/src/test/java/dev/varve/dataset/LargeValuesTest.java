package dev.varve.dataset;

import static dev.varve.dataset.KeyValueModel.get;
import static dev.varve.dataset.KeyValueModel.slice;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Goal: a large value is written once, whatever is flushed and merged afterwards; it is there for
 * every reader who may see it, and its space comes back when none may; copies of a store have it; a
 * lost or damaged one is said. Method: a small store on a simulated disk, whose files of values are
 * looked at. That everything else is as for other values is what the models and crash tests of
 * key-value stores check.
 */
final class LargeValuesTest {
  private static final int VALUE = 3000;
  private static final int KEYS = 40;

  private final TestStore store = TestStore.empty(11);

  private static KeyValueOptions options() {
    return KeyValueModel.options().withMemoryBytes(64 << 10).withLargeValueBytes(1000);
  }

  private static String key(int number) {
    return "key " + (100 + number);
  }

  private static String value(int number, int version) {
    return number + "." + version + " " + "x".repeat(VALUE);
  }

  private static void putAll(KeyValueStore pairs, int version) throws StorageException {
    for (int i = 0; i < KEYS; i++) {
      pairs.put(slice(key(i)), slice(value(i, version)));
    }
  }

  private static void check(KeyValueStore pairs, int version) throws StorageException {
    int number = 0;
    try (RecordCursor cursor = pairs.scan(KeyRange.all())) {
      while (cursor.next()) {
        assertEquals(slice(key(number)).toString(), cursor.key().toString());
        assertEquals(slice(value(number, version)).toString(), cursor.value().toString());
        number++;
      }
    }
    assertEquals(KEYS, number);
    assertEquals(value(7, version), get(pairs, key(7)));
  }

  private List<Path> valueFiles(Path directory) throws DiskException {
    List<Path> found = new ArrayList<>();
    for (Path path : store.files.list(directory)) {
      if (store.files.isDirectory(path)) {
        found.addAll(valueFiles(path));
      } else if (path.toString().endsWith(".values")) {
        found.add(path);
      }
    }
    return found;
  }

  private long valueBytes() throws DiskException {
    long bytes = 0;
    for (Path path : valueFiles(TestStore.ROOT)) {
      bytes += store.files.size(path);
    }
    return bytes;
  }

  /** Lets what goes on in the background go on for so long. */
  private void rest(int seconds) {
    store.executor.runForNanos(seconds * 1_000_000_000L);
  }

  @Test
  void aLargeValueIsWrittenOnceAndFoundAgain() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", options());
      putAll(pairs, 1);
      check(pairs, 1);
      pairs.flush();
      pairs.compact();
      check(pairs, 1);
      long components = pairs.stats().partitions().get(0).indexes().get(0).mergedBytes();
      assertTrue(components < VALUE * KEYS / 4, components + " bytes were merged");
      assertTrue(valueBytes() >= VALUE * KEYS, valueBytes() + " bytes of values");
      assertTrue(pairs.exists(slice(key(3))));
      assertEquals(KEYS, pairs.count(KeyRange.all()));
      List<byte[]> keys = List.of(slice(key(5)).toByteArray(), slice(key(4)).toByteArray());
      List<Optional<byte[]>> found = pairs.getAll(keys);
      assertArrayEquals(slice(value(5, 1)).toByteArray(), found.get(0).orElseThrow());
      assertArrayEquals(slice(value(4, 1)).toByteArray(), found.get(1).orElseThrow());
      byte[] before = slice(value(6, 1)).toByteArray();
      assertTrue(
          pairs.compareAndSet(
              slice(key(6)).toByteArray(), Optional.of(before), Optional.of(new byte[] {1})));
      assertEquals(1, pairs.get(slice(key(6)).toByteArray()).orElseThrow().length);
      assertTrue(pairs.verify().problems().isEmpty(), pairs.verify().toString());
    }
  }

  @Test
  void valuesStayWhereTheyAreWhenOthersAreReadByTheirKeysAlone() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", options());
      putAll(pairs, 1);
      for (Path file : valueFiles(TestStore.ROOT)) {
        store.files.damage(file, 100, 1);
      }
      assertTrue(pairs.exists(slice(key(0))));
      assertEquals(KEYS, pairs.count(KeyRange.all()));
    }
  }

  @Test
  void whatLooksLikeAReferenceIsAValue() throws StorageException {
    byte[] reference =
        HexFormat.of()
            .parseHex("640be8527cf13a9d" + "0100000000000000" + "280000000a00000000000000");
    assertEquals(28, reference.length);
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", options());
      pairs.put(slice("a").toByteArray(), reference);
      assertArrayEquals(reference, pairs.get(slice("a").toByteArray()).orElseThrow());
      assertEquals(1, valueFiles(TestStore.ROOT).size());
      pairs.flush();
      assertArrayEquals(reference, pairs.get(slice("a").toByteArray()).orElseThrow());
      KeyValueStore whole = engine.createKeyValueStore("whole", options().withLargeValueBytes(0));
      whole.put(slice("a").toByteArray(), reference);
      assertArrayEquals(reference, whole.get(slice("a").toByteArray()).orElseThrow());
      assertEquals(1, valueFiles(TestStore.ROOT).size());
    }
  }

  @Test
  void theSpaceOfReplacedValuesComesBackWhileOthersArePut() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", options());
      long most = 0;
      for (int version = 1; version <= 30; version++) {
        putAll(pairs, version);
        rest(2);
        most = Math.max(most, valueBytes());
      }
      check(pairs, 30);
      long live = (long) VALUE * KEYS;
      assertTrue(most < 4 * live, most + " bytes at once for " + live);
      pairs.compact();
      assertTrue(valueBytes() < 1.5 * live, valueBytes() + " bytes at last for " + live);
      check(pairs, 30);
    }
    reopened(30);
  }

  @Test
  void aFileOfWhichALittleCountsIsEmptied() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", options());
      putAll(pairs, 1);
      for (int i = 0; i < KEYS; i++) {
        if (i % 4 != 0) {
          pairs.delete(slice(key(i)));
        }
      }
      pairs.compact();
      long live = (long) VALUE * KEYS / 4;
      assertTrue(valueBytes() < 1.5 * live, valueBytes() + " bytes for " + live);
      for (int i = 0; i < KEYS; i++) {
        assertEquals(i % 4 == 0 ? value(i, 1) : null, get(pairs, key(i)));
      }
    }
  }

  @Test
  void theSpaceOfDeletedValuesComesBackWhenNothingIsWritten() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", options());
      putAll(pairs, 1);
      pairs.deleteRange(KeyRange.all());
      rest(30);
      assertTrue(valueBytes() < 100, valueBytes() + " bytes for nothing");
      // The number of the last file is not given again.
      assertEquals(1, valueFiles(TestStore.ROOT).size());
      putAll(pairs, 2);
      check(pairs, 2);
    }
    reopened(2);
  }

  @Test
  void aSnapshotKeepsTheValuesThatItShows() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", options());
      putAll(pairs, 1);
      try (EngineSnapshot snapshot = engine.snapshot()) {
        putAll(pairs, 2);
        pairs.compact();
        rest(30);
        for (int i = 0; i < KEYS; i++) {
          byte[] shown = snapshot.get(pairs, slice(key(i)).toByteArray()).orElseThrow();
          assertArrayEquals(slice(value(i, 1)).toByteArray(), shown);
        }
      }
      check(pairs, 2);
      pairs.compact();
      assertTrue(valueBytes() < 1.5 * VALUE * KEYS, valueBytes() + " bytes");
    }
  }

  @Test
  void aCursorThatIsOpenGoesOnWhileFilesGo() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", options());
      putAll(pairs, 1);
      pairs.flush();
      try (RecordCursor cursor = pairs.scan(KeyRange.all())) {
        assertTrue(cursor.next());
        putAll(pairs, 2);
        pairs.compact();
        assertTrue(valueBytes() < 1.5 * VALUE * KEYS, valueBytes() + " bytes");
        int seen = 1;
        while (cursor.next()) {
          String shown = cursor.value().toString();
          assertTrue(
              shown.equals(slice(value(seen, 1)).toString())
                  || shown.equals(slice(value(seen, 2)).toString()));
          seen++;
        }
        assertEquals(KEYS, seen);
      }
    }
  }

  @Test
  void valuesOfAnOpenTransactionStayAndThoseOfAnAbortedOneGo() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", options().withMemoryBytes(256 << 10));
      putAll(pairs, 1);
      pairs.flush();
      for (boolean commits : new boolean[] {true, false}) {
        try (KeyValueTransaction transaction = pairs.beginTransaction()) {
          for (int i = 1; i < KEYS; i++) {
            pairs.put(slice(key(i)), slice(value(i, 2)));
          }
          // Its value is alone in its file, which nobody else refers to.
          rest(30);
          transaction.upsert(slice(key(0)), slice(value(0, commits ? 2 : 3)));
          try (KeyValueSession session = pairs.openSession()) {
            session.remove(slice("none"));
          }
          rest(30);
          KeyValue found = new KeyValue();
          assertTrue(transaction.get(slice(key(0)), found));
          assertEquals(slice(value(0, commits ? 2 : 3)).toString(), found.value().toString());
          if (commits) {
            transaction.commit();
          }
        }
        check(pairs, 2);
      }
      pairs.compact();
      check(pairs, 2);
      assertTrue(valueBytes() < 1.5 * VALUE * KEYS, valueBytes() + " bytes");
    }
  }

  @Test
  void copiesHaveTheLargeValuesToo() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", options());
      putAll(pairs, 1);
      pairs.flush();
      pairs.put(slice(key(3)), slice(value(3, 1)));
      engine.checkpoint(Path.of("/checkpoint"));
      putAll(pairs, 2);
      pairs.compact();
      EngineOptions secondary = TestStore.options(Path.of("/secondary")).build();
      EngineSeams seams =
          new EngineSeams(store.faults, store.clock, store.executor, Seeds.random(3))
              .withLimits(ProcessLimits.NONE);
      try (StorageEngine second = StorageEngine.openSecondary(secondary, TestStore.ROOT, seams)) {
        check(second.keyValueStore("pairs"), 2);
      }
    }
    EngineOptions copied = TestStore.options(Path.of("/checkpoint")).build();
    try (StorageEngine copy = store.open(copied)) {
      check(copy.keyValueStore("pairs"), 1);
      assertTrue(copy.keyValueStore("pairs").verify().problems().isEmpty());
    }
    Path first = Path.of("/first");
    EngineInspection.backup(store.files, TestStore.ROOT, first, null);
    Path second = Path.of("/second");
    BackupReport again = EngineInspection.backup(store.files, TestStore.ROOT, second, first);
    assertEquals(0, again.copiedBytes());
    try (StorageEngine copy = store.open(TestStore.options(second).build())) {
      check(copy.keyValueStore("pairs"), 2);
    }
  }

  @Test
  void withoutALogSpaceComesBackOnlyBehindAFlush() throws StorageException {
    EngineOptions unlogged = TestStore.options().durability(Durability.NONE).build();
    StorageEngine engine = store.open(unlogged);
    KeyValueStore pairs = engine.createKeyValueStore("pairs", options());
    putAll(pairs, 1);
    pairs.flush();
    for (int version = 2; version < 5; version++) {
      putAll(pairs, version);
      rest(2);
      TestStore left = new TestStore(store.files.crash(0, Seeds.random(version)), version);
      try (StorageEngine opened = left.open(unlogged)) {
        KeyValueStore there = opened.keyValueStore("pairs");
        for (int i = 0; i < KEYS; i++) {
          assertNotNull(get(there, key(i)));
        }
        assertTrue(there.verify().problems().isEmpty());
      }
    }
    engine.close();
  }

  @Test
  void aDamagedValueAndAMissingFileAreSaid() throws StorageException {
    try (StorageEngine engine = store.open()) {
      putAll(engine.createKeyValueStore("pairs", options()), 1);
    }
    List<Path> files = valueFiles(TestStore.ROOT);
    assertTrue(files.size() > 1, files.toString());
    store.files.damage(files.get(0), 60, 4);
    Path gone = files.get(1);
    store.files.delete(gone);
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.keyValueStore("pairs");
      CorruptionException damaged =
          assertThrows(CorruptionException.class, () -> get(pairs, key(0)));
      assertEquals(files.get(0).toString(), damaged.file());
      assertEquals(value(1, 1), get(pairs, key(1)));
      CorruptionException missing =
          assertThrows(CorruptionException.class, () -> get(pairs, key(KEYS - 1)));
      assertEquals(gone.toString(), missing.file());
      List<String> problems = pairs.verify().problems();
      assertTrue(problems.get(0).contains("checksum of a value"), problems.get(0));
      assertTrue(problems.get(1).contains("is missing"), problems.get(1));
    }
  }

  @Test
  void aLogThatIsForcedWhenItIsClosedRefersToNothingThatIsLost() throws StorageException {
    StorageEngine engine = store.open();
    KeyValueStore pairs = engine.createKeyValueStore("pairs", options());
    try (KeyValueSession session = pairs.openSession(Durability.PROCESS_CRASH)) {
      session.put(slice(key(0)), slice(value(0, 1)));
    }
    // Nothing can be flushed, so that all that is left is in the log.
    store.faults.setPlan("create *.building 1 ENOSPC persistent");
    assertThrows(StorageException.class, engine::close);
    store.faults.setPlan("");
    store.faults.assertNothingOpen();
    TestStore left = new TestStore(store.files.crash(0, Seeds.random(1)), 1);
    try (StorageEngine opened = left.open()) {
      KeyValueStore there = opened.keyValueStore("pairs");
      assertEquals(value(0, 1), get(there, key(0)));
      assertTrue(there.verify().problems().isEmpty());
    }
  }

  @Test
  void whatAnOpeningAfterAKillHasFoundIsDurable() throws StorageException {
    KeyValueStore pairs = store.open().createKeyValueStore("pairs", options());
    try (KeyValueSession session = pairs.openSession(Durability.PROCESS_CRASH)) {
      session.put(slice(key(0)), slice(value(0, 1)));
    }
    // The kernel has what was written, and nothing of it is durable.
    store.files.killProcess();
    TestStore killed = new TestStore(store.files, 1);
    StorageEngine again = killed.open();
    assertEquals(value(0, 1), get(again.keyValueStore("pairs"), key(0)));
    TestStore left = new TestStore(killed.files.crash(0, Seeds.random(1)), 1);
    try (StorageEngine opened = left.open()) {
      assertEquals(value(0, 1), get(opened.keyValueStore("pairs"), key(0)));
    }
    again.close();
  }

  @Test
  void aFullDiskRefusesTheValueAndNothingElse() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", options());
      pairs.put(slice(key(0)), slice(value(0, 1)));
      store.faults.setPlan("write */v-1.values 1 ENOSPC persistent");
      assertThrows(DiskException.class, () -> pairs.put(slice(key(1)), slice(value(1, 1))));
      store.faults.setPlan("");
      assertNull(get(pairs, key(1)));
      pairs.put(slice(key(1)), slice(value(1, 2)));
      assertEquals(value(1, 2), get(pairs, key(1)));
      assertFalse(pairs.exists(slice(key(2))));
    }
  }

  private void reopened(int version) throws StorageException {
    try (StorageEngine engine = store.open()) {
      check(engine.keyValueStore("pairs"), version);
    }
    store.faults.assertNothingOpen();
  }
}
