package dev.varve.benchmarks.spatial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.benchmarks.index.InProcess;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexPhase;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Pace;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.store.StoreMemory;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: all spatial indexes find the same, before and after deletions. Method: the benchmark itself
 * with few points, in which a store that finds something else has failed.
 */
final class SpatialBenchTest {
  private static final int POINTS = 6_000;

  @TempDir Path directory;

  private List<Section> run(List<SpatialStoreKind> kinds) throws Exception {
    IndexSettings settings =
        new IndexSettings(
            directory,
            POINTS,
            7,
            0,
            new IndexSettings.Budget(
                4096, new StoreMemory(8 << 20, 1 << 20), "prefix(1g, 5, 1.2)", false),
            new Pace(0.001, 2, 600));
    List<IndexContender> contenders = kinds.stream().map(kind -> kind.contender(settings)).toList();
    return InProcess.run(
        contenders,
        SpatialBench.PHASES,
        request -> SpatialBench.open(request, new LocalFileSystem(), new SystemClock()));
  }

  @Test
  void allStoresFindTheSame() throws Exception {
    List<Section> sections = run(List.of(SpatialStoreKind.values()));
    assertEquals(SpatialBench.PHASES.size(), sections.size());
    for (Section section : sections) {
      for (Outcome outcome : section.outcomes()) {
        boolean refused =
            outcome.status() == Outcome.Status.UNSUPPORTED && !outcome.note().isEmpty();
        assertTrue(
            refused || outcome.status() == Outcome.Status.DONE, section.id() + ": " + outcome);
        if (outcome.measurement() != null && outcome.measurement().found().rows() > 0) {
          assertTrue(outcome.measurement().found().digest() != 0, outcome.toString());
        }
      }
    }
    long few = sections.get(2).of("varve").orElseThrow().found().rows();
    assertTrue(few > 0, "queries that find nothing");
  }

  @Test
  void deletionsAreSeen() throws Exception {
    List<Section> sections = run(List.of(SpatialStoreKind.VARVE, SpatialStoreKind.LUCENE));
    long before = digest(sections, SpatialBench.LARGE);
    long after = digest(sections, SpatialBench.LARGE_AFTER_DELETE);
    assertTrue(before != after, "deletions change no result");
  }

  private static long digest(List<Section> sections, String phase) {
    return sections.stream()
        .filter(section -> section.id().equals(phase))
        .findFirst()
        .flatMap(section -> section.of("varve"))
        .orElseThrow()
        .found()
        .digest();
  }

  @Test
  void rectanglesHoldAboutAsManyPointsAsTheyShould() {
    SpatialData data = new SpatialData(300_000, 42);
    for (int results : new int[] {17, 2_000}) {
      List<Box> boxes = data.boxes(60, results, 1);
      long found = 0;
      for (Box box : boxes) {
        for (int point = 0; point < data.points(); point++) {
          if (data.x(point) >= box.minX()
              && data.x(point) <= box.maxX()
              && data.y(point) >= box.minY()
              && data.y(point) <= box.maxY()) {
            found++;
          }
        }
      }
      double mean = found / (double) boxes.size();
      assertEquals(results, mean, results * 0.2);
    }
  }

  @Test
  void everyGoalNamesAPhaseAndStores() {
    List<String> phases = SpatialBench.PHASES.stream().map(IndexPhase::id).toList();
    List<String> stores =
        Stream.of(SpatialStoreKind.values()).map(SpatialStoreKind::label).toList();
    for (Goal goal : SpatialBench.GOALS) {
      assertTrue(phases.contains(goal.phase()), goal.toString());
      assertTrue(stores.containsAll(goal.peers()), goal.toString());
    }
  }
}
