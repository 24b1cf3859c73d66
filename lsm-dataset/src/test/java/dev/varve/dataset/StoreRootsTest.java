package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.FileTree;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: a store whose partitions and log are in directories of their own is one store: it has its
 * files where it was told, it is opened with all of its directories and with no other, and its
 * copies are whole. Method: two directories for partitions and one for the log on a disk in memory,
 * of which some are taken away, exchanged and damaged; crashes at every call of the making.
 */
class StoreRootsTest {
  private static final int RECORDS = 60;
  private static final Path FIRST = TestStore.ROOTS.get(0);
  private static final Path SECOND = TestStore.ROOTS.get(1);

  private final TestStore store = TestStore.empty(7);

  private static Dataset fill(StorageEngine engine) throws StorageException {
    Dataset dataset = engine.createDataset(TestStore.people().withPartitions(3));
    for (int id = 0; id < RECORDS; id++) {
      dataset.upsert(TestStore.person(id, "name", "city", id));
      if (id == RECORDS / 2) {
        dataset.flush();
      }
    }
    return dataset;
  }

  private static void check(StorageEngine engine) throws StorageException {
    Dataset people = engine.dataset("people");
    assertEquals(RECORDS, TestStore.records(people.scan(KeyRange.all())).size());
    assertEquals(List.of(), engine.verify().problems());
  }

  private boolean exists(Path root, String path) {
    return store.files.exists(root.resolve(path));
  }

  @Test
  void filesAreWhereTheOptionsSayAndOptionsThatSayNothingFindThem() throws StorageException {
    try (StorageEngine engine = store.open(TestStore.placed())) {
      fill(engine);
      check(engine);
    }
    assertTrue(exists(FIRST, "data/d1/p0") && exists(FIRST, "data/d1/p2"));
    assertTrue(exists(SECOND, "data/d1/p1"));
    assertFalse(exists(FIRST, "data/d1/p1") || exists(SECOND, "data/d1/p0"));
    assertTrue(exists(TestStore.LOG_ROOT, "log/checkpoint"));
    assertFalse(exists(TestStore.ROOT, "store/data") || exists(TestStore.ROOT, "store/log"));
    try (StorageEngine engine = store.open()) {
      check(engine);
    }
    try (StorageEngine engine = store.open(TestStore.placed())) {
      check(engine);
      engine.drop("people");
    }
    assertEquals(List.of(), store.files.list(FIRST.resolve("data")));
    assertEquals(List.of(), store.files.list(SECOND.resolve("data")));
  }

  private ConflictException refused(EngineOptions options) throws StorageException {
    long operations = store.files.operationCount();
    ConflictException refused =
        assertThrows(ConflictException.class, () -> store.open(options).close());
    assertEquals(operations + 1, store.files.operationCount(), "the lock, and nothing else");
    return refused;
  }

  private void requireOpens() throws StorageException {
    try (StorageEngine engine = store.open()) {
      check(engine);
    }
  }

  private void makeFilled() throws StorageException {
    try (StorageEngine engine = store.open(TestStore.placed())) {
      fill(engine);
    }
  }

  @Test
  void otherRootsThanTheStoresAreRefused() throws StorageException {
    makeFilled();
    for (EngineOptions other :
        List.of(
            TestStore.options().storeDirectories(List.of(SECOND, FIRST)).build(),
            TestStore.options().storeDirectories(TestStore.ROOTS).build(),
            TestStore.options()
                .storeDirectories(List.of(FIRST))
                .logDirectory(TestStore.LOG_ROOT)
                .build())) {
      ConflictException mismatch = refused(other);
      assertEquals(ConflictException.Reason.OPTIONS_MISMATCH, mismatch.reason());
      assertTrue(String.valueOf(mismatch.getMessage()).contains(SECOND.toString()));
    }
    requireOpens();
    try (StorageEngine plain = store.open(TestStore.options(Path.of("/plain")).build())) {
      fill(plain);
    }
    EngineOptions spread = TestStore.placed();
    assertEquals(
        ConflictException.Reason.OPTIONS_MISMATCH,
        refused(spread.withDirectory(Path.of("/plain"), spread.placement())).reason());
  }

