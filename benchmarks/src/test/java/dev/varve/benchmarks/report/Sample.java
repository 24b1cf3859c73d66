package dev.varve.benchmarks.report;

import dev.varve.benchmarks.kv.ComparisonSettings;
import dev.varve.benchmarks.kv.Phase;
import dev.varve.benchmarks.kv.PhaseOutcome;
import dev.varve.benchmarks.kv.Results;
import dev.varve.benchmarks.measure.Machine;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Cost;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.Measurement.Point;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Outcome.Status;
import dev.varve.benchmarks.measure.Pace;
import dev.varve.benchmarks.store.StoreMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Results made by hand. */
final class Sample {
  private Sample() {}

  /** One operation at a rate. */
  static Measurement measurement(double rate) {
    return measurement(rate, 1e-6, 0);
  }

  /** The same, with what it takes of the processor and the disk. */
  static Measurement measurement(double rate, double cpuSeconds, long readBytes) {
    return new Measurement(
        1,
        116,
        1 / rate,
        1 / rate,
        0,
        new Latency(8, List.of(new Point(50, 1), new Point(99, 2.5), new Point(100, 70_000))),
        new Cost(cpuSeconds, 0, 232, 116, readBytes, 128, 1 << 20),
        List.of(
            new Measurement.Sample(1, 1_000, 3, 4_096), new Measurement.Sample(2, 2_000, 4, 8_192)),
        Measurement.Found.NOTHING);
  }

  /** A phase with rates by store, varve first. */
  static PhaseOutcome phase(String id, Map<String, Double> rates) {
    Phase phase = Phase.ALL.stream().filter(known -> known.isCalled(id)).findFirst().orElseThrow();
    List<Outcome> outcomes = new ArrayList<>();
    Map<String, Double> sorted =
        new TreeMap<>(
            java.util.Comparator.comparing((String store) -> !store.equals("varve"))
                .thenComparing(java.util.Comparator.naturalOrder()));
    sorted.putAll(rates);
    sorted.forEach(
        (store, rate) ->
            outcomes.add(new Outcome(store, Status.DONE, "", measurement(rate), List.of(rate))));
    return new PhaseOutcome(id, phase, outcomes);
  }

  static List<Section> sections(PhaseOutcome... phases) {
    return Stream.of(phases).map(PhaseOutcome::section).toList();
  }

  static Results results(PhaseOutcome... phases) {
    return new Results(
        "bench kv",
        new Machine(2, 1 << 30, "system", "jvm", "now"),
        new ComparisonSettings(
            List.of(),
            Phase.ALL,
            new ComparisonSettings.Rows(1, 100, 42),
            new StoreMemory(1, 1),
            Path.of("x"),
            Pace.DEFAULT),
        Map.of("varve", "all <defaults>"),
        List.of(phases),
        1);
  }
}
