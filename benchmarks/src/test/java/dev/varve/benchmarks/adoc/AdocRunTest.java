package dev.varve.benchmarks.adoc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.DirectLink;
import dev.varve.benchmarks.child.Workload;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.report.SectionWatcher;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.DiskException;
import dev.varve.simulator.FlowDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every workload runs, tuners take turns, and what is printed is held against what was measured.
 */
final class AdocRunTest {
  private static final AdocScale SCALE = new AdocScale(0.01, 10, 100);

  @TempDir private Path directory = Path.of("");

  @ParameterizedTest
  @EnumSource
  void aWorkloadRuns(AdocWorkload workload) throws BenchmarkException {
    AdocRequest request =
        new AdocRequest(
            new AdocRequest.Node(directory, FlowDevice.HDD.bytesPerSecond(), "adoc-paper"),
            SCALE,
            new Work(
                workload.label(), 0, new Work.Span(0, 5_000), new Work.Effort(1, 3_000, 20, 20)));
    AdocRequest.Answer answer = server().answer(request, share -> {});
    assertEquals(3_000, answer.measurement().operations());
    assertEquals(workload.hasReader(), answer.reads() > 0, answer.toString());
    assertTrue(server().isLast(request));
  }

  private static AdocServer server() {
    return new AdocServer(new LocalFileSystem(), new SystemClock(), new ThreadTaskExecutor());
  }

  @Test
  void tunersTakeTurnsAndOneThatFailsHidesNoOther() throws BenchmarkException, DiskException {
    AdocRun.Plan plan =
        new AdocRun.Plan(
            List.of(FlowDevice.SSD, FlowDevice.HDD),
            List.of(AdocWorkload.FILLRANDOM),
            List.of("varve", "silk-o"),
            SCALE,
            new AdocRun.Effort(2, 1));
    List<String> asked = new ArrayList<>();
    AdocRun run =
        new AdocRun(
            plan,
            new LocalFileSystem(),
            (name, arguments) -> new DirectLink<>(new Counting(asked)),
            new Watcher());
    List<Section> sections = run.run(directory.resolve("node"));
    assertEquals(
        List.of("varve", "silk-o", "varve", "silk-o", "varve", "silk-o", "varve", "silk-o"), asked);
    assertEquals(
        List.of("sata-ssd.fillrandom", "sata-hdd.fillrandom"),
        sections.stream().map(Section::id).toList());
    assertEquals(List.of(1.0, 3.0), sections.get(0).outcomes().get(0).rounds());
    assertEquals(Outcome.Status.FAILED, sections.get(1).outcomes().get(0).status());
    assertTrue(sections.get(1).outcomes().get(0).note().contains("no such disk"));
    assertEquals(6, run.runs().size());
    assertFalse(new LocalFileSystem().exists(directory.resolve("node")));
  }

  @Test
  void whatThePaperPrintsIsHeldAgainstTheRuns() {
    List<AdocRun.Run> runs =
        List.of(
            run("adoc-paper", answer(1_310, 200, 80, 10)),
            run("silk-o", answer(1_000, 100, 100, 12)),
            run("varve", answer(1_290, 90, 10, 10)));
    assertEquals(
        List.of(
            "ADOC over SILK-O: op/s (paper: +31.0 %) MET 1.31",
            "ADOC over SILK-O: time held back (paper: -8.7 %) MET 0.80",
            "ADOC over SILK-O: p99 is longer (paper: +131.2 %) MET 2.00",
            "SILK-O over ADOC: memory (paper: +22.2 %) MET 1.20",
            "varve: op/s, against the best rival MET 0.98",
            "varve: p99, against the best rival MET 0.90"),
        texts(runs));
  }

  @Test
  void whatIsNotSoIsNotMet() {
    List<AdocRun.Run> runs =
        List.of(
            run("adoc-paper", answer(1_150, 160, 97, 11)),
            run("silk-o", answer(1_000, 100, 100, 12)),
            run("varve", answer(1_120, 101, 10, 10)));
    assertEquals(
        List.of("MISSED", "MISSED", "MISSED", "MISSED", "MISSED", "MISSED"),
        AdocClaims.of(plan(), runs).stream()
            .filter(goal -> !goal.title().contains("as simulated"))
            .map(goal -> goal.status().name())
            .toList());
  }