  @Test
  void aMissingOrForeignRootIsNamed() throws StorageException {
    makeFilled();
    Path away = Path.of("/away");
    for (Path root : TestStore.placed().placement().all()) {
      store.files.rename(root, away);
      ConflictException missing = refused(TestStore.options().build());
      assertEquals(ConflictException.Reason.NO_STORE, missing.reason());
      assertTrue(String.valueOf(missing.getMessage()).startsWith(root + ","));
      store.files.createDirectories(root);
      assertEquals(
          ConflictException.Reason.NO_STORE, refused(TestStore.placed()).reason(), "not mounted");
      store.files.delete(root);
      store.files.rename(away, root);
    }
    requireOpens();
    store.files.rename(FIRST, away);
    store.files.rename(SECOND, FIRST);
    store.files.rename(away, SECOND);
    ConflictException exchanged = refused(TestStore.options().build());
    assertEquals(ConflictException.Reason.FOREIGN_FILES, exchanged.reason());
    assertTrue(String.valueOf(exchanged.getMessage()).startsWith(FIRST + " holds partitions 1"));
    store.files.rename(FIRST, away);
    store.files.rename(SECOND, FIRST);
    store.files.rename(away, SECOND);
    requireOpens();
  }

  @Test
  void aCopyOfTheEnginesDirectoryIsNotOpenedOnTheSameRoots() throws StorageException {
    makeFilled();
    store.files.rename(TestStore.ROOT, Path.of("/moved"));
    ConflictException moved = refused(TestStore.options(Path.of("/moved")).build());
    assertEquals(ConflictException.Reason.FOREIGN_FILES, moved.reason());
    assertTrue(String.valueOf(moved.getMessage()).contains("made in " + TestStore.ROOT));
    store.files.rename(Path.of("/moved"), TestStore.ROOT);
    requireOpens();
  }

  @Test
  void rootsThatHoldAnythingAreNotTakenForANewStore() throws StorageException {
    makeFilled();
    EngineOptions other =
        TestStore.options()
            .build()
            .withDirectory(Path.of("/other"), TestStore.placed().placement());
    ConflictException foreign =
        assertThrows(ConflictException.class, () -> store.open(other).close());
    assertEquals(ConflictException.Reason.FOREIGN_FILES, foreign.reason());
    assertFalse(exists(Path.of("/other"), "store"));
    try (StorageEngine engine = store.open()) {
      check(engine);
      ConflictException used =
          assertThrows(ConflictException.class, () -> store.open(other).close());
      assertEquals(ConflictException.Reason.DIRECTORY_IN_USE, used.reason());
    }
    new FileTree(store.files, TestStore.ROOT).delete();
    ConflictException left =
        assertThrows(ConflictException.class, () -> store.open(TestStore.placed()).close());
    assertEquals(ConflictException.Reason.FOREIGN_FILES, left.reason());
  }

  @Test
  void aDamagedNameOrMarkIsCorruption() throws StorageException {
    makeFilled();
    for (Path file : List.of(TestStore.ROOT.resolve("store/roots"), FIRST.resolve("root"))) {
      store.files.damage(file, 20, 1);
      assertThrows(CorruptionException.class, () -> store.open().close());
      store.files.damage(file, 20, 1);
    }
    store.files.delete(TestStore.ROOT.resolve("store/roots"));
    assertThrows(CorruptionException.class, () -> store.open().close());
  }

  @Test
  void copiesHaveEverythingInOneDirectory() throws StorageException {
    Path target = Path.of("/checkpoint");
    try (StorageEngine engine = store.open(TestStore.placed())) {
      fill(engine);
      for (Path root : TestStore.placed().placement().all()) {
        assertThrows(
            IllegalArgumentException.class, () -> engine.checkpoint(root.resolve("inside")));
      }
      assertTrue(engine.checkpoint(target).components() > 0);
      EngineSeams seams =
          new EngineSeams(store.files, store.clock, store.executor, Seeds.random(1));
      try (StorageEngine secondary =
          StorageEngine.openSecondary(
              TestStore.options(Path.of("/secondary")).build(), TestStore.ROOT, seams)) {
        check(secondary);
        engine.dataset("people").upsert(TestStore.person(0, "another", "city", 0));
        try (StorageEngine newer = secondary.refresh().orElseThrow()) {
          check(newer);
        }
      }
    }
    EngineInspection.checkpoint(store.files, TestStore.ROOT, Path.of("/resting"));
    assertEquals(
        WaitReport.STOPPED, EngineInspection.stopped(store.files, TestStore.ROOT, 0).source());
    EngineInspection.backup(store.files, TestStore.ROOT, Path.of("/backup"), null);
    try (StorageEngine reading =
        StorageEngine.openReadOnly(
            TestStore.options().build(),
            new EngineSeams(store.files, store.clock, store.executor, Seeds.random(1)))) {
      check(reading);
    }
    for (Path root : TestStore.placed().placement().all()) {
      new FileTree(store.files, root).delete();
    }
    for (Path copy : List.of(target, Path.of("/resting"), Path.of("/backup"))) {
      try (StorageEngine engine = store.open(TestStore.options(copy).build())) {
        check(engine);
      }
    }
  }

