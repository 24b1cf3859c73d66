package dev.varve.dataset;

import static dev.varve.dataset.TestStore.people;
import static dev.varve.dataset.TestStore.person;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FileCall;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.ValueRange;
import dev.varve.transaction.checkpoint.Checkpoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The newest component of an index is gone, which no gap among the others shows: it is noticed once
 * the log below it may be gone, and is named. What a crash or a failed load leaves is never taken
 * for that.
 */
class MissingComponentTest {
  private final TestStore store = TestStore.empty(4);

  private static Path index(int number) {
    return TestStore.ROOT.resolve("store/data/d1/p0/i" + number);
  }

  private static List<Path> components(MemoryFileSystem files, Path index) throws StorageException {
    List<Path> found = new ArrayList<>(files.list(index));
    found.removeIf(path -> !path.toString().endsWith(".lsm"));
    found.sort(Comparator.comparingLong(MissingComponentTest::lastFlush));
    return found;
  }

  private static long lastFlush(Path component) {
    String name = component.getFileName().toString();
    return Long.parseLong(name.substring(name.lastIndexOf('-') + 1, name.indexOf(".lsm")));
  }

  private static void write(Dataset people, int from, int to) throws StorageException {
    for (int id = from; id < to; id++) {
      people.upsert(person(id, "n" + id % 3, "x", id));
    }
    people.flush();
  }

  /** Deletes the newest component of each index in mutex, and expects each to be named. */
  private static void expectEachToBeMissed(MemoryFileSystem left) throws StorageException {
    for (int number = 1; number <= 3; number++) {
      MemoryFileSystem damaged = left.crash(1, Seeds.random(1));
      List<Path> there = components(damaged, index(number));
      Path newest = there.get(there.size() - 1);
      damaged.delete(newest);
      CorruptionException missed =
          assertThrows(
              CorruptionException.class,
              () -> {
                try (StorageEngine engine = new TestStore(damaged, 4).open()) {
                  engine.dataset("people").scan(ValueRange.all()).close();
                }
              });
      assertEquals(newest.toString(), missed.file());
      assertTrue(missed.getMessage().contains("missing"), missed.getMessage());
    }
  }

