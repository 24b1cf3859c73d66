package dev.varve.benchmarks.sustainable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.benchmarks.BenchProcess;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.dataset.EngineSeams;
import dev.varve.report.Console;
import dev.varve.simulator.evaluation.Scale;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: both phases run, are told apart and are reported. Method: the real engine on a disk in
 * memory and a clock by hand, where a minute takes a second; and once in a process of its own.
 */
final class TwoPhaseRunTest {
  private static final long SEED = 1;
  private static final double SPEED = 20_000;
  private static final Scale SCALE = new Scale(20_000, 512, 200, 1 << 20, SEED);

  private static TwoPhaseSettings settings(String policy, double seconds, Scale scale) {
    return new TwoPhaseSettings(
        List.of(policy), List.of("single", "fair", "greedy"), "fixed", scale, seconds, 0.95, null);
  }

  private static TwoPhaseResults stepped(TwoPhaseSettings settings) throws BenchmarkException {
    System.out.println("seed " + SEED);
    ManualClock clock = new ManualClock();
    EngineSeams seams =
        new EngineSeams(
            new MemoryFileSystem(), clock, new SteppedExecutor(clock, SEED), Seeds.random(SEED));
    PhaseRunner runner =
        request -> new PhaseWork(freshDisk(seams), Path.of("/node"), SPEED).run(request);
    return new TwoPhaseRun(settings, runner, label -> {}, outcome -> {}).run(clock, "now");
  }

  /** A directory cannot be told from a file there, so that every phase has a disk of its own. */
  private static EngineSeams freshDisk(EngineSeams seams) {
    return new EngineSeams(new MemoryFileSystem(), seams.clock(), seams.executor(), seams.random());
  }

  @Test
  void underTieringSingleHoldsWritersBackAndGreedyDoesNot() throws Exception {
    TwoPhaseResults results = stepped(settings("tiering(3)", 90, SCALE));
    results.verdicts().forEach(System.out::println);
    assertEquals(4, results.outcomes().size());
    assertEquals(4, results.verdicts().size());
    assertTrue(results.verdicts().get(0).holds(), results.verdicts()::toString);
    assertTrue(results.verdicts().get(2).holds(), results.verdicts()::toString);
    assertTrue(results.verdicts().get(3).holds(), results.verdicts()::toString);
    // So few and small components make fair wait for moments, too.
    double single = results.outcomes().get(1).stalledPart();
    double fair = results.outcomes().get(2).stalledPart();
    assertTrue(fair < single / 5, () -> fair + ", single " + single);
  }

  @Test
  void theRunningPhaseGetsAPartOfWhatTheTestingPhaseTook() throws Exception {
    TwoPhaseResults results = stepped(settings("tiering(4)", 20, SCALE));
    double maximum = results.outcomes().get(0).recordsPerSecond();
    PhaseOutcome running = results.outcomes().get(2);
    double rate = Double.parseDouble(running.request().arrivals().split(":")[1]);
    assertEquals(0.95 * maximum, rate, 0.01 * maximum);
    assertEquals(
        rate * running.request().time().seconds(), (double) running.taken() + running.queued(), 2);
  }

  @Test
  void aWriteThatWaitedInTheQueueWaitedFromItsArrival() throws Exception {
    TwoPhaseSettings overload =
        new TwoPhaseSettings(
            List.of("tiering(4)"), List.of("fair"), "fixed", SCALE, 10, 0.95, "constant:15000");
    PhaseOutcome running = stepped(overload).outcomes().get(0);
    assertTrue(running.queued() > 0);
    // The last write that was taken had arrived so long before the end.
    double late = 10 * (1 - running.taken() / (running.taken() + (double) running.queued()));
    double longest = running.writeMillis(100) / 1e3;
    assertTrue(longest > late - 0.5, () -> longest + " s, late by " + late);
    assertTrue(running.processingLatency().micros(50) < running.writeLatency().micros(50) / 10);
  }

