package dev.varve.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.cluster.ClusterExperiment.Cell;
import dev.varve.benchmarks.cluster.ClusterExperiment.Claim;
import dev.varve.benchmarks.cluster.ClusterExperiment.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * Goal: a claim holds just where the figures say so, and a run leaves no cluster behind. Method:
 * rows made up, and commands that only write down what they were called with.
 */
final class ClusterExperimentTest {
  private static List<Row> rows(ClusterExperiment experiment, ToDoubleFunction<Cell> rate) {
    return experiment.cells().stream()
        .map(cell -> new Row(cell, Math.round(1000 * rate.applyAsDouble(cell)), 1000, 0, 0, 0, 0))
        .toList();
  }

  private static List<Boolean> verdicts(ClusterExperiment experiment, ToDoubleFunction<Cell> rate) {
    return experiment.claims(rows(experiment, rate)).stream().map(Claim::holds).toList();
  }

  private static double byKind(Cell cell) {
    return switch (cell.indexes().substring(0, 4)) {
      case "none" -> 100;
      case "btre" -> 80;
      case "rtre" -> 70;
      case "keyw" -> 30;
      default -> 10;
    };
  }

  @Test
  void nodesScaleNearlyLinearlyDownToFourFifths() {
    ClusterExperiment experiment = ClusterExperiment.FIG4A;
    assertEquals(20, experiment.cells().size());
    List<Boolean> all = verdicts(experiment, cell -> byKind(cell) * cell.nodes());
    assertEquals(9, all.size());
    assertTrue(all.stream().allMatch(holds -> holds), all::toString);
    List<Boolean> flat =
        verdicts(experiment, cell -> byKind(cell) * (1 + (cell.nodes() - 1) * 0.7));
    assertEquals(5, flat.stream().filter(holds -> !holds).count(), flat::toString);
    List<Boolean> alike = verdicts(experiment, cell -> cell.nodes());
    assertEquals(4, alike.stream().filter(holds -> !holds).count(), alike::toString);
  }

  @Test
  void theNGramIndexBoundsAllOfThem() {
    ClusterExperiment experiment = ClusterExperiment.FIG4B;
    assertEquals(List.of(true), verdicts(experiment, cell -> cell.label().equals("all") ? 8 : 10));
    assertEquals(List.of(false), verdicts(experiment, cell -> cell.label().equals("all") ? 5 : 10));
  }

  @Test
  void treesCostALine() {
    ClusterExperiment experiment = ClusterExperiment.FIG4C;
    assertEquals(
        List.of(true, true),
        verdicts(experiment, cell -> 100 - 10 * Integer.parseInt(cell.label())));
    assertEquals(
        List.of(true, false),
        verdicts(experiment, cell -> 100 / (1.0 + Integer.parseInt(cell.label()))));
    assertEquals(
        List.of(false, true),
        verdicts(experiment, cell -> 100 - 10 * (Integer.parseInt(cell.label()) / 2)));
  }

  @Test
  void policiesAreToEachOtherAsPrinted() {
    Map<String, Double> printed = Map.of("prefix", 102.232, "constant", 77.774, "no-merge", 78.101);
    assertEquals(
        List.of(true, true, true, true),
        verdicts(ClusterExperiment.TABLE2, cell -> printed.get(cell.label())));
    assertEquals(
        List.of(false, false, false, false), verdicts(ClusterExperiment.TABLE2, cell -> 100));
  }

  private static final ClusterRun.Scale SCALE = new ClusterRun.Scale(1000, 1 << 20, 1 << 20);

  private static JsonNode json(String text) throws BenchmarkException {
    try {
      return new ObjectMapper().readTree(text);
    } catch (IOException e) {
      throw new BenchmarkException("no JSON", e);
    }
  }

  @Test
  void aRunIsWhatItsIngestionSays() throws BenchmarkException {
    List<String> called = new ArrayList<>();
    long[] cpu = new long[1];
    ClusterRun run =
        new ClusterRun(
            SCALE,
            arguments -> {
              called.add(String.join(" ", arguments));
              return json(
                  arguments.contains("status")
                      ? "{\"members\":[{\"pid\":7},{\"pid\":8}]}"
                      : "{\"feed\":{\"acknowledged\":400},\"cost\":{\"seconds\":2},"
                          + "\"storage\":{\"flushes\":3,\"merges\":4,\"components\":5}}");
            },
            pid -> cpu[0] += pid == 7 ? 1_000_000 : 0);
    Cell cell = new Cell("some", 2, "none", "prefix:%d:5", 0.2);
    Row row = run.run(cell, "D");
    assertEquals(200, row.rate());
    assertEquals(List.of(3L, 4L, 5L), List.of(row.flushes(), row.merges(), row.components()));
    assertTrue(row.cpuShare() > 0 && row.cpuShare() < 0.01, row::toString);
    assertEquals(4, called.size(), called::toString);
    assertTrue(called.get(0).startsWith("cluster start --dir D --nodes 2 "), called::toString);
    assertTrue(called.get(2).contains("--tweets 400 "), called::toString);
    assertTrue(called.get(2).contains("--policy prefix:1048576:5 "), called::toString);
    assertEquals("cluster stop --dir D", called.get(3));
  }

  @Test
  void aFailureStopsTheCluster() {
    List<String> called = new ArrayList<>();
    ClusterRun run =
        new ClusterRun(
            SCALE,
            arguments -> {
              called.add(arguments.get(1));
              if (arguments.contains("ingest")) {
                throw new BenchmarkException("failed");
              }
              return json("{}");
            },
            pid -> 0);
    assertThrows(
        BenchmarkException.class, () -> run.run(ClusterExperiment.TABLE2.cells().get(0), "D"));
    assertEquals("stop", called.get(called.size() - 1));
  }

  @Test
  void aScaleThatCannotRunIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new ClusterRun.Scale(99, 1 << 20, 1 << 20));
    assertThrows(IllegalArgumentException.class, () -> new ClusterRun.Scale(100, 1 << 19, 1 << 20));
    assertThrows(IllegalArgumentException.class, () -> new ClusterRun.Scale(100, 1 << 20, 1 << 15));
  }
}