  @Test
  void theNewestComponentOfEachIndexIsMissedAfterAnOrderlyClose() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      write(people, 0, 10);
      write(people, 5, 15);
    }
    expectEachToBeMissed(store.files);
  }

  @Test
  void theNewestComponentOfEachIndexIsMissedAfterACrash() throws StorageException {
    StorageEngine engine = store.open();
    Dataset people = engine.createDataset(people());
    write(people, 0, 10);
    write(people, 5, 15);
    store.executor.runUntilIdle();
    MemoryFileSystem left = store.files.crash(0, Seeds.random(1));
    expectEachToBeMissed(left);
    engine.close();
  }

  @Test
  void theOnlyComponentIsMissedWhenItIsTheResultOfAMerge() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      write(people, 0, 10);
      write(people, 5, 15);
      people.compact();
    }
    assertEquals(1, components(store.files, index(1)).size());
    expectEachToBeMissed(store.files);
  }

  /** Where a manifest says what there is, every file counts, the manifest too. */
  @Test
  void everyFileOfAnIndexThatIsCutByKeyRangeIsMissed() throws StorageException {
    Path manifest = index(1).resolve("manifest");
    byte[] older;
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people().withMergePolicy(KeyValueModel.CUT));
      write(people, 0, 10);
      write(people, 5, 15);
      store.executor.runUntilIdle();
      older = store.files.content(manifest);
      write(people, 10, 20);
      store.executor.runUntilIdle();
    }
    List<Path> there = store.files.list(index(1));
    assertTrue(there.size() > 1, there.toString());
    for (Path path : there) {
      MemoryFileSystem damaged = store.files.crash(1, Seeds.random(1));
      damaged.delete(path);
      CorruptionException missed = assertThrows(CorruptionException.class, () -> scan(damaged));
      Path named = path.equals(manifest) ? there.get(1) : path;
      assertEquals(named.toString(), missed.file());
    }
    MemoryFileSystem damaged = store.files.crash(1, Seeds.random(1));
    damaged.delete(manifest);
    try (StorageFile file = damaged.open(manifest, FileSystem.OpenMode.CREATE_NEW)) {
      file.write(0, older, 0, older.length);
    }
    CorruptionException missed = assertThrows(CorruptionException.class, () -> scan(damaged));
    assertTrue(missed.getMessage().contains("missing"), missed.getMessage());
  }

  private static void scan(MemoryFileSystem files) throws StorageException {
    try (StorageEngine engine = new TestStore(files, 4).open()) {
      engine.dataset("people").scan(ValueRange.all()).close();
    }
  }

  @Test
  void whatIsNotActiveIsRememberedFromCheckpointToCheckpoint() throws StorageException {
    try (StorageEngine engine = store.open()) {
      write(engine.createDataset(people()), 0, 10);
      Dataset other = engine.createDataset(DatasetModel.options(1).withMemoryBytes(1 << 20));
      other.upsert(person(1, "a", "x", 1));
      store.executor.runUntilIdle();
    }
    try (StorageEngine engine = store.open()) {
      engine.dataset(DatasetModel.NAME).upsert(person(2, "a", "x", 1));
      engine.dataset(DatasetModel.NAME).flush();
      assertEquals(1, engine.parts().active().list().size(), "one of two");
      store.executor.runUntilIdle();
    }
    expectEachToBeMissed(store.files);
  }

  @Test
  void aComponentThatNoCheckpointReliesOnYetComesBackFromTheLog() throws StorageException {
    StorageEngine engine = store.open();
    Dataset people = engine.createDataset(people());
    write(people, 0, 10);
    // The checkpoint that the flush asks for was not written.
    store.faults.setPlan("create checkpoint.unfinished 1 EIO persistent");
    store.executor.runUntilIdle();
    MemoryFileSystem left = store.files.crash(0, Seeds.random(1));
    store.faults.setPlan("");
    engine.close();
    for (int number = 1; number <= 3; number++) {
      components(left, index(number)).forEach(path -> delete(left, path));
    }
    try (StorageEngine reopened = new TestStore(left, 4).open()) {
      assertEquals(List.of(), reopened.verify().problems());
      assertEquals(10, reopened.verify().records());
    }
  }

  private static void delete(MemoryFileSystem files, Path path) {
    try {
      files.delete(path);
    } catch (StorageException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aLoadThatFailedAfterACheckpointSawItsComponentsIsNoLoss() throws StorageException {
    StorageEngine engine = store.open();
    Dataset people = engine.createDataset(people());
    List<MemoryFileSystem> left = new ArrayList<>();
    boolean[] busy = {false};
    store.files.onOperation(
        operation -> {
          if (!busy[0] && operation.call() == FileCall.FORCEDIR) {
            busy[0] = true;
            checkpoint(engine);
            left.add(store.files.crash(0, Seeds.random(1)));
            busy[0] = false;
          }
        });
    // The last of three components does not get its name.
    store.faults.setPlan("rename *.building 3 EIO");
    assertThrows(
        DiskException.class,
        () -> {
          try (RecordLoader loader = people.partition(0).bulkLoad()) {
            for (int id = 0; id < 50; id++) {
              loader.add(new Slice(person(id, "n" + id, "x", id)));
            }
            loader.finish();
          }
        });
    store.faults.setPlan("");
    store.files.onOperation(null);
    left.add(store.files.crash(0, Seeds.random(1)));
    engine.close();
    left.add(store.files);
    assertTrue(left.size() > 4);
    for (MemoryFileSystem files : left) {
      // Twice: the first opening removes what the load left, and its checkpoint must know of that.
      for (int i = 0; i < 2; i++) {
        try (StorageEngine reopened = new TestStore(files, 4).open()) {
          assertEquals(List.of(), reopened.verify().problems());
          assertEquals(0, reopened.verify().entries());
        }
      }
    }
  }

  private static void checkpoint(StorageEngine engine) {
    try {
      Checkpointer keeper = engine.parts().workers().keeper();
      keeper.checkpoint(Checkpoint.Kind.RUNNING, keeper.mark());
    } catch (StorageException e) {
      throw new AssertionError(e);
    }
  }
}
