package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: a secondary has what its primary had committed up to some moment, not before what was
 * forced when it was opened or refreshed, and costs the primary nothing. Method: a primary that
 * goes on, is closed and is killed, with every state that it has committed; secondaries are held
 * against these. Every call to the disk that a secondary makes is looked at.
 */
final class SecondaryTest {
  private static final Path OWN = Path.of("/secondary");
  private static final int KEYS = 25;

  /** Opened as by another process on the same disk, which may write to its own directory only. */
  private static StorageEngine openSecondary(TestStore other) throws StorageException {
    return StorageEngine.openSecondary(
        TestStore.options(OWN).build(),
        TestStore.ROOT,
        new EngineSeams(other.faults, other.clock, other.executor, Seeds.random(other.seed))
            .withLimits(ProcessLimits.NONE));
  }

  private static StorageEngine openSecondary(MemoryFileSystem files) throws StorageException {
    return openSecondary(new TestStore(files, 5));
  }

  /** What lies in the directory of secondaries. */
  private static List<Path> images(MemoryFileSystem files) throws DiskException {
    return files.list(OWN).stream().filter(files::isDirectory).toList();
  }

  @Test
  void aSecondaryHasAPrefixOfWhatItsPrimaryCommitted() throws Exception {
    Seeds.run(6, seed -> new Run(seed).run());
  }

  private static StorageEngine filled(TestStore store) throws StorageException {
    StorageEngine primary = store.open();
    Dataset people = primary.createDataset(TestStore.people());
    for (int id = 0; id < KEYS; id++) {
      people.upsert(TestStore.person(id, "Ada", "London", id));
      if (id == KEYS / 2) {
        people.flush();
      }
    }
    return primary;
  }

  private static int count(StorageEngine engine) throws StorageException {
    return TestStore.records(engine.dataset("people").scan(ValueRange.all())).size();
  }

