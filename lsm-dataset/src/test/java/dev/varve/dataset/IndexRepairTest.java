package dev.varve.dataset;

import static dev.varve.dataset.TestStore.keys;
import static dev.varve.dataset.TestStore.people;
import static dev.varve.dataset.TestStore.person;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmIndex;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.RegionQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Components of secondary indexes are repaired by themselves: nothing merges, nothing is lost. */
class IndexRepairTest {
  private static final int NAMES = 1;
  private final TestStore store = TestStore.empty(41);

  private static DatasetOptions validated() {
    return people()
        .withPrimaryKeyIndex()
        .withMaintenance(IndexMaintenance.VALIDATION)
        .withMergePolicy(MergePolicyOptions.none());
  }

  /** Record 1 was called a and is b, 2 was a and is gone, 3 is a; all of that lies on disk. */
  private static void change(Dataset people) throws StorageException {
    people.upsert(person(1, "a", "x", 1));
    people.upsert(person(2, "a", "x", 1));
    people.upsert(person(3, "a", "x", 1));
    people.flush();
    people.upsert(person(1, "b", "x", 1));
    people.delete(Key.of(2));
    people.flush();
  }

  private static List<Key> byName(Dataset people, String name) throws StorageException {
    return keys(people.search("name", ValueRange.exactly(Key.of(name))));
  }

  private static void requireChanged(StorageEngine engine) throws StorageException {
    Dataset people = engine.dataset("people");
    assertEquals(List.of(Key.of(3)), byName(people, "a"));
    assertEquals(List.of(Key.of(1)), byName(people, "b"));
    assertEquals(1, people.countBy("name", ValueRange.exactly(Key.of("a"))));
    assertEquals(List.of(), engine.verify().problems());
  }

  private static LsmIndex<?> index(Dataset people, int position) throws StorageException {
    people.stats(); // which opens them
    return people.managed.lifecycles().get(0).openIndexes().all().get(position);
  }

  /** Entries that searches of all secondary indexes go through. */
  private static long entries(StorageEngine engine) throws StorageException {
    return engine.verify().entries();
  }

  private static List<Path> repairs(TestStore in) throws StorageException {
    return repairs(in, TestStore.ROOT.resolve("store"));
  }

  private static List<Path> repairs(TestStore in, Path directory) throws StorageException {
    List<Path> found = new ArrayList<>();
    for (Path path : in.files.list(directory)) {
      if (path.toString().endsWith(".repair")) {
        found.add(path);
      } else if (in.files.isDirectory(path)) {
        found.addAll(repairs(in, path));
      }
    }
    return found;
  }

