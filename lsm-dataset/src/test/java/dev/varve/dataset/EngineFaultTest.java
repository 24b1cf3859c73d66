package dev.varve.dataset;

import static dev.varve.dataset.TestStore.people;
import static dev.varve.dataset.TestStore.person;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.EngineOptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Disks that fail: what was acknowledged stays, what was refused left nothing, and all is closed.
 */
class EngineFaultTest {
  private final TestStore store = TestStore.empty(3);

  @Test
  void aFullDiskInAFlushStopsWritersOnlyAndPassesByItself() throws StorageException {
    EngineOptions options = TestStore.options().stallTimeoutMillis(2_000).build();
    try (StorageEngine engine = store.open(options)) {
      Dataset people = engine.createDataset(people());
      people.insert(person(0, "a", "x", 1));
      store.faults.setPlan("create *.building 1 ENOSPC persistent");
      String text = "y".repeat(5_000);
      int written = 1;
      ConflictException stalled = null;
      while (stalled == null) {
        try {
          people.insert(person(written, text.substring(0, 20), text, 1));
          written++;
        } catch (ConflictException e) {
          stalled = e;
        } catch (dev.varve.common.error.LimitException e) {
          text = text.substring(0, 100);
        }
      }
      assertEquals(ConflictException.Reason.STALLED, stalled.reason());
      assertTrue(String.valueOf(stalled.getMessage()).contains("a flush failed"));
      assertTrue(
          engine.stats().stalls().stream().anyMatch(stall -> stall.cause().equals("DISK_SPACE")));
      assertTrue(people.get(Key.of(0)).isPresent());
      assertEquals(written, TestStore.keys(people.scan(ValueRange.all())).size());
      assertThrows(DiskException.class, people::flush);
      store.faults.setPlan("");
      people.insert(person(written, "b", "x", 1));
      people.flush();
      assertEquals(List.of(), engine.verify().problems());
      assertEquals(written + 1, engine.verify().records());
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void afterAFailedForceEveryWriteIsRefusedWithTheFirstCause() throws StorageException {
    StorageEngine engine = store.open();
    Dataset people = engine.createDataset(people());
    people.insert(person(1, "a", "x", 1));
    store.faults.setPlan("sync * 1 EIO");
    OutcomeUnknownException unknown =
        assertThrows(OutcomeUnknownException.class, () -> people.insert(person(2, "a", "x", 1)));
    DiskException refused =
        assertThrows(DiskException.class, () -> people.insert(person(3, "a", "x", 1)));
    assertEquals(unknown.getCause(), refused);
    assertThrows(StorageException.class, () -> engine.createDataset(people()));
    assertTrue(people.get(Key.of(1)).isPresent());
    assertThrows(OutcomeUnknownException.class, () -> people.get(Key.of(2)));
    store.faults.setPlan("");
    engine.close();
    store.faults.assertNothingOpen();
    try (StorageEngine again = store.open()) {
      assertTrue(again.dataset("people").get(Key.of(1)).isPresent());
      assertEquals(List.of(), again.verify().problems());
      again.dataset("people").upsert(person(2, "a", "x", 1));
    }
  }

  @Test
  void noReaderSeesATransactionWhoseForceFailed() throws StorageException {
    StorageEngine engine = store.open();
    Dataset people = engine.createDataset(people());
    RecordTransaction transaction = people.partition(0).beginTransaction();
    transaction.insert(new Slice(person(1, "a", "x", 1)));
    store.faults.setPlan("sync * 1 EIO");
    assertThrows(OutcomeUnknownException.class, transaction::commit);
    assertThrows(OutcomeUnknownException.class, () -> people.get(Key.of(1)));
    store.faults.setPlan("");
    engine.close();
    store.faults.assertNothingOpen();
  }

  @Test
  void aBulkLoadThatFailsWhileItPublishesLeavesThePartitionEmpty() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      // The second of three components does not get its name.
      store.faults.setPlan("rename *.building 2 EIO");
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
      assertEquals(List.of(), TestStore.keys(people.scan(ValueRange.all())));
      assertEquals(0, engine.verify().entries());
      try (RecordLoader loader = people.partition(0).bulkLoad()) {
        for (int id = 0; id < 50; id++) {
          loader.add(new Slice(person(id, "n" + id, "x", id)));
        }
        assertEquals(50, loader.finish());
      }
      people.upsert(person(7, "other", "x", 7));
      assertEquals(
          List.of(Key.of(7)),
          TestStore.keys(people.search("name", ValueRange.exactly(Key.of("other")))));
      assertEquals(List.of(), engine.verify().problems());
    }
    store.faults.assertNothingOpen();
  }

