package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SortedRunFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever is inserted, moved, deleted and brought back, by transactions that commit or
 * abort, in whichever of several memory and disk components, during flushes and merges, and after
 * crashes and redo: an index with deleted keys has exactly the places that the records have.
 *
 * <p>Method: seeded operations on an index and on a map from primary key to secondary key. A log is
 * kept; a crash loses what is in memory and redoes the log, from a place that may be too early.
 * Flush and merge tasks wait in the test's hands and are run a step at a time. Readers open, see
 * tasks go on, and then must find what was there.
 */
final class DeletedKeysModelTest {
  private static final int SEEDS = 20;
  private static final int OPERATIONS = 400;
  private static final int RECORDS = 25;
  private static final int PLACES = 4;
  private static final Path ROOT = Path.of("/node");

  private record Change(String key, boolean deletes, long lsn) {}

  @Test
  void theIndexHasThePlacesOfTheRecords() throws Exception {
    Seeds.run(SEEDS, seed -> new Run(Seeds.random(seed), SortedRunFormat.withDeletedKeys()).run());
  }

  @Test
  void soItHasWhenTheKindTakesFlushesAndMergesInItsOwnWay() throws Exception {
    Seeds.run(
        SEEDS,
        seed -> {
          TransferringFormat format = new TransferringFormat(SortedRunFormat.withDeletedKeys());
          new Run(Seeds.random(seed), format).run();
          assertTrue(format.transferred > 0);
          assertEquals(0, format.added);
        });
  }

  /** One seed. */
  private static final class Run {
    private final RandomGenerator random;
    private final TreeMap<Integer, String> model = new TreeMap<>();
    private final List<Change> log = new ArrayList<>();
    private final List<String> history = new ArrayList<>();
    private final IndexFixture fixture;

    Run(RandomGenerator random, ComponentFormat<Slice> format) throws StorageException {
      MemoryFileSystem files = new MemoryFileSystem();
      files.createDirectories(ROOT);
      this.random = random;
      this.fixture = new IndexFixture(ROOT, files, format);
      fixture.queue.leave();
    }

    void run() throws StorageException {
      try (IndexFixture closed = fixture) {
        for (int i = 0; i < OPERATIONS; i++) {
          step();
          if (random.nextInt(5) == 0) {
            check();
          }
        }
        finishTasks();
        closed.queue.runAtOnce();
        closed.index.compact();
        check();
        assertEquals(model.size(), closed.index.contents().verify());
        assertTrue(closed.index.stats().merges() > 0);
      }
    }

    private void step() throws StorageException {
      int choice = random.nextInt(100);
      if (choice < 70) {
        transaction(random.nextInt(RECORDS), random.nextInt(6) == 0);
      } else if (choice < 80) {
        history.add("seal " + fixture.index.seal());
      } else if (choice < 90) {
        stepTask();
      } else if (choice < 95) {
        int count = fixture.components().size();
        if (count > 1 && fixture.index.shape().merging().isEmpty()) {
          int from = random.nextInt(count - 1);
          int to = random.nextInt(from + 2, count + 1);
          history.add("merge " + from + " to " + to);
          fixture.merge(from, to);
        }
      } else if (choice < 98) {
        readWhileTasksGoOn();
      } else {
        crash();
      }
    }

    /** Inserts, moves or deletes a record, or several of that in turn. */
    private void transaction(int record, boolean aborts) throws StorageException {
      MemoryComponent<?> component = fixture.index.tryEnter();
      List<Change> undo = new ArrayList<>();
      String before = model.get(record);
      String place = before;
      for (int i = 0; i <= random.nextInt(3); i++) {
        if (place != null) {
          change(component, place + "/" + record, true, !aborts);
          undo.add(0, new Change(place + "/" + record, false, 0));
        }
        place = place == null || random.nextInt(3) > 0 ? place() : null;
        if (place != null) {
          change(component, place + "/" + record, false, !aborts);
          undo.add(0, new Change(place + "/" + record, true, 0));
        }
      }
      if (random.nextInt(10) == 0) {
        // Its writer is inside: it must not be flushed before the end.
        fixture.index.seal();
      }
      if (aborts) {
        history.add("undo " + record);
        undo.forEach(change -> change(component, change.key, change.deletes, false));
      } else if (place == null) {
        model.remove(record);
      } else {
        model.put(record, place);
      }
      component.exit();
    }

