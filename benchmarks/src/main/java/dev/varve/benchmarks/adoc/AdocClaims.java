package dev.varve.benchmarks.adoc;

import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Metric;
import dev.varve.simulator.FlowDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What ADOC's paper prints, and what {@code varve} is to reach, held against runs. Of a percentage
 * at least a half has to be there. Stateless.
 */
public final class AdocClaims {
  private static final String ADOC = "adoc-paper";
  private static final String SILK = "silk-o";
  private static final String VARVE = "varve";

  /** Rates of equal runs differ by so much. */
  private static final double NOISE = 0.02;

  /** What the simulator says is within so much. */
  private static final double SIMULATED = 0.67;

  private static final List<Printed> PRINTED =
      List.of(
          new Printed(FlowDevice.PM, 66.7, -45.2, 0),
          new Printed(FlowDevice.NVME, 37.8, 1.5, 70.1),
          new Printed(FlowDevice.SSD, 31.0, -8.7, 131.2),
          new Printed(FlowDevice.HDD, 55.1, -10.3, 242.9));

  /**
   * What the paper prints of ADOC against SILK-O under {@code fillrandom} (section 6.2), in
   * percent.
   *
   * @param device which
   * @param rate of operations
   * @param heldBack time in which writers were held back
   * @param tail 99th percentile; 0 where it is only said to be better
   */
  private record Printed(FlowDevice device, double rate, double heldBack, double tail) {}

  private AdocClaims() {}

  /** All that can be said of some runs; the rest is not measured. */
  public static List<Goal.Outcome> of(AdocRun.Plan plan, List<AdocRun.Run> runs) {
    List<Goal.Outcome> claims = new ArrayList<>();
    for (FlowDevice device : plan.devices()) {
      for (AdocWorkload workload : plan.workloads()) {
        Cell cell = new Cell(device, workload, runs);
        addOf(cell, plan.tuners(), claims);
        if (workload == AdocWorkload.FILLRANDOM) {
          plan.tuners().forEach(tuner -> claims.add(simulated(cell, tuner, plan)));
        }
      }
    }
    return claims;
  }

  /** The simulator says of a tuner what the engine does. */
  private static Goal.Outcome simulated(Cell cell, String tuner, AdocRun.Plan plan) {
    double ratio =
        cell.of(tuner, Cell::rate)
            / plan.scale().simulatedPerSecond(cell.device, tuner, plan.effort().seconds());
    return cell.atLeast(
        String.format(
            Locale.ROOT, "%s: op/s as simulated, either way (engine %.2f of it)", tuner, ratio),
        SIMULATED,
        Math.min(ratio, 1 / ratio));
  }

  private static void addOf(Cell cell, List<String> tuners, List<Goal.Outcome> claims) {
    switch (cell.workload) {
      case FILLRANDOM ->
          PRINTED.stream()
              .filter(printed -> printed.device.equals(cell.device))
              .forEach(printed -> addPrinted(cell, printed, claims));
      case READWHILEWRITING ->
          claims.add(
              cell.atLeast(
                  "ADOC over SILK-O (paper: +5.2 to +45.3 %)",
                  1.052, cell.ratio(ADOC, SILK, Cell::rate)));
      case LOAD ->
          claims.add(cell.atLeast("ADOC beats SILK-O", 1, cell.ratio(ADOC, SILK, Cell::rate)));
      case A, B, C, F ->
          claims.add(
              cell.atLeast(
                  "SILK-O performs better than ADOC", 1, cell.ratio(SILK, ADOC, Cell::rate)));
      case D, E -> {
        // The paper says that the winner depends on the device.
      }
    }
    List<String> rivals = tuners.stream().filter(tuner -> !tuner.equals(VARVE)).toList();
    double best = cell.best(rivals, Cell::rate, true);
    claims.add(
        cell.atLeast(
            "varve: op/s, against the best rival", 1 - NOISE, cell.of(VARVE, Cell::rate) / best));
    double tail = cell.best(rivals, Cell::p99, false);
    claims.add(
        cell.atMost("varve: p99, against the best rival", 1, cell.of(VARVE, Cell::p99) / tail));
  }