  @Test
  void anOlderSecondaryStaysAsItIsUntilItIsClosed() throws Exception {
    TestStore store = TestStore.empty(1);
    try (StorageEngine primary = filled(store);
        StorageEngine older = openSecondary(store.files)) {
      assertTrue(older.refresh().isEmpty());
      primary.dataset("people").delete(Key.of(3));
      primary.dataset("people").compact();
      primary.createKeyValueStore("more", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
      try (StorageEngine newer = older.refresh().orElseThrow()) {
        assertEquals(2, images(store.files).size());
        assertEquals(KEYS - 1, count(newer));
        assertEquals(List.of("more", "people"), newer.names());
        assertEquals(primary.storeId(), newer.storeId());
        assertTrue(newer.refresh().isEmpty());
      }
      assertEquals(KEYS, count(older));
      assertEquals(List.of("people"), older.names());
      assertEquals(1, images(store.files).size());
    }
    assertEquals(List.of(), images(store.files));
  }

  @Test
  void whatIsNotForcedIsNotSeenAndWhatTheLogDoesNotSayIs() throws Exception {
    TestStore store = TestStore.empty(1);
    try (StorageEngine primary = filled(store);
        StorageEngine older = openSecondary(store.files);
        RecordSession session = primary.dataset("people").openSession()) {
      session.upsert(TestStore.person(KEYS, "Ada", "London", KEYS));
      assertTrue(older.refresh().isEmpty());
      primary.createKeyValueStore("more", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
      try (StorageEngine newer = older.refresh().orElseThrow()) {
        assertEquals(List.of("more", "people"), newer.names());
        assertEquals(KEYS, count(newer));
        session.force();
        try (StorageEngine newest = newer.refresh().orElseThrow()) {
          assertEquals(KEYS + 1, count(newest));
        }
      }
    }
  }

  /** At every change that a secondary makes on the disk, the primary flushes and gives up log. */
  @Test
  void thePrimaryMayMoveOnWheneverItIsCopied() throws Exception {
    String text = "x".repeat(200);
    int moves = 0;
    for (boolean moved = true; moved; moves++) {
      int at = moves;
      AtomicInteger operations = new AtomicInteger();
      TestStore store = TestStore.empty(1);
      try (StorageEngine primary = filled(store)) {
        Dataset people = primary.dataset("people");
        for (int i = 0; i < 200; i++) {
          people.upsert(TestStore.person(KEYS, text, "London", i));
        }
        store.files.onOperation(
            operation -> {
              if (operation.path().startsWith(OWN) && operations.getAndIncrement() == at) {
                store.files.onOperation(null);
                try {
                  for (int i = 0; i < 200; i++) {
                    people.upsert(TestStore.person(KEYS, text, "Rome", i));
                  }
                  people.flush();
                  store.executor.runUntilIdle();
                  people.delete(Key.of(KEYS));
                } catch (StorageException failure) {
                  throw new AssertionError(failure);
                }
              }
            });
        try (StorageEngine secondary = openSecondary(store.files)) {
          int found = count(secondary);
          assertTrue(found == KEYS || found == KEYS + 1, found + " records, moved at " + at);
          assertTrue(secondary.verify().clean(), "moved at " + at);
        }
        store.files.onOperation(null);
        moved = operations.get() > at;
      }
    }
    assertTrue(moves > 20, moves + " moves");
  }

  @Test
  void aFaultAnywhereCostsTheSecondaryOnlyAndLeavesNoImage() throws Exception {
    TestStore store = TestStore.empty(1);
    int faults = 0;
    try (StorageEngine primary = filled(store)) {
      for (boolean failed = true; failed; ) {
        TestStore other = new TestStore(store.files, 5);
        other.faults.setPlan("any * " + (1 + faults) + " EIO");
        try (StorageEngine secondary = openSecondary(other)) {
          other.faults.setPlan("");
          assertEquals(KEYS, count(secondary));
          failed = false;
        } catch (DiskException failure) {
          faults++;
          other.faults.setPlan("");
        }
      }
      openSecondary(store.files).close();
      assertEquals(List.of(), images(store.files));
      primary.dataset("people").delete(Key.of(1));
      assertTrue(primary.verify().clean());
    }
    assertTrue(faults > 20, faults + " faults");
  }

  @Test
  void whatIsNoSecondaryOrHasNoPrimaryIsRefused() throws Exception {
    TestStore store = TestStore.empty(1);
    store.files.createDirectories(OWN.resolve("letters"));
    ConflictException none =
        assertThrows(ConflictException.class, () -> openSecondary(store.files).close());
    assertEquals(ConflictException.Reason.NO_STORE, none.reason());
    try (StorageEngine primary = filled(store)) {
      RequestException no = assertThrows(RequestException.class, primary::refresh);
      assertEquals(RequestException.Reason.UNSUPPORTED, no.reason());
      assertThrows(
          IllegalArgumentException.class,
          () ->
              StorageEngine.openSecondary(
                      TestStore.options(TestStore.ROOT.resolve("own")).build(),
                      TestStore.ROOT,
                      new EngineSeams(store.files, store.clock, store.executor, Seeds.random(1)))
                  .close());
      try (StorageEngine secondary = openSecondary(store.files)) {
        RequestException refused =
            assertThrows(
                RequestException.class,
                () -> secondary.dataset("people").upsert(TestStore.person(1, "Bob", "Rome", 1)));
        assertEquals(RequestException.Reason.UNSUPPORTED, refused.reason());
      }
    }
    assertEquals(List.of(OWN.resolve("letters")), images(store.files));
  }

  /** A primary, every state that it was in, and one secondary. */
  private static final class Run {
    private final RandomGenerator random;
    private final MergePolicyOptions policy;
    private final int partitions;
    private TestStore store;
    private StorageEngine primary;
    private Dataset dataset;

    private final List<DatasetModel> states = new ArrayList<>(List.of(new DatasetModel()));

    /** The oldest state that a secondary may be in. */
    private int forced;

    private @Nullable StorageEngine secondary;

    /** The state of the secondary. */
    private int seen;

    Run(long seed) throws StorageException {
      this.random = Seeds.random(seed);
      this.partitions = 1 + random.nextInt(2);
      this.policy = random.nextBoolean() ? MergePolicyOptions.constant(3) : KeyValueModel.CUT;
      this.store = TestStore.empty(seed);
      this.primary = store.open();
      this.dataset =
          primary.createDataset(DatasetModel.options(partitions).withMergePolicy(policy));
    }

    void run() throws StorageException {
      for (int i = 0; i < 60; i++) {
        step();
      }
      look();
      close();
      primary.close();
      look();
      close();
      assertEquals(List.of(), images(store.files));
    }

    private void step() throws StorageException {
      switch (random.nextInt(20)) {
        case 0 -> dataset.flush();
        case 1 -> dataset.compact();
        case 2 -> reopen();
        case 3 -> kill();
        case 4 -> store.executor.runUntilIdle();
        case 5 -> others();
        case 6, 7, 8 -> transaction();
        case 9, 10, 11, 12, 13 -> look();
        default -> session();
      }
    }

    private DatasetModel now() {
      return states.get(states.size() - 1);
    }

    private byte[] lastChange(DatasetModel next, long id) {
      return TestStore.bytes(next.records.get(id));
    }

    /** Commits that nothing forces, some of them forced. */
    private void session() throws StorageException {
      try (RecordSession session = dataset.openSession()) {
        for (int i = random.nextInt(6); i >= 0; i--) {
          long id = random.nextInt(KEYS);
          DatasetModel next = new DatasetModel(now());
          if (random.nextInt(4) == 0) {
            next.records.remove(id);
            session.delete(Key.of(id));
          } else {
            next.records.put(id, DatasetModel.record(id, random));
            session.upsert(lastChange(next, id));
          }
          states.add(next);
          if (random.nextInt(3) == 0) {
            session.force();
            forced = states.size() - 1;
          }
          if (random.nextInt(8) == 0) {
            look();
          }
        }
      }
      forced = states.size() - 1; // closing it forces
    }

    /** Several changes of which a secondary has all or none. */
    private void transaction() throws StorageException {
      DatasetModel next = new DatasetModel(now());
      try (RecordTransaction transaction = dataset.beginTransaction()) {
        for (int i = random.nextInt(8); i >= 0; i--) {
          long id = random.nextInt(KEYS);
          next.records.put(id, DatasetModel.record(id, random));
          transaction.upsert(lastChange(next, id));
          if (random.nextInt(5) == 0) {
            look();
          }
        }
        transaction.commit();
      }
      states.add(next);
      forced = states.size() - 1;
    }

    /** Stores and indexes come and go. */
    private void others() throws StorageException {
      if (primary.names().contains("other")) {
        primary.drop("other");
        dataset.dropIndex("age");
      } else {
        primary.createKeyValueStore("other", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
        dataset.addIndex(IndexDefinition.on("age"));
      }
    }

    private void reopen() throws StorageException {
      primary.close();
      look();
      open();
    }

    private void kill() throws StorageException {
      // Secondaries of the machine go with it, and leave their images.
      secondary = null;
      store.files.killProcess();
      if (random.nextBoolean()) {
        look();
        store.files.killProcess();
        secondary = null;
      }
      store = new TestStore(store.files, store.seed);
      open();
      // Recovery has what was not forced, too.
      states.add(new DatasetModel(now()));
      forced = states.size() - 1;
    }

    private void open() throws StorageException {
      primary = store.open();
      dataset = primary.dataset(DatasetModel.NAME);
      now().check(dataset);
    }

    private void close() throws StorageException {
      if (secondary != null) {
        secondary.close();
        secondary = null;
      }
    }

    /** Opens or refreshes the secondary, and finds the state that it is in. */
    private void look() throws StorageException {
      store.files.onOperation(
          operation -> assertTrue(operation.path().startsWith(OWN), operation::toString));
      StorageEngine before = secondary;
      if (before == null) {
        secondary = openSecondary(store.files);
      } else {
        Optional<StorageEngine> newer = before.refresh();
        if (newer.isPresent()) {
          states.get(seen).check(before.dataset(DatasetModel.NAME));
          before.close();
          secondary = newer.get();
        }
      }
      Dataset found = Objects.requireNonNull(secondary).dataset(DatasetModel.NAME);
      List<String> records = TestStore.records(found.scan(ValueRange.all()));
      int state = Math.max(seen, forced);
      while (!List.copyOf(states.get(state).records.values()).equals(records)) {
        state++;
        assertTrue(state < states.size(), "no state from " + forced + " on: " + records);
      }
      states.get(state).check(found);
      assertTrue(secondary.verify().clean());
      seen = state;
      store.files.onOperation(null);
    }
  }
}
