package dev.varve.benchmarks.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.benchmarks.index.InProcess;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Cost;
import dev.varve.benchmarks.measure.Measurement.Found;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.Measurement.Sample;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Pace;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Goal.Status;
import dev.varve.benchmarks.report.Metric;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.store.StoreMemory;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: the experiments run, their trees agree, and verdicts say what is so. Method: each
 * experiment with few points, and verdicts about figures made by hand.
 */
final class ExperimentTest {
  private static final int POINTS = 8_000;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void itsTreesFindTheSameAndEveryClaimIsLookedAt(Experiment experiment) throws Exception {
    IndexSettings settings =
        new IndexSettings(
            directory,
            POINTS,
            7,
            1_000,
            new IndexSettings.Budget(
                1 << 15, new StoreMemory(1 << 20, 1 << 18), "prefix(1m, 5)", false),
            new Pace(1, 1, 600));
    List<Section> sections =
        InProcess.run(
            experiment.contenders(settings),
            experiment.phases(),
            request -> TreeBench.open(request, new LocalFileSystem(), new SystemClock()));
    for (Section section : sections) {
      for (Outcome outcome : section.outcomes()) {
        boolean refused = outcome.status() == Outcome.Status.UNSUPPORTED;
        assertTrue(
            refused ? outcome.store().equals("RTree") : outcome.status() == Outcome.Status.DONE,
            section.id() + ": " + outcome);
      }
    }
    for (Goal.Outcome claim : experiment.claims(sections)) {
      // So few points may all be in the cache, and then there is no ratio of misses.
      assertTrue(
          claim.status() != Status.OPEN || claim.title().contains("misses"), claim.toString());
    }
    assertTrue(experiment.plots(sections, POINTS).get(0).series().size() > 1, "nothing is drawn");
  }

  @Test
  void queriesThatAreFasterByLessThanHalfMissTheClaim() {
    assertEquals(Status.MET, ofFigure6(30, 20).get(0).status());
    assertEquals(1.5, ofFigure6(30, 20).get(0).found(), 1e-6);
    assertEquals(Status.MISSED, ofFigure6(29, 20).get(0).status());
    assertEquals(Status.MET, ofFigure6(29, 20).get(1).status());
    assertEquals(Status.MISSED, ofFigure6(20, 29).get(1).status());
  }

  private static List<Goal.Outcome> ofFigure6(double lsmMillis, double antimatterMillis) {
    return Experiment.FIG6.claims(
        List.of(
            section(
                TreeBench.DELETES_CACHED,
                Map.of(
                    "LSMRTree", measurement(lsmMillis, 0, x -> 1e3 / lsmMillis),
                    "AMLSMRTree", measurement(antimatterMillis, 0, x -> 1e3 / antimatterMillis)))));
  }

  @Test
  void table4HoldsTreesAgainstEachOther() {
    List<Section> sections =
        List.of(
            section(
                TreeBench.QUERIES,
                Map.of(
                    "RTree", measurement(100, 50, x -> 1),
                    "LSMRTree", measurement(10, 60, x -> 1),
                    "AMLSMRTree", measurement(11, 5, x -> 1))),
            section(
                TreeBench.COMPACTED,
                Map.of(
                    "LSMRTree", measurement(20, 4, x -> 1),
                    "AMLSMRTree", measurement(2, 4, x -> 1))));
    List<Status> found =
        Experiment.TABLE4.claims(sections).stream().map(Goal.Outcome::status).toList();
    Status met = Status.MET;
    Status missed = Status.MISSED;
    assertEquals(List.of(met, missed, missed, met, missed, met, met, met), found);
  }

  @Test
  void aCourseThatFallsIsNotFlat() {
    List<Section> sections =
        List.of(
            section(
                TreeBench.RAW_INSERTS,
                Map.of(
                    "RTree", measurement(100, 0, part -> part < 5 ? 100 : 40),
                    "LSMRTree", measurement(10, 0, part -> 100),
                    "AMLSMRTree", measurement(11, 0, part -> 100 - part))));
    List<Status> found =
        Experiment.FIG5.claims(sections).stream().map(Goal.Outcome::status).toList();
    assertEquals(List.of(Status.MET, Status.MISSED, Status.MET, Status.MET, Status.MET), found);
  }

  /** Operations a second of a part. */
  @FunctionalInterface
  private interface Rate {
    double of(int part);
  }

  private static Measurement measurement(double millis, long misses, Rate rate) {
    List<Sample> samples = new ArrayList<>();
    for (int part = 0; part < TreeBench.PARTS; part++) {
      samples.add(new Sample(part, rate.of(part), 1, 1));
    }
    return new Measurement(
        1,
        1,
        millis / 1e3,
        millis / 1e3,
        0,
        new Latency(1, List.of()),
        new Cost(0, 0, 0, 0, 0, 0, 0),
        samples,
        new Found(1, 1, misses));
  }

  private static Section section(String phase, Map<String, Measurement> measured) {
    List<Outcome> outcomes = new ArrayList<>();
    measured.forEach(
        (tree, one) -> outcomes.add(new Outcome(tree, Outcome.Status.DONE, "", one, List.of(1.0))));
    return new Section(phase, phase, List.of(Metric.MEAN), Metric.MEAN, outcomes);
  }
}
