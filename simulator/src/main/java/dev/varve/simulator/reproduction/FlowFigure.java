package dev.varve.simulator.reproduction;

import dev.varve.simulator.FlowOptions;
import dev.varve.simulator.FlowResult;
import dev.varve.simulator.FlowSimulation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A figure of ADOC. Immutable.
 *
 * @param name as options name it, {@code adoc-fig12}
 * @param title what it shows
 * @param runs in the order in which they are shown
 * @param claims what the paper says about them
 */
record FlowFigure(String name, String title, Map<String, FlowOptions> runs, List<FlowClaim> claims)
    implements Reproducible {
  /**
   * Something that the paper says.
   *
   * @param paper what
   * @param check what the simulation says to it
   * @param why it does not hold, if it does not; empty as long as nobody knows
   */
  record FlowClaim(String paper, Function<FlowOutcomes, Claim.Finding> check, String why) {
    FlowClaim(String paper, Function<FlowOutcomes, Claim.Finding> check) {
      this(paper, check, "");
    }

    /** The same, with what was found out about its failure. */
    FlowClaim because(String reason) {
      return new FlowClaim(paper, check, reason);
    }
  }

  /** Copies the collections. */
  FlowFigure {
    runs = new LinkedHashMap<>(runs);
    claims = List.copyOf(claims);
  }

  @Override
  public Reproduction reproduce() {
    Map<String, FlowResult> results = new LinkedHashMap<>();
    runs.forEach((run, options) -> results.put(run, FlowSimulation.run(options)));
    List<Reproduction.NamedResult> named = new ArrayList<>();
    results.forEach(
        (run, result) -> named.add(new Reproduction.NamedResult(run, result.simulation())));
    FlowOutcomes outcomes = new FlowOutcomes(results);
    List<Verdict> verdicts = new ArrayList<>();
    for (FlowClaim claim : claims) {
      Claim.Finding finding = claim.check().apply(outcomes);
      verdicts.add(
          new Verdict(
              claim.paper(), finding.found(), finding.holds(), finding.holds() ? "" : claim.why()));
    }
    return new Reproduction(name, title, named, verdicts);
  }
}