  @Test
  void aTunerChangesWhatTheNodeTakes() throws Exception {
    // SILK leaves a quarter of the device to merges of deeper levels, so that writers fill memory.
    double fixed = closed("fixed");
    double silk = closed("silk-d");
    assertTrue(Math.abs(fixed - silk) > 0.02 * fixed, fixed + " and " + silk);
  }

  private static double closed(String tuner) throws Exception {
    TwoPhaseSettings settings =
        new TwoPhaseSettings(
            List.of("tiering(3)"), List.of("fair"), tuner, SCALE, 30, 0.95, "closed");
    return stepped(settings).outcomes().get(0).recordsPerSecond();
  }

  @ParameterizedTest
  @ValueSource(strings = {"prefix(1m, 5)", "constant(4)"})
  void ofSeveralStoresOneOrderOfAllMergesKeepsFewerComponents(String policy) throws Exception {
    List<PhaseOutcome> outcomes =
        stepped(
                new TwoPhaseSettings(
                    List.of(policy),
                    List.of("fair", "greedy:1:node"),
                    "fixed",
                    new Scale(5_000, 512, 50, 256 << 10, SEED, 4),
                    30,
                    0.95,
                    "constant:70"))
            .outcomes();
    double fair = outcomes.get(0).components().mean();
    double greedy = outcomes.get(1).components().mean();
    System.out.println("components: greedy of the node " + greedy + ", fair " + fair);
    assertTrue(greedy < 0.95 * fair, () -> greedy + ", fair " + fair);
  }

  @Test
  void reportsHaveEveryPhaseAndVerdict() throws Exception {
    TwoPhaseResults results = stepped(settings("tiering(3)", 10, SCALE));
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    TwoPhaseReport report = new TwoPhaseReport(results);
    report.print(new Console(writer, writer));
    assertTrue(text.toString().contains("tiering(3): single stalls"), text::toString);
    assertEquals(2, report.page().sections().size());
    assertEquals(4, report.page().sections().get(1).plots().get(0).lines().size());
  }

  @Test
  void aPhaseRunsInAProcessOfItsOwn(@TempDir Path directory) throws Exception {
    Scale scale = new Scale(2_000, 200, 20, 4 << 20, SEED);
    PhaseRunner runner =
        new PhaseProcess(
            BenchProcess.starter(BenchProcess.Kind.PHASE, directory, new ThreadTaskExecutor()),
            directory.resolve("node"));
    TwoPhaseSettings settings =
        new TwoPhaseSettings(
            List.of("tiering(3)"), List.of("greedy"), "varve", scale, 1, 0.95, "constant:500");
    TwoPhaseResults results =
        new TwoPhaseRun(settings, runner, label -> {}, outcome -> {}).run(new SystemClock(), "");
    assertTrue(results.outcomes().get(0).taken() > 0);
    assertEquals("varve", results.outcomes().get(0).request().tuner());
    new TwoPhaseReport(results).write(new LocalFileSystem(), directory);
    JsonNode document =
        new ObjectMapper().readTree(Files.readString(directory.resolve("report.json")));
    assertEquals("bench twophase", document.get("command").asText());
    assertTrue(Files.size(directory.resolve("report.html")) > 1000);
  }

  @Test
  void aProcessThatFailsSaysWhereToLook(@TempDir Path directory) {
    PhaseRunner runner =
        new PhaseProcess(
            BenchProcess.starter(BenchProcess.Kind.PHASE, directory, new ThreadTaskExecutor()),
            directory.resolve("node"));
    TwoPhaseSettings settings =
        new TwoPhaseSettings(
            List.of("sometimes"), List.of("greedy"), "fixed", SCALE, 1, 0.95, "constant:500");
    BenchmarkException failure =
        assertThrows(
            BenchmarkException.class,
            () ->
                new TwoPhaseRun(settings, runner, label -> {}, outcome -> {})
                    .run(new SystemClock(), ""));
    assertTrue(String.valueOf(failure.getMessage()).contains("log"), failure::getMessage);
  }
}