    private String place() {
      return "place" + random.nextInt(PLACES);
    }

    private void change(
        MemoryComponent<?> component, String key, boolean deletes, boolean committed) {
      history.add((deletes ? "delete " : "put ") + key);
      if (committed) {
        log.add(new Change(key, deletes, fixture.endLsn));
      }
      component.put(IndexFixture.entry(key, "", deletes), fixture.endLsn);
      fixture.endLsn += 40;
    }

    private void stepTask() throws StorageException {
      if (!fixture.queue.tasks().isEmpty()) {
        MaintenanceTask task = fixture.queue.tasks().get(0);
        history.add("step of " + task.describe());
        task.step(random.nextInt(4) == 0 ? 1 : 1 << 20);
        if (task.done()) {
          fixture.queue.tasks().remove(task);
        }
      }
    }

    private void finishTasks() throws StorageException {
      while (!fixture.queue.tasks().isEmpty()) {
        stepTask();
      }
    }

    private void readWhileTasksGoOn() throws StorageException {
      history.add("reader");
      List<String> found = new ArrayList<>();
      try (EntryCursor cursor = fixture.index.search(IndexFixture.slice(""))) {
        while (cursor.next()) {
          found.add(IndexFixture.text(cursor.entry().key()));
          if (random.nextInt(3) == 0) {
            stepTask();
          }
        }
      }
      assertEquals(places(), found, history::toString);
    }

    /** Loses memory components, and redoes the log from where the index asks for, or before. */
    private void crash() throws StorageException {
      fixture.queue.cancelAll();
      fixture.reopen();
      long from = fixture.index.state().indexLsn() + 1;
      from -= random.nextBoolean() ? 0 : Math.min(from, 40L * random.nextInt(60));
      history.add("crash, redo from " + from);
      for (Change change : log) {
        if (change.lsn >= from) {
          redo(change);
        }
      }
      // As the engine does. After a redo from too early it must: old states lie above newer ones
      // until all is redone, and a second redo would not begin early enough to put that right.
      fixture.index.seal();
      finishTasks();
      check();
    }

    private void redo(Change change) throws StorageException {
      MemoryComponent<?> component = fixture.index.tryEnter();
      component.put(IndexFixture.entry(change.key, "", change.deletes), change.lsn);
      component.exit();
      if (random.nextInt(15) == 0) {
        fixture.index.seal();
        finishTasks();
      }
    }

    private List<String> places() {
      TreeMap<String, Boolean> keys = new TreeMap<>();
      for (Map.Entry<Integer, String> record : model.entrySet()) {
        keys.put(record.getValue() + "/" + record.getKey(), true);
      }
      return List.copyOf(keys.keySet());
    }

    private void check() throws StorageException {
      List<String> found = new ArrayList<>();
      List<String> onDisk = new ArrayList<>();
      try (LsmCursor cursor = fixture.index.searchStates(IndexFixture.slice(""))) {
        while (cursor.next()) {
          if (!cursor.entry().antimatter()) {
            found.add(IndexFixture.text(cursor.entry().key()));
          } else if (cursor.origin() == Origin.DISK) {
            onDisk.add(IndexFixture.text(cursor.entry().key()));
          }
        }
      }
      assertEquals(places(), found, history::toString);
      assertEquals(List.of(), onDisk, () -> "antimatter from disk: " + history);
      int record = random.nextInt(RECORDS);
      String key = place() + "/" + record;
      boolean expected = key.equals(model.get(record) + "/" + record);
      assertEquals(expected, fixture.get(key) != null, () -> key + " after " + history);
      LookupBatch batch = new LookupBatch();
      batch.add(IndexFixture.slice(key));
      fixture.index.findAll(batch);
      Entry entry = new Entry();
      if (batch.isFound(0)) {
        batch.view(0, entry);
      }
      assertEquals(expected, batch.isFound(0) && !entry.antimatter(), () -> key + history);
      fixture.index.contents().verify();
    }
  }
}
