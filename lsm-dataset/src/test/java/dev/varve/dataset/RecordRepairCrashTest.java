package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.ValueRange;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The power fails in every call of a repair that changes the disk, or the disk refuses the call;
 * the repair of what is left loses nothing, doubles nothing, and rejects no record twice.
 */
@Tag("slow")
class RecordRepairCrashTest {
  private static final Path REJECTS = TestStore.ROOT.resolve(RejectsDirectory.NAME);

  private final RandomGenerator crashes = Seeds.random(7);
  private int checked;

  @Test
  void aRepairThatACrashInterruptsIsFinishedByTheNext() throws Exception {
    MisroutedStore spoilt = new MisroutedStore();
    TestStore store = spoilt.copy(1);
    try (StorageEngine engine = store.open()) {
      store.files.onOperation(operation -> checkCrash(spoilt, store, operation));
      engine.repair();
      store.files.onOperation(null);
    }
    finish(spoilt, store, "no crash");
    assertTrue(checked > 15, checked + " crash points");
  }

  private void checkCrash(
      MisroutedStore spoilt, TestStore store, MemoryFileSystem.Operation operation) {
    checked++;
    // What was forced, everything that was written, and a random part, in turn.
    int image = checked % 3;
    try {
      TestStore left = new TestStore(store.files.crash(image, crashes), 1);
      finish(spoilt, left, "image " + image + " of a crash in " + operation);
    } catch (Exception e) {
      throw new AssertionError("crash in " + operation, e);
    }
  }

  @Test
  void aRepairThatTheDiskRefusesIsFinishedByTheNext() throws Exception {
    MisroutedStore spoilt = new MisroutedStore();
    int faults = 0;
    boolean failed = true;
    for (int call = 1; failed; call += call < 20 ? 1 : 5) {
      TestStore store = spoilt.copy(call);
      failed = failsAt(store, call);
      faults += failed ? 1 : 0;
      store.files.killProcess();
      finish(spoilt, new TestStore(store.files, call), "call " + call + " failed");
    }
    assertTrue(faults > 15, faults + " faults");
  }

  private static boolean failsAt(TestStore store, int call) throws Exception {
    StorageEngine engine = store.open();
    store.faults.setPlan("any * " + call + " EIO");
    try {
      engine.repair();
      return false;
    } catch (StorageException refused) {
      return true;
    }
  }

  private static void finish(MisroutedStore spoilt, TestStore left, String where) throws Exception {
    try (StorageEngine engine = left.open()) {
      RepairReport report = engine.repair();
      assertTrue(report.complete(), where + ": " + report);
      Dataset dataset = engine.dataset(DatasetModel.NAME);
      assertEquals(
          List.copyOf(spoilt.model.records.values()),
          TestStore.records(dataset.scan(ValueRange.all())),
          where);
      assertEquals(List.of(), dataset.verify().problems(), where);
    }
    assertEquals(spoilt.rejected, MisroutedStore.rejected(left.files, REJECTS), where);
  }
}