  @Test
  void withoutARivalNothingIsSaid() {
    assertTrue(
        AdocClaims.of(plan(), List.of(run("varve", answer(1, 1, 1, 1)))).stream()
            .filter(goal -> !goal.title().contains("as simulated"))
            .allMatch(goal -> goal.status() == Goal.Status.OPEN));
  }

  @Test
  void aScaleThatLeavesNoMemoryIsRefused() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new AdocScale(0.01, 1_000, 100));
    assertTrue(String.valueOf(refused.getMessage()).contains("memory component"));
    assertThrows(IllegalArgumentException.class, () -> new AdocScale(0, 1, 100));
    assertThrows(IllegalArgumentException.class, () -> new AdocRun.Effort(0, 60));
  }

  @Test
  void theSimulatorIsHeldAgainstTheEngine() {
    double simulated = SCALE.simulatedPerSecond(FlowDevice.SSD, "silk-o", 60);
    assertTrue(simulated > 1_000 && simulated < SCALE.operationsPerSecond(), simulated + "/s");
    for (long times : new long[] {1, 2}) {
      List<AdocRun.Run> runs =
          List.of(run("silk-o", answer(times * Math.round(simulated), 1, 1, 1)));
      Goal.Outcome held =
          AdocClaims.of(planOf(60), runs).stream()
              .filter(goal -> goal.title().startsWith("silk-o: op/s as simulated"))
              .findFirst()
              .orElseThrow();
      assertEquals(times == 1 ? Goal.Status.MET : Goal.Status.MISSED, held.status());
    }
  }

  private static List<String> texts(List<AdocRun.Run> runs) {
    return AdocClaims.of(plan(), runs).stream()
        .filter(goal -> !goal.title().contains("as simulated"))
        .map(goal -> "%s %s %.2f".formatted(goal.title(), goal.status(), goal.found()))
        .toList();
  }

  private static AdocRun.Plan plan() {
    return planOf(1);
  }

  private static AdocRun.Plan planOf(double seconds) {
    return new AdocRun.Plan(
        List.of(FlowDevice.SSD),
        List.of(AdocWorkload.FILLRANDOM),
        List.of("varve", "adoc-paper", "silk-o"),
        SCALE,
        new AdocRun.Effort(1, seconds));
  }

  private static AdocRun.Run run(String tuner, AdocRequest.Answer answer) {
    return new AdocRun.Run("SATA SSD", "fillrandom", tuner, answer);
  }

  /** So many operations in a second. */
  private static AdocRequest.Answer answer(
      long operations, long p99Micros, double heldBack, double memoryBytes) {
    Histogram nanos = new Histogram(3);
    nanos.recordValue(1_000 * p99Micros);
    Measurement measurement =
        new Measurement(
            operations,
            operations,
            1,
            1,
            0,
            Measurement.Latency.of(nanos, 1),
            new Measurement.Cost(0, 0, 0, 0, 0, 0, 0),
            List.of(),
            Measurement.Found.NOTHING);
    return new AdocRequest.Answer(
        measurement, 0, new AdocRequest.HeldBack(heldBack, 0, 0), memoryBytes, 0);
  }

  /**
   * Answers with how many runs there were, and fails under {@code varve} on an HDD.
   *
   * @param asked the tuners so far
   */
  private record Counting(List<String> asked) implements Workload<AdocRequest> {
    @Override
    public Class<AdocRequest> requestType() {
      return AdocRequest.class;
    }

    @Override
    public AdocRequest.Answer answer(AdocRequest request, DoubleConsumer progress)
        throws BenchmarkException {
      AdocRequest.Node node = request.node();
      asked.add(node.tuner());
      if (node.tuner().equals("varve")
          && node.deviceBytesPerSecond() == FlowDevice.HDD.bytesPerSecond()) {
        throw new BenchmarkException("no such disk");
      }
      return AdocRunTest.answer(asked.size(), 1, 1, 1);
    }
  }

  /** Looks away. */
  private static final class Watcher implements SectionWatcher {
    @Override
    public void begins(String id, double seconds) {}

    @Override
    public void progress(double share, String what) {}

    @Override
    public void ended(Section section) {}
  }
}