  /** So many entries that merges and repairs read the keys that changed, and look few up. */
  @Test
  void ofManyEntriesJustThoseThatStandAreLeft() throws StorageException {
    long seed = 43;
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Set<Long> live = new HashSet<>();
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      for (int cycle = 0; cycle < 3; cycle++) {
        for (int flush = 0; flush < 4; flush++) {
          for (int change = 0; change < 800; change++) {
            long id = random.nextLong(1500);
            if (random.nextInt(4) == 0) {
              people.delete(Key.of(id));
              live.remove(id);
            } else {
              people.upsert(person(id, "n" + random.nextInt(), "x", 1));
              live.add(id);
            }
          }
          people.flush();
        }
        people.repairIndexes();
        assertEquals(live.size(), standing(people), "after repairs, cycle " + cycle);
        assertEquals(List.of(), engine.verify().problems());
        if (cycle == 1) {
          people.compact();
          assertEquals(live.size(), standing(people), "after merges");
        }
      }
      assertEquals(live.size(), people.countBy("name", ValueRange.all()));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  /** Entries of the index on names that searches go through. */
  private static long standing(Dataset people) throws StorageException {
    IndexStats names = people.stats().partitions().get(0).indexes().get(NAMES);
    return names.components().stream().mapToLong(ComponentStats::entries).sum()
        - names.obsoleteEntries();
  }

  @Test
  void readersLeaveOutWhatARepairHasFound() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      change(people);
      assertEquals((3 + 1) + 3 + 2, entries(engine));
      assertEquals(0, index(people, NAMES).state().checkedTo());
      people.repairIndexes();
      assertEquals(2 * 2 + 2, entries(engine));
      assertEquals(2, index(people, NAMES).state().checkedTo());
      IndexStats names = people.stats().partitions().get(0).indexes().get(NAMES);
      assertEquals(2, names.components().size(), "and nothing merges");
      assertEquals(2, names.obsoleteEntries());
      assertEquals(2, names.repairs(), "one of each component");
      requireChanged(engine);
    }
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.dataset("people");
      assertEquals(2, index(people, NAMES).state().checkedTo());
      assertEquals(2 * 2 + 2, entries(engine));
      requireChanged(engine);
      people.compact();
      assertEquals(List.of(), repairs(store));
      assertEquals(2 * 2 + 2, entries(engine));
      requireChanged(engine);
    }
  }

  @Test
  void compactingChecksASingleComponentToo() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      people.upsert(person(1, "a", "x", 1));
      people.upsert(person(2, "a", "x", 1));
      people.compact();
      people.delete(Key.of(2));
      assertEquals(2, standing(people), "a deletion writes nothing to the index");
      people.compact();
      assertEquals(1, standing(people));
      assertEquals(List.of(Key.of(1)), byName(people, "a"));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aSnapshotShowsWhatARepairHasFoundObsoleteSince() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      people.upsert(person(1, "a", "x", 1));
      people.upsert(person(2, "a", "x", 1));
      people.flush();
      try (EngineSnapshot before = engine.snapshot()) {
        people.upsert(person(1, "b", "y", 2));
        people.delete(Key.of(2));
        people.flush();
        people.repairIndexes();
        assertEquals(List.of(), byName(people, "a"));
        KeySearch a = new KeySearch(ValueRange.exactly(Key.of("a")));
        assertEquals(List.of(Key.of(1), Key.of(2)), keys(before.search(people, "name", a)));
        assertEquals(2, before.countBy(people, "name", a));
        KeySearch b = new KeySearch(ValueRange.exactly(Key.of("b")));
        assertEquals(List.of(), keys(before.search(people, "name", b)));
      }
    }
  }

  @Test
  void aFurtherRepairTakesThePlaceOfTheLast() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      change(people);
      people.repairIndexes();
      int before = repairs(store).size();
      people.repairIndexes();
      assertEquals(before, repairs(store).size(), "nothing has changed");
      people.upsert(person(3, "c", "y", 1));
      people.repairIndexes();
      assertEquals(3, index(people, NAMES).state().checkedTo());
      assertEquals(List.of(), byName(people, "a"));
      assertEquals(List.of(Key.of(3)), byName(people, "c"));
      for (Path file : repairs(store)) {
        assertTrue(file.toString().endsWith(".3.repair"), file.toString());
      }
      assertEquals(2 * 2 + 2, entries(engine));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aValueThatIsThereAgainIsFound() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      change(people);
      people.repairIndexes();
      people.upsert(person(1, "a", "x", 1));
      people.upsert(person(2, "a", "x", 1));
      assertEquals(List.of(Key.of(1), Key.of(2), Key.of(3)), byName(people, "a"));
      people.repairIndexes();
      assertEquals(List.of(Key.of(1), Key.of(2), Key.of(3)), byName(people, "a"));
      people.compact();
      assertEquals(List.of(Key.of(1), Key.of(2), Key.of(3)), byName(people, "a"));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private static SpatialSearch box(double minX, double minY, double maxX, double maxY)
      throws StorageException {
    return new SpatialSearch(RegionQuery.intersecting(new Rectangle(minX, minY, maxX, maxY)));
  }

  @Test
  void soItIsWithPlaces() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset spots =
          engine.createDataset(
              DatasetOptions.of("spots", "id")
                  .withIndexes(List.of(IndexDefinition.parse("rtree:spot")))
                  .withMaintenance(IndexMaintenance.VALIDATION)
                  .withMergePolicy(MergePolicyOptions.none()));
      for (int x = 0; x < 3; x++) {
        for (int id = x; id < 600; id++) {
          spots.upsert(TestStore.bytes("{\"id\":" + id + ",\"spot\":[" + x + "," + id + "]}"));
        }
        spots.flush();
      }
      assertEquals(600 + 599 + 598 + 600, entries(engine));
      spots.repairIndexes();
      assertEquals(600 + 600, entries(engine));
      assertEquals(2, spots.countBy("rtree:spot", box(-1, -1, 1.5, 600)));
      assertEquals(598, spots.countBy("rtree:spot", box(1.5, 0, 3, 600)));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void whatIsCutByKeyRangeIsRepairedToo() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated().withMergePolicy(KeyValueModel.CUT));
      for (int round = 0; round < 6; round++) {
        for (int id = round; id < 300; id++) {
          people.upsert(person(id, "n" + (id + round) % 7, "x" + round, id));
        }
        people.flush();
        store.executor.runUntilIdle();
      }
      people.repairIndexes();
      assertEquals(3 * 300, entries(engine));
      assertTrue(!repairs(store).isEmpty());
      assertEquals(List.of(), engine.verify().problems());
    }
    try (StorageEngine engine = store.open()) {
      assertEquals(3 * 300, entries(engine));
      engine.dataset("people").compact();
      assertEquals(3 * 300, entries(engine));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aDamagedRepairIsPutAsideAndFoundAgain() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      change(people);
      people.repairIndexes();
    }
    for (Path path : repairs(store)) {
      try (StorageFile file = store.files.open(path, FileSystem.OpenMode.READ_WRITE)) {
        file.write(50, new byte[] {1}, 0, 1);
      }
    }
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.dataset("people");
      assertEquals((3 + 1) + 3 + 2, entries(engine));
      requireChanged(engine);
      assertEquals(List.of(), repairs(store));
      people.repairIndexes();
      assertEquals(2 * 2 + 2, entries(engine));
      requireChanged(engine);
    }
  }

  @Test
  void whatHasNoComponentAnyMoreGoesAtTheOpening() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      change(people);
      people.repairIndexes();
    }
    List<Path> kept = repairs(store);
    Path index = kept.get(0).getParent();
    for (String name : List.of("c-1-1.1.repair", "c-7-9.12.repair", "r-3.4.repair")) {
      store.files.open(index.resolve(name), FileSystem.OpenMode.CREATE_NEW).close();
    }
    try (StorageEngine engine = store.open()) {
      requireChanged(engine);
      assertEquals(kept, repairs(store));
    }
  }

  @Test
  void aRepairThatCannotBeWrittenIsToldAndLeavesAllAsItWas() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      change(people);
      store.faults.setPlan("force *.repair.building 1 EIO");
      assertThrows(DiskException.class, people::repairIndexes);
      store.faults.setPlan("");
      assertEquals((3 + 1) + 3 + 2, entries(engine));
      requireChanged(engine);
      people.repairIndexes();
      assertEquals(2 * 2 + 2, entries(engine));
      requireChanged(engine);
    }
  }

  @Test
  void aCheckpointAndAReaderHaveWhatIsKnown() throws StorageException {
    Path copy = Path.of("/copy");
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      change(people);
      people.repairIndexes();
      engine.checkpoint(copy);
    }
    try (StorageEngine engine = store.open(TestStore.options(copy).build())) {
      assertEquals(2, index(engine.dataset("people"), NAMES).state().checkedTo());
      assertEquals(2 * 2 + 2, entries(engine));
      requireChanged(engine);
    }
  }

  @Test
  void nothingIsRepairedWhereNothingCanBeObsolete() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated().withMaintenance(IndexMaintenance.EAGER));
      people.upsert(person(1, "a", "x", 1));
      people.flush();
      people.upsert(person(1, "b", "x", 1));
      people.repairIndexes();
      assertEquals(List.of(), repairs(store));
      people.setMaintenance(IndexMaintenance.LAZY);
      people.upsert(person(1, "c", "x", 1));
      assertEquals(3 + 1 - 1, entries(engine) - 1, "b stays, and c");
      people.repairIndexes();
      assertEquals(1 + 1 + 1, entries(engine));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void componentsThatLagBehindAreRepairedInTheBackground() throws StorageException {
    try (StorageEngine engine = store.open(TestStore.options().repairAfterFlushes(3).build())) {
      Dataset people = engine.createDataset(validated());
      for (int i = 0; i < 4; i++) {
        people.upsert(person(1, "n" + i, "x", 1));
        people.upsert(person(2 + i, "m", "x", 1));
        people.flush();
        store.executor.runUntilIdle();
      }
      assertTrue(
          index(people, NAMES).state().checkedTo() > 0, "the first component was not checked");
      assertTrue(!repairs(store).isEmpty());
      assertEquals(List.of(), engine.verify().problems());
    }
  }
}