  @Test
  void whatDoesNotCountStaysOnItsDevice() throws StorageException {
    makeFilled();
    Path stray = SECOND.resolve("data/d1/p1/i99");
    store.files.createDirectories(stray);
    Path strange = FIRST.resolve("data/d1/p1");
    store.files.createDirectories(strange);
    Path letter = TestStore.LOG_ROOT.resolve("letter");
    try (StorageFile file = store.files.open(letter, OpenMode.CREATE_NEW)) {
      file.write(0, new byte[1], 0, 1);
    }
    try (StorageEngine engine = store.open()) {
      assertEquals(
          List.of(letter + " belongs to no index", strange + " belongs to no index"),
          engine.verify().problems());
      assertTrue(exists(Quarantine.directory(SECOND), "q-0000000001/i99"));
    }
    assertFalse(exists(Quarantine.directory(SECOND), "q-0000000001"), "deleted as superfluous");
  }

  @Test
  void aCrashAnywhereInTheMakingLeavesAStoreOrRootsThatAreFree() throws StorageException {
    int[] crashes = new int[2];
    store.files.onOperation(
        operation -> {
          MemoryFileSystem image = store.files.crash(Seeds.random(operation.number()));
          crashes[image.exists(TestStore.ROOT.resolve("store")) ? 1 : 0]++;
          try (StorageEngine again = new TestStore(image, 1).open(TestStore.placed())) {
            fill(again);
            check(again);
          } catch (StorageException e) {
            throw new AssertionError(operation.toString(), e);
          }
        });
    store.open(TestStore.placed()).close();
    store.files.onOperation(null);
    assertTrue(crashes[0] > 20 && crashes[1] > 5, crashes[0] + " and " + crashes[1]);
  }

  /** Room by device: little on one of them. */
  private record Rooms(FileSystem files, Path full) implements ForwardingFileSystem {
    @Override
    public long usableBytes(Path path) {
      return path.startsWith(full) ? 1000 : Long.MAX_VALUE;
    }
  }

  /** Into how many components each partition is merged while one device is full. */
  private List<Integer> componentsWhenFull(Path full) throws StorageException {
    TestStore fresh = TestStore.empty(7);
    for (Path root : TestStore.ROOTS) {
      fresh.files.createDirectories(root);
      fresh.files.mount(root.getParent());
    }
    try (StorageEngine engine =
        StorageEngine.open(
            TestStore.options().storeDirectories(TestStore.ROOTS).build(),
            new EngineSeams(
                new Rooms(fresh.files, full), fresh.clock, fresh.executor, Seeds.random(1)))) {
      Dataset dataset =
          engine.createDataset(
              DatasetOptions.of("d", "id")
                  .withPartitions(2)
                  .withMergePolicy(new MergePolicyOptions("none")));
      for (int id = 0; id < 90; id++) {
        dataset.upsert(TestStore.person(id, "name".repeat(20), "city", id));
        if (id % 30 == 29) {
          dataset.flush();
        }
      }
      dataset.setMergePolicy(new MergePolicyOptions("constant(2)"));
      assertTrue(engine.awaitQuiet(60_000));
      return dataset.stats().partitions().stream()
          .map(partition -> partition.indexes().get(0).components().size())
          .toList();
    }
  }

  @Test
  void mergesReserveSpaceOnTheDeviceThatTheyWriteTo() throws StorageException {
    assertEquals(List.of(3, 1), componentsWhenFull(FIRST.getParent()));
    assertEquals(List.of(1, 3), componentsWhenFull(SECOND.getParent()));
  }

  @Test
  void directoriesThatAreNotApartAreRefusedTogether() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                TestStore.options()
                    .storeDirectories(List.of(FIRST, FIRST))
                    .logDirectory(FIRST.resolve("log"))
                    .build());
    assertTrue(String.valueOf(refused.getMessage()).contains("named twice"), refused::getMessage);
    assertTrue(String.valueOf(refused.getMessage()).contains("one in the other"));
    assertThrows(
        IllegalArgumentException.class,
        () -> TestStore.options().logDirectory(TestStore.ROOT.resolve("log")).build());
  }
}
