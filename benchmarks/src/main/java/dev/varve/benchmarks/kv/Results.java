package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.measure.Machine;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.report.Caveats;
import dev.varve.benchmarks.report.Findings;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Plot;
import dev.varve.benchmarks.report.Report;
import dev.varve.common.error.DiskException;
import dev.varve.report.Figures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a comparison found: the JSON document has these names.
 *
 * @param command {@code bench kv}
 * @param machine where it ran
 * @param settings what was asked for
 * @param options of each store, by label
 * @param phases in the order in which they ran
 * @param seconds how long everything took
 */
public record Results(
    String command,
    Machine machine,
    ComparisonSettings settings,
    Map<String, String> options,
    List<PhaseOutcome> phases,
    double seconds) {
  /** What came of a phase, if it ran. */
  public Optional<PhaseOutcome> phase(String id) {
    return phases.stream().filter(outcome -> outcome.id().equals(id)).findFirst();
  }

  /**
   * What {@code --json} prints.
   *
   * @param results what was measured
   * @param goals what that is held against
   * @param caveats what can be held against it
   */
  private record Document(Results results, List<Goal.Outcome> goals, List<String> caveats) {}

  /** Writes and prints it. */
  public void finish(Report report) throws DiskException {
    Findings findings = findings();
    List<Goal.Outcome> goals =
        StoreGoals.ALL.stream().map(goal -> goal.check(findings.sections())).toList();
    report.finish(new Document(this, goals, findings.caveats()), findings, goals, plots());
  }

  private Findings findings() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put(
        "data",
        "%s records, keys of 16 bytes, values of %d, seed %d"
            .formatted(
                Figures.count(settings.rows().count()),
                settings.rows().valueBytes(),
                settings.rows().seed()));
    words.put(
        "each store",
        "cache %s, memory for writes %s"
            .formatted(
                Figures.bytes(settings.memory().cacheBytes()),
                Figures.bytes(settings.memory().writeBytes())));
    return new Findings(
        command,
        machine,
        words,
        options,
        phases.stream().map(PhaseOutcome::section).toList(),
        Caveats.OF_STORES,
        seconds);
  }

  /** What an operation costs, over the size of the load; empty where no load grew. */
  private List<Plot> plots() {
    List<double[]> cpu = new ArrayList<>();
    List<double[]> settled = new ArrayList<>();
    String place = "";
    for (PhaseOutcome phase : phases) {
      Measurement measured =
          phase.outcomes().isEmpty() ? null : phase.outcomes().get(0).measurement();
      if (phase.phase().suite() == Suite.SCALE && measured != null) {
        double millions = measured.operations() / 1e6;
        cpu.add(new double[] {millions, measured.cpuMicrosPerOperation()});
        settled.add(new double[] {millions, 1e6 / measured.settledPerSecond()});
        place = phase.id();
      }
    }
    if (cpu.isEmpty()) {
      return List.of();
    }
    List<Plot.Series> series =
        List.of(new Plot.Series("CPU \u00b5s", cpu), new Plot.Series("\u00b5s, settled", settled));
    return List.of(
        new Plot(place, "cost of an operation", "million records", false, List.of(), series));
  }
}
