package dev.varve.benchmarks.secondary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.benchmarks.secondary.SecondaryFigure.Cell;
import dev.varve.benchmarks.secondary.SecondaryFigure.Row;
import dev.varve.benchmarks.sustainable.Verdict;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a claim of section 7 holds just where the figures of its phases say so, and a phase
 * measures what it says. Method: rows made up, and small phases of real nodes.
 */
final class SecondaryFigureTest {
  @TempDir Path directory;

  /** What the paper's plots show: greedy has fewer components, eager writes wait for lookups. */
  private static Row asPrinted(Cell cell) {
    boolean eager = cell.maintenance().equals("eager");
    boolean greedy = cell.scheduler().equals("greedy");
    double p99 = eager ? cell.percent() < 80 ? 5 : greedy ? 60 : 100 : 5;
    List<Double> queries =
        cell.queries()
            ? greedy
                ? List.of(eager ? 11.0 : 20.0, 12.0, 13.0, 14.0)
                : List.of(10.0, 10.0, 10.0, 10.0)
            : List.of();
    return new Row(
        cell,
        eager ? 800 : 1000,
        eager ? 0.2 : 0.05,
        p99,
        Map.of(),
        greedy ? 10 : 15,
        0.5,
        queries,
        List.of());
  }

  private static List<Boolean> holds(SecondaryFigure figure, Function<Cell, Row> row) {
    return figure.verdicts(figure.cells().stream().map(row).toList()).stream()
        .map(Verdict::holds)
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void whatThePaperPrintsHolds(SecondaryFigure figure) {
    List<Boolean> all = holds(figure, SecondaryFigureTest::asPrinted);
    assertTrue(all.size() >= 2 && all.stream().allMatch(each -> each), all::toString);
  }

  /** Claims that hold whatever is measured would say nothing. */
  @ParameterizedTest
  @CsvSource({"FIG25, 2", "FIG26, 4", "FIG27, 2", "FIG28, 5", "FIG29, 6"})
  void whereSchedulersAndStrategiesAreAlikeItDoesNot(SecondaryFigure figure, int claims) {
    List<Boolean> alike =
        holds(
            figure,
            cell ->
                new Row(
                    cell,
                    1000,
                    0.05,
                    30,
                    Map.of(),
                    15,
                    0.5,
                    cell.queries() ? List.of(10.0, 10.0, 10.0, 10.0) : List.of(),
                    List.of()));
    assertEquals(claims, alike.stream().filter(each -> !each).count(), alike::toString);
  }

  @ParameterizedTest
  @EnumSource
  void aTestingPhaseComesBeforeWhatDependsOnIt(SecondaryFigure figure) {
    Set<String> before = new HashSet<>();
    for (Cell cell : figure.cells()) {
      assertTrue(cell.percent() == 0 || before.contains(cell.testing()), cell::toString);
      assertTrue(before.add(cell.label()), cell::toString);
    }
  }

  private Row run(Cell cell, double arrivals) throws Exception {
    FigureServer server =
        new FigureServer(new LocalFileSystem(), new SystemClock(), new ThreadTaskExecutor());
    FigureJob.Scale scale = new FigureJob.Scale(2_000, 512, 10 << 20, 10_000, 1);
    return server.answer(new FigureJob(cell, arrivals, scale, directory), part -> {});
  }

  @Test
  void writesArriveAtAPaceBesideQueries() throws Exception {
    Row row = run(new Cell("eager", "greedy", 95, true), 200);
    assertTrue(row.recordsPerSecond() > 0 && row.recordsPerSecond() <= 220, row::toString);
    assertEquals(4, row.queriesPerSecond().size());
    assertTrue(row.queriesPerSecond().get(0) > 0, row::toString);
    assertEquals(60, row.windows().size());
    assertTrue(row.p99Millis() > 0, row::toString);
  }

  @Test
  void aTestingPhaseWritesAsFastAsItCan() throws Exception {
    Row row = run(new Cell("lazy", "fair", 0, false), 0);
    assertTrue(row.recordsPerSecond() > 220, row::toString);
    assertEquals(List.of(), row.queriesPerSecond());
  }

  @Test
  void whatCannotBeRunIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> new FigureJob.Scale(10, 512, 1 << 20, 0, 60));
    assertThrows(IllegalArgumentException.class, () -> new FigureJob.Scale(2_000, 512, 1, 0, 60));
    assertThrows(
        IllegalArgumentException.class, () -> new FigureJob.Scale(2_000, 512, 1 << 20, 0, 0));
  }
}