  private static void addPrinted(Cell cell, Printed printed, List<Goal.Outcome> claims) {
    claims.add(
        cell.atLeast(
            "ADOC over SILK-O: op/s" + paper(printed.rate),
            1 + printed.rate / 200,
            cell.ratio(ADOC, SILK, Cell::rate)));
    double held = printed.heldBack;
    claims.add(
        cell.atMost(
            "ADOC over SILK-O: time held back" + paper(held),
            1 + (held < 0 ? held / 200 : held / 50),
            cell.ratio(ADOC, SILK, answer -> answer.heldBack().seconds())));
    double tail = cell.ratio(ADOC, SILK, Cell::p99);
    claims.add(
        printed.tail == 0
            ? cell.atMost("ADOC over SILK-O: p99 (paper: better)", 1, tail)
            : cell.atLeast(
                "ADOC over SILK-O: p99 is longer" + paper(printed.tail),
                1 + printed.tail / 200,
                tail));
    claims.add(
        cell.atLeast(
            "SILK-O over ADOC: memory" + paper(22.2),
            1.111,
            cell.ratio(SILK, ADOC, AdocRequest.Answer::memoryBytes)));
  }

  private static String paper(double percent) {
    return String.format(Locale.ROOT, " (paper: %+.1f %%)", percent);
  }

  /**
   * A workload on a device.
   *
   * @param runs of any
   */
  private record Cell(FlowDevice device, AdocWorkload workload, List<AdocRun.Run> runs) {
    static double rate(AdocRequest.Answer answer) {
      return answer.measurement().operationsPerSecond();
    }

    static double p99(AdocRequest.Answer answer) {
      return answer.measurement().latency().micros(99);
    }

    /** The median of a tuner's rounds; not a number where there is none. */
    double of(String tuner, ToDoubleFunction<AdocRequest.Answer> figure) {
      double[] sorted =
          runs.stream()
              .filter(
                  run ->
                      run.device().equals(device.name())
                          && run.workload().equals(workload.label())
                          && run.tuner().equals(tuner))
              .map(AdocRun.Run::answer)
              .mapToDouble(figure)
              .sorted()
              .toArray();
      return sorted.length == 0 ? Double.NaN : sorted[(sorted.length - 1) / 2];
    }

    double ratio(String one, String other, ToDoubleFunction<AdocRequest.Answer> figure) {
      return of(one, figure) / of(other, figure);
    }

    double best(List<String> tuners, ToDoubleFunction<AdocRequest.Answer> figure, boolean most) {
      double[] all =
          tuners.stream()
              .mapToDouble(tuner -> of(tuner, figure))
              .filter(value -> !Double.isNaN(value))
              .toArray();
      OptionalDouble best = most ? DoubleStream.of(all).max() : DoubleStream.of(all).min();
      return best.orElse(Double.NaN);
    }

    Goal.Outcome atLeast(String claim, double bound, double found) {
      return outcome(claim, "at least", bound, found, found >= bound);
    }

    Goal.Outcome atMost(String claim, double bound, double found) {
      return outcome(claim, "at most", bound, found, found <= bound);
    }

    private Goal.Outcome outcome(
        String claim, String direction, double bound, double found, boolean holds) {
      String demand = direction + " " + Metric.text(bound);
      String phase = AdocRun.id(device, workload);
      return Double.isFinite(found)
          ? new Goal.Outcome(
              claim,
              phase,
              "ratio",
              demand,
              bound,
              found,
              holds ? Goal.Status.MET : Goal.Status.MISSED,
              holds ? "" : "the tuners of this run are to each other as found")
          : new Goal.Outcome(claim, phase, "ratio", demand, 0, 0, Goal.Status.OPEN, "");
    }
  }
}
