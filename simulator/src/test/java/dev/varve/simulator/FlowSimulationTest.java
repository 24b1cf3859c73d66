package dev.varve.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.scheduler.tuner.StallClass;
import dev.varve.scheduler.tuner.TunerSetting;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node of RocksDB's shape under tuners. */
final class FlowSimulationTest {
  private static FlowResult run(FlowDevice device, String tuner) {
    return FlowSimulation.run(FlowOptions.paper(device, tuner));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fixed", "auto-tuned", "silk-o", "adoc-paper", "adoc-artifact"})
  void theSameOptionsGiveTheSameResult(String tuner) {
    assertEquals(run(FlowDevice.SSD, tuner), run(FlowDevice.SSD, tuner));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fixed", "auto-tuned", "silk-p", "adoc-paper", "adoc-artifact"})
  void noDeviceMovesMoreThanItCan(String tuner) {
    for (FlowDevice device :
        List.of(FlowDevice.PM, FlowDevice.NVME, FlowDevice.SSD, FlowDevice.HDD)) {
      FlowResult result = run(device, tuner);
      assertTrue(result.use().peakPart() <= 1 + 1e-9, device + ": " + result.use());
      assertTrue(result.use().devicePart() <= result.use().peakPart(), device.name());
    }
  }

  @Test
  void whatIsWrittenIsInMemoryOrFlushed() {
    FlowResult result = run(FlowDevice.SSD, "static(8, 256m)");
    double written = result.simulation().takenRecords() * FlowLoad.FILL_RANDOM.recordBytes();
    double flushed = result.simulation().io().flushedBytes();
    assertTrue(written >= flushed - 1, written + " written, " + flushed + " flushed");
    assertTrue(written <= flushed + 2 * (256L << 20) + 1, written + ", " + flushed);
  }

  @Test
  void whatIsOnDiskIsNoMoreThanWasFlushed() {
    FlowResult result = run(FlowDevice.NVME, "static(8, 256m)");
    SimulationResult.Space space = result.simulation().space();
    assertTrue(space.endBytes() <= result.simulation().io().flushedBytes());
    assertTrue(space.liveBytes() <= space.endBytes());
    assertTrue(space.liveBytes() > space.endBytes() / 2, space.toString());
  }

  @Test
  void stallsAddUpToTheTimeInWhichWritersWereHeldBack() {
    FlowResult result = run(FlowDevice.HDD, "fixed");
    double seconds = result.seconds().stream().mapToDouble(FlowResult.Second::stalledSeconds).sum();
    assertEquals(result.stalledSeconds(), seconds, 1e-6);
    assertEquals(result.simulation().stalls().seconds(), seconds, 1e-6);
  }

  @Test
  void nobodyIsHeldBackByAFewWrites() {
    FlowOptions options = FlowOptions.paper(FlowDevice.PM, "fixed");
    FlowResult result = FlowSimulation.run(options.withLoad(options.load().at(1000)));
    assertEquals(0, result.stallCount());
    assertEquals(1000, result.recordsPerSecond(), 1e-6);
  }

  @Test
  void readersBesideAWriterReadAndTakeBandwidth() {
    FlowOptions alone = FlowOptions.paper(FlowDevice.HDD, "static(8, 512m)");
    FlowResult without = FlowSimulation.run(alone);
    FlowResult beside =
        FlowSimulation.run(
            alone.withLoad(alone.load().reading(new FlowLoad.Reads(0, 4, 10e-6, 0.1))));
    assertEquals(0, without.readsPerSecond());
    // 10 µs and a tenth of a request of 8 ms, or more when level 0 has many components.
    double most = 4 / (10e-6 + 0.1 * 8e-3);
    assertTrue(beside.readsPerSecond() < most, beside.readsPerSecond() + " of " + most);
    assertTrue(beside.readsPerSecond() > most / 3, beside.readsPerSecond() + " of " + most);
    assertTrue(beside.recordsPerSecond() < without.recordsPerSecond());
  }

  @Test
  void aDeviceIsBusyWhenItsStreamsGetAllThatItDoesForSoMany() {
    List<FlowJob> jobs = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      jobs.add(FlowJob.deeper(2, new FlowJob.Bytes(100, 100, 200), 0));
    }
    FlowBandwidth.Shares shares =
        FlowBandwidth.share(
            FlowDevice.HDD, TunerSetting.Io.OPEN, new FlowBandwidth.Clients(0, 0), jobs);
    assertEquals(1, shares.busy(), 1e-9);
    assertEquals(FlowDevice.HDD.bytesPerSecond() / 1.4, shares.used(), 1);
  }

  @Test
  void aClientThatReadsBetweenItsWritesReadsItsPart() {
    FlowOptions options = FlowOptions.paper(FlowDevice.PM, "silk-o");
    FlowResult result =
        FlowSimulation.run(
            options.withLoad(options.load().reading(new FlowLoad.Reads(0.75, 0, 20e-6, 0))));
    assertEquals(3 * result.recordsPerSecond(), result.readsPerSecond(), 1e-6);
    assertEquals(1 / (1 / 150_000.0 + 3 * 20e-6), result.recordsPerSecond(), 1);
  }

  @Test
  void whatIsLoadedLiesInTheFirstLevelThatHoldsIt() {
    FlowTree tree = new FlowTree(1e6, 100);
    tree.load(30_000);
    assertEquals(List.of(0L, 0L, 0L, 30_000L, 0L, 0L, 0L), tree.levelBytes());
    assertEquals(0, tree.pendingBytes());
  }

  @Test
  void levelZeroIsMergedByOneMergeAtATimeHoweverManyThreadsThereAre() {
    FlowTree tree = new FlowTree(1e12, 100);
    for (int i = 0; i < 8; i++) {
      tree.end(FlowJob.flush(100, 0));
    }
    FlowJob level0 = tree.beginMerge(0).orElseThrow();
    assertEquals(FlowJob.Kind.LEVEL_ZERO, level0.kind());
    assertEquals(8, level0.level0Components());
    assertTrue(tree.level0Merging());
    for (int i = 0; i < 8; i++) {
      tree.end(FlowJob.flush(100, 0));
    }
    assertTrue(tree.beginMerge(0).isEmpty());
    tree.end(level0);
    assertEquals(8, tree.level0Components());
    assertEquals(1600, tree.bytes(), 1e-3);
  }

  @Test
  void deeperMergesRunBesideEachOther() {
    FlowTree tree = new FlowTree(1e12, 100);
    for (int i = 0; i < 12; i++) {
      tree.end(FlowJob.flush(100, 0));
    }
    tree.end(tree.beginMerge(0).orElseThrow());
    FlowJob one = tree.beginMerge(0).orElseThrow();
    FlowJob other = tree.beginMerge(0).orElseThrow();
    assertEquals(List.of(1, 1), List.of(one.level(), other.level()));
    tree.end(one);
    tree.end(other);
    assertEquals(1200, tree.bytes(), 1e-3);
  }

  @Test
  void silkIsNotHeldBackByLevelZero() {
    assertEquals(
        0,
        run(FlowDevice.NVME, "silk-d")
            .stalls()
            .getOrDefault(StallClass.LEVEL_ZERO, new FlowResult.Stalls(0, 0))
            .seconds());
    assertTrue(run(FlowDevice.NVME, "fixed").stalls().containsKey(StallClass.LEVEL_ZERO));
  }

  @Test
  void moreMergesSlowTheFlushBesideThemDown() {
    double two = run(FlowDevice.PM, "static(2, 64m)").jobs().flushes().bytesPerSecond();
    double twenty = run(FlowDevice.PM, "static(20, 64m)").jobs().flushes().bytesPerSecond();
    assertTrue(twenty < two, twenty + " and " + two);
  }

  @Test
  void aTunerTurnsItsOwnKnobsOnly() {
    assertTrue(
        run(FlowDevice.SSD, "adoc-t").seconds().stream()
            .allMatch(second -> second.setting().memoryBytes() == 64L << 20));
    assertTrue(
        run(FlowDevice.HDD, "adoc-b").seconds().stream()
            .allMatch(second -> second.setting().threads() == 2));
    assertTrue(run(FlowDevice.HDD, "adoc-b").use().memoryBytes() > 2 * (64L << 20));
  }
}
