package dev.varve.dataset;

import static dev.varve.dataset.TestStore.index;
import static dev.varve.dataset.TestStore.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask.Kind;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.scheduler.admission.WriteGate;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.policy.ReclaimingPolicy;
import dev.varve.scheduler.service.MaintenanceService;
import dev.varve.scheduler.service.TaskReport;
import dev.varve.scheduler.tuner.FlowObservation;
import dev.varve.scheduler.tuner.Tuner;
import dev.varve.scheduler.tuner.TunerChange;
import dev.varve.scheduler.tuner.TunerLog;
import dev.varve.scheduler.tuner.TunerRun;
import dev.varve.scheduler.tuner.TunerSetting;
import dev.varve.scheduler.tuner.TunerSetting.Io;
import dev.varve.scheduler.tuner.TunerSetting.MergeOrder;
import dev.varve.scheduler.tuner.TunerText;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: a tuner is shown what happens in the engine, and what it says is in force. Method: engines
 * in virtual time on a slow disk.
 */
final class NodeTunerTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int DEVICE = 400_000;

  private final TestStore store = TestStore.empty(7);

  private static EngineOptions.Builder options() {
    return TestStore.options().logRetentionBytes(64 << 20).ioBytesPerSecond(DEVICE);
  }

  private static KeyValueOptions pairs() {
    return KeyValueModel.options().withMemoryBytes(512 << 10);
  }

  private static void fill(KeyValueStore pairs, int from, int count) throws StorageException {
    try (KeyValueSession session = pairs.openSession()) {
      for (int i = from; i < from + count; i++) {
        put(session, i);
      }
      session.force();
    }
  }

  /** A window passes, and the tuner sees it. */
  private void aSecondPasses() {
    store.clock.advanceNanos(SECOND);
    store.executor.runUntilIdle();
  }

  @Test
  void everyKnobIsTurnedWhileTheEngineRuns() throws StorageException {
    ScriptedTuner tuner =
        ScriptedTuner.always(
            (configured, inForce) ->
                configured
                    .withThreads(8)
                    .withMemoryBytes(configured.memoryBytes() / 4)
                    .withIo(new Io(DEVICE / 2, Io.UNLIMITED, configured.io().order())));
    try (StorageEngine engine = store.open(options().tuner(tuner).build())) {
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", pairs().withMergePolicy(KeyValueModel.CUT));
      fill(pairs, 0, 1000);
      engine.awaitQuiet(1_000_000);
      MaintenanceService maintenance = engine.parts().workers().maintenance();
      aSecondPasses();
      assertEquals(6, maintenance.mergeThreads());
      assertEquals(2, maintenance.flushThreads());
      assertEquals(DEVICE / 2, engine.stats().scheduling().ioBytesPerSecond());
      ManagedDataset managed = engine.parts().active().list().get(0);
      assertTrue(
          !ReclaimingPolicy.without(managed.writeBuffer().mergePolicy())
              .equals(ReclaimingPolicy.without(KeyValueModel.CUT.policy())),
          "levels are as large as before");
      assertEquals(
          KeyValueModel.CUT.policy().describe(),
          managed.descriptor().options().mergePolicy().policy().describe(),
          "the catalog is changed");
      TunerChange change = engine.stats().flow().tuner().recent().get(0);
      assertEquals("the script says so", change.reason());
      assertEquals(change.after(), engine.stats().flow().setting());
    }
  }

  @Test
  void withAPartOfItsMemoryADatasetIsFlushedSooner() throws StorageException {
    long before = flushesOf(ScriptedTuner.always((configured, inForce) -> configured));
    long after =
        flushesOf(
            ScriptedTuner.always(
                (configured, inForce) -> configured.withMemoryBytes(configured.memoryBytes() / 4)));
    assertTrue(after >= 3 * before && before > 2, before + " flushes, then " + after);
  }

  private static long flushesOf(Tuner tuner) throws StorageException {
    TestStore store = TestStore.empty(8);
    EngineOptions options = TestStore.options().logRetentionBytes(64 << 20).tuner(tuner).build();
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs());
      fill(pairs, 0, 10);
      store.clock.advanceNanos(SECOND);
      store.executor.runUntilIdle();
      for (int i = 10; i < 2000; i += 20) {
        fill(pairs, i, 20);
        store.executor.runUntilIdle();
      }
      engine.awaitQuiet(1_000_000);
      return index(pairs).flushes();
    }
  }

  @Test
  void theSameWindowsGiveTheSameSettingsInTheEngineAndInARunByItself() throws StorageException {
    Tuner adoc = TunerText.parse("adoc-paper");
    ScriptedTuner tuner = new ScriptedTuner(adoc::start);
    try (StorageEngine engine = store.open(options().tuner(tuner).build())) {
      fill(engine.createKeyValueStore("pairs", pairs()), 0, 8000);
      engine.awaitQuiet(1_000_000);
      for (int i = 0; i < 40; i++) {
        aSecondPasses();
      }
      List<TunerChange> changes = engine.stats().flow().tuner().recent();
      TunerRun run = TunerRun.start(adoc, tuner.configured, tuner.limits);
      tuner.windows.forEach(run::observe);
      assertEquals(run.log().recent(), changes);
      assertEquals(run.setting(), engine.stats().flow().setting());
      assertTrue(changes.size() > 2, changes.toString());
      assertTrue(tuner.windows.stream().anyMatch(each -> each.memory().overflows() > 0));
      assertTrue(tuner.windows.stream().anyMatch(each -> each.busy().limiterDrained() > 0.9));
      FlowObservation last = tuner.windows.get(tuner.windows.size() - 1);
      assertEquals(0, last.busy().mergeThreads() + last.busy().device(), "nothing is to be done");
    }
  }

  @Test
  void fixedChangesNothing() throws StorageException {
    try (StorageEngine engine = store.open(options().build())) {
      TunerSetting before = engine.stats().flow().setting();
      fill(engine.createKeyValueStore("pairs", pairs()), 0, 8000);
      for (int i = 0; i < 40; i++) {
        aSecondPasses();
      }
      assertEquals(0, engine.stats().flow().tuner().changes());
      assertEquals(before, engine.stats().flow().setting());
      assertEquals(4, engine.parts().workers().loops().size(), "a tuner runs");
    }
  }

  @Test
  void whatWaitsForMergesIsWhatTheyHaveToRead() throws StorageException {
    try (StorageEngine engine = store.open(options().build())) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs());
      long seen = 0;
      for (int i = 0; i < 100; i++) {
        fill(pairs, 40 * i, 40);
        store.executor.step();
        long merging =
            engine.parts().workers().maintenance().stats().tasks().stream()
                .filter(task -> task.kind() == Kind.MERGE)
                .mapToLong(TaskReport::inputBytes)
                .sum();
        EngineStats.FlowSummary flow = engine.stats().flow();
        assertTrue(flow.pendingBytes() >= merging, flow + ", but " + merging);
        seen += merging;
      }
      assertTrue(seen > 0, "nothing merged");
      engine.awaitQuiet(1_000_000);
      EngineStats stats = engine.stats();
      assertEquals(0, stats.flow().pendingBytes());
      assertTrue(stats.flow().sealToFlushedSeconds() > 0);
      assertEquals(
          index(pairs).components().size(), stats.flow().indexes().get(0).level0Components());
      assertEquals(nanos(stats.stalls()), nanos(stats.flow().stallClasses()));
      assertTrue(nanos(stats.stalls()) > 0, "nobody waited");
    }
  }

  private static long nanos(List<EngineStats.StallSummary> stalls) {
    return stalls.stream().mapToLong(EngineStats.StallSummary::totalNanos).sum();
  }

  @Test
  void aTunerThatDividesTheDeviceHasToBeToldWhatItDoes() {
    assertRefused("auto-tuned");
    assertRefused("silk-d");
    for (String tuner : TunerText.FORMS) {
      String text = tuner.replace("THREADS", "4").replace("MEMORY_BYTES", "1m");
      assertEquals(
          TunerText.parse(text).describe(), build(text, DEVICE).maintenance().tuner().describe());
    }
    assertEquals("varve", build("varve", 0).maintenance().tuner().describe());
  }

  private static EngineOptions build(String tuner, long device) {
    return TestStore.options().ioBytesPerSecond(device).tuner(TunerText.parse(tuner)).build();
  }

  private static void assertRefused(String tuner) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> build(tuner, 0));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("needs ioBytesPerSecond"),
        refused.getMessage());
  }

  @Test
  void silkGivesDeeperMergesAQuarterOfTheDeviceWhileClientsAreBusy() throws StorageException {
    Io busy = new Io(Io.UNLIMITED, DEVICE / 4, MergeOrder.LEVEL_ZERO_FIRST);
    try (StorageEngine engine = open("silk-p", "stop")) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs());
      assertEquals(busy, engine.stats().flow().setting().io());
      fill(pairs, 0, 200);
      aSecondPasses();
      assertEquals(busy, engine.parts().workers().maintenance().io());
      assertEquals(4, engine.parts().workers().maintenance().mergeThreads() + 1);
      engine.awaitQuiet(1_000_000);
      for (int i = 0; i < 5; i++) {
        aSecondPasses();
      }
      Io rest = new Io(Io.UNLIMITED, Io.UNLIMITED, MergeOrder.LEVEL_ZERO_FIRST);
      assertEquals(rest, engine.parts().workers().maintenance().io());
      TunerLog log = engine.stats().flow().tuner();
      assertEquals("clients are at rest", log.recent().get(0).reason());
      List<String> told = engine.waits().tuner();
      assertEquals(log.recent().size(), told.size());
      assertTrue(
          told.get(0).startsWith("silk-p, after ") && told.get(0).endsWith("; clients are at rest"),
          told.toString());
    }
  }

  private StorageEngine open(String tuner, String gate) throws StorageException {
    return store.open(
        options().tuner(TunerText.parse(tuner)).writeGate(WriteGates.parse(gate)).build());
  }

  @Test
  void thresholdsAreTheControllersWhereThereIsOne() throws StorageException {
    ScriptedTuner tuner = ScriptedTuner.always((configured, inForce) -> configured);
    WriteGate gate = WriteGates.parse("controller(7, 9, 5m, 6m, 100k)");
    store.open(options().tuner(tuner).writeGate(gate).build()).close();
    assertEquals(7, tuner.limits.level0Slow());
    assertEquals(5 << 20, tuner.limits.pendingSlowBytes());
    assertEquals(20, tuner.limits.mostThreads());
    store.open(options().ioBytesPerSecond(0).tuner(tuner).build()).close();
    assertEquals(20, tuner.limits.level0Slow());
    assertTrue(
        tuner.limits.mostThreads() <= Math.max(3, Runtime.getRuntime().availableProcessors()));
  }

  @Test
  void varveBringsItsWriteControllerAndHasLevelZeroMergedFirst() throws StorageException {
    try (StorageEngine engine = open("varve", "stop")) {
      String gate = engine.stats().scheduling().gate();
      assertTrue(gate.startsWith("controller(16, 36, "), gate);
      assertTrue(gate.endsWith(", " + 4 * (DEVICE / 16) + ")"), gate);
      engine.setGate(WriteGates.parse("controller(10, 20, 1m, 2m, 100k)"));
      assertEquals(
          "controller(8, 20, 1048576, 2097152, 409600)", engine.stats().scheduling().gate());
      engine.setGate(WriteGates.parse("cap(1m)"));
      assertEquals("cap(1048576)", engine.stats().scheduling().gate());
      aSecondPasses();
      assertEquals(
          MergeOrder.LEVEL_ZERO_FIRST, engine.parts().workers().maintenance().io().order());
    }
    try (StorageEngine engine = open("adoc-paper", "stop")) {
      assertEquals("stop", engine.stats().scheduling().gate());
      aSecondPasses();
      assertEquals(MergeOrder.AS_SCHEDULED, engine.parts().workers().maintenance().io().order());
    }
  }

  @Test
  void everyTunerKeepsAllThatIsWrittenUnderTheController() throws StorageException {
    for (String tuner : List.of("adoc-paper", "silk-d", "silk-o", "varve", "auto-tuned")) {
      TestStore fresh = TestStore.empty(9);
      EngineOptions options =
          options()
              .tuner(TunerText.parse(tuner))
              .writeGate(WriteGates.parse("controller(4, 8, 100m, 200m, 200k)"))
              .build();
      try (StorageEngine engine = fresh.open(options)) {
        KeyValueStore pairs =
            engine.createKeyValueStore("pairs", pairs().withMergePolicy(KeyValueModel.CUT));
        for (int i = 0; i < 2000; i += 500) {
          fill(pairs, i, 500);
          fresh.executor.runForNanos(SECOND);
        }
        pairs.flush();
        assertTrue(engine.awaitQuiet(3_600_000), tuner);
        assertEquals(List.of(), engine.verify().problems(), tuner);
        assertEquals(
            2000,
            pairs.stats().partitions().get(0).indexes().get(0).components().stream()
                .mapToLong(ComponentStats::entries)
                .sum(),
            tuner);
        assertEquals(List.of(), engine.stats().scheduling().broken(), tuner);
        assertTrue(engine.stats().flow().tuner().tuner().equals(tuner), tuner);
      }
    }
  }

  @Test
  void howLongFlushesTookIsToldOfEachIndex() throws StorageException {
    try (StorageEngine engine = store.open(options().build())) {
      KeyValueStore small = engine.createKeyValueStore("small", pairs());
      KeyValueStore large = engine.createKeyValueStore("large", pairs());
      fill(small, 0, 20);
      small.flush();
      fill(large, 0, 200);
      large.flush();
      List<EngineStats.FlushTime> times = engine.stats().flow().flushTimes();
      assertEquals(2, times.size(), times.toString());
      assertTrue(
          times.get(1).sealToFlushedSeconds() > 2 * times.get(0).sealToFlushedSeconds()
              && times.get(0).flushes() == 1,
          times.toString());
      long flushes = times.stream().mapToLong(EngineStats.FlushTime::flushes).sum();
      double mean =
          times.stream().mapToDouble(each -> each.flushes() * each.sealToFlushedSeconds()).sum()
              / flushes;
      assertEquals(mean, engine.stats().flow().sealToFlushedSeconds(), 1e-9);
    }
  }
}