  /** One call after the other fails; each run goes as far as it comes, then the disk is well. */
  @Test
  @Tag("slow")
  void anyCallMayFailOnce() throws Exception {
    Seeds.run(
        1,
        seed -> {
          for (int call = 1; call < 2_000; call += 3) {
            if (!failAt(seed, call, "EIO")) {
              System.out.println("all well from call " + call + " on");
              return;
            }
          }
        });
  }

  @Test
  @Tag("slow")
  void theDiskMayBeFullFromAnyCallOn() throws Exception {
    Seeds.run(
        1,
        seed -> {
          for (int call = 3; call < 2_000; call += 17) {
            if (!failAt(seed, call, "ENOSPC persistent")) {
              return;
            }
          }
        });
  }

  /** Returns whether the fault came up. */
  private static boolean failAt(long seed, int call, String fault) {
    TestStore store = TestStore.empty(seed);
    TreeMap<Long, byte[]> acknowledged = new TreeMap<>();
    TreeMap<Long, byte[]> unknown = new TreeMap<>();
    store.faults.setPlan("any * " + call + " " + fault);
    try {
      workload(store, acknowledged, unknown);
    } catch (StorageException expected) {
      // The engine could not be opened, or not be closed in order.
    }
    boolean failed = store.faults.faultCount() > 0;
    String where = "seed " + seed + ", fault at call " + call;
    store.faults.setPlan("");
    store.faults.assertNothingOpen();
    try (StorageEngine engine = store.open()) {
      if (engine.names().isEmpty()) {
        assertEquals(0, acknowledged.size(), where);
        return failed;
      }
      Dataset people = engine.dataset("people");
      assertEquals(List.of(), engine.verify().problems(), where);
      for (Key key : TestStore.keys(people.scan(ValueRange.all()))) {
        assertTrue(
            acknowledged.keySet().stream().anyMatch(id -> Key.of(id).equals(key))
                || unknown.keySet().stream().anyMatch(id -> Key.of(id).equals(key)),
            where + ": " + key + " was refused and is there");
      }
      for (long id : acknowledged.keySet()) {
        assertTrue(people.get(Key.of(id)).isPresent(), where + ": " + id + " is lost");
      }
    } catch (StorageException e) {
      throw new AssertionError(where, e);
    }
    return failed;
  }

  private static void workload(
      TestStore store, Map<Long, byte[]> acknowledged, Map<Long, byte[]> unknown)
      throws StorageException {
    EngineOptions options = TestStore.options().stallTimeoutMillis(1_000).build();
    try (StorageEngine engine = store.open(options)) {
      Dataset people = engine.openDataset(people());
      for (long id = 0; id < 60; id++) {
        byte[] record = person(id, "n" + id % 7, "x", id);
        try {
          if (id % 3 == 0) {
            people.insert(record);
          } else {
            try (RecordSession session = people.partition(0).openSession()) {
              session.insert(new Slice(record));
            }
          }
          acknowledged.put(id, record);
        } catch (OutcomeUnknownException e) {
          unknown.put(id, record);
        } catch (DiskException | ConflictException refused) {
          // Left nothing behind; checked at the end.
        }
        if (id % 15 == 14) {
          try {
            people.flush();
          } catch (StorageException e) {
            // Stays in memory and in the log.
          }
        }
      }
    }
  }
}
