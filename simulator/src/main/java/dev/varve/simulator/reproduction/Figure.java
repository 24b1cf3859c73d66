package dev.varve.simulator.reproduction;

import dev.varve.simulator.Arrivals;
import dev.varve.simulator.Simulation;
import dev.varve.simulator.SimulationResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A figure of the paper. Immutable.
 *
 * @param name as options name it, {@code fig8}
 * @param title what it shows
 * @param runs in an order in which each comes after those that its load depends on
 * @param claims what the paper says about them
 */
record Figure(String name, String title, List<Run> runs, List<Claim> claims)
    implements Reproducible {
  /** Copies the lists. */
  Figure {
    runs = List.copyOf(runs);
    claims = List.copyOf(claims);
  }

  @Override
  public Reproduction reproduce() {
    Map<String, SimulationResult> results = new LinkedHashMap<>();
    List<Reproduction.NamedResult> named = new ArrayList<>();
    for (Run run : runs) {
      SimulationResult result = Simulation.run(run.options(arrivals(run.load(), results)));
      if (results.put(run.name(), result) != null) {
        throw new IllegalStateException(name + " has two runs '" + run.name() + "'");
      }
      named.add(new Reproduction.NamedResult(run.name(), result));
    }
    Outcomes outcomes = new Outcomes(results);
    List<Verdict> verdicts = new ArrayList<>();
    for (Claim claim : claims) {
      Claim.Finding finding = claim.check().apply(outcomes);
      verdicts.add(new Verdict(claim.paper(), finding.found(), finding.holds(), ""));
    }
    return new Reproduction(name, title, named, verdicts);
  }

  private static Arrivals arrivals(Run.Load load, Map<String, SimulationResult> before) {
    return load.of().isEmpty()
        ? Arrivals.parse(load.arrivals())
        : Arrivals.constant(load.part() * new Outcomes(before).of(load.of()).recordsPerSecond());
  }
}
