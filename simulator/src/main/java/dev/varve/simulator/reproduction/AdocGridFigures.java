package dev.varve.simulator.reproduction;

import static dev.varve.simulator.reproduction.AdocRivalFigures.DEVICES;
import static dev.varve.simulator.reproduction.AdocRivalFigures.run;
import static dev.varve.simulator.reproduction.Outcomes.text;

import dev.varve.simulator.FlowDevice;
import dev.varve.simulator.FlowOptions;
import dev.varve.simulator.reproduction.Claim.Finding;
import dev.varve.simulator.reproduction.FlowFigure.FlowClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * ADOC against the best setting that never changes: ten numbers of threads by two sizes of memory
 * components, the grid in which the paper looks for SILK-O (section 6.1). What is claimed here is
 * the goal of this reproduction, not the paper's. Stateless.
 */
final class AdocGridFigures {
  static final List<Integer> MEGABYTES = List.of(256, 512);
  private static final String ADOC = "adoc-paper";

  private AdocGridFigures() {}

  static List<FlowFigure> all() {
    return List.of(grid());
  }

  /** All settings of the grid, as tuners. */
  static List<String> settings() {
    List<String> all = new ArrayList<>();
    for (int megabytes : MEGABYTES) {
      AdocStallFigures.THREADS.forEach(
          threads -> all.add(AdocStallFigures.tuner(threads, megabytes)));
    }
    return all;
  }

  private static String best(FlowOutcomes outcomes, FlowDevice device) {
    return settings().stream()
        .max(Comparator.comparingDouble(tuner -> outcomes.rate(run(device, tuner))))
        .orElseThrow();
  }

  private static double gain(FlowOutcomes outcomes, FlowDevice device) {
    double best = outcomes.rate(run(device, best(outcomes, device)));
    return 100 * (outcomes.rate(run(device, ADOC)) / best - 1);
  }

  private static FlowFigure grid() {
    Map<String, FlowOptions> runs = new LinkedHashMap<>();
    List<FlowClaim> claims = new ArrayList<>();
    for (FlowDevice device : DEVICES) {
      settings().forEach(tuner -> runs.put(run(device, tuner), FlowOptions.paper(device, tuner)));
      runs.put(run(device, ADOC), FlowOptions.paper(device, ADOC));
      claims.add(
          new FlowClaim(
                  device.name() + ": ADOC has more than the best static setting",
                  outcomes -> {
                    String best = best(outcomes, device);
                    return new Finding(
                        gain(outcomes, device) > 0,
                        text(
                            "%+.1f %%; the best is %s with %,.0f records/s",
                            gain(outcomes, device), best, outcomes.rate(run(device, best))));
                  })
              .because(
                  "ADOC finds its way there and away again: an overflow of memory halves threads at"
                      + " once, and two at a time come back. The paper does not compare with static"
                      + " settings other than SILK's."));
    }
    claims.add(
        new FlowClaim(
                "goal: 20 % above the best static setting on three of four devices",
                outcomes -> {
                  long many =
                      DEVICES.stream().filter(device -> gain(outcomes, device) >= 20).count();
                  return new Finding(many >= 3, many + " of 4");
                })
            .because("The best setting of all twenty is known only after an hour of each."));
    return new FlowFigure("adoc-grid", "ADOC and every static setting", runs, claims);
  }
}
