package dev.varve.simulator;

import dev.varve.common.testkit.TextCases;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.scheduling.FairScheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Goal: the simulator does with small numbers what a person with a pencil does. Method: text cases,
 * one setting a line.
 */
final class SimulationTextTest {
  @Test
  void walksAreAsWorkedOutByHand() throws Exception {
    TextCases.run(
        SimulationTextTest.class,
        "walks.txt",
        (name, input) -> describe(Simulation.run(read(input))));
  }

  private static SimulationOptions read(List<String> lines) {
    Map<String, String> settings = new HashMap<>();
    for (String line : lines) {
      String[] words = line.split(" ", 2);
      settings.put(words[0], words[1]);
    }
    String limit = settings.remove("limit");
    SimulationOptions options =
        new SimulationOptions(
            new SimulatedNode(
                Long.parseLong(take(settings, "memory", "100")),
                Integer.parseInt(take(settings, "memory-components", "2")),
                50,
                100,
                1,
                new WriterRules(
                    take(settings, "limit-counts", "when-memory-is-full").equals("always")
                        ? WriterRules.LimitCounts.ALWAYS
                        : WriterRules.LimitCounts.WHEN_MEMORY_IS_FULL,
                    Optional.empty())),
            List.of(
                new SimulatedTree(
                    "tree",
                    Long.parseLong(take(settings, "loaded", "0")),
                    1,
                    new DistinctKeys(),
                    PolicyText.parse(
                        take(settings, "policy", "no-merge")
                            + (limit == null ? "" : " limit " + limit)))),
            new FairScheduler(),
            WriteGates.parse(take(settings, "gate", "stop")),
            Arrivals.parse(take(settings, "arrivals", "closed")),
            new SimulationOptions.Time(
                Double.parseDouble(take(settings, "seconds", "100")), 0, 10));
    if (!settings.isEmpty()) {
      throw new IllegalArgumentException("unknown: " + settings);
    }
    return options;
  }

  private static String take(Map<String, String> settings, String name, String otherwise) {
    String value = settings.remove(name);
    return value == null ? otherwise : value;
  }

  private static String describe(SimulationResult result) {
    List<String> lines = new ArrayList<>();
    lines.add(
        text(
            "taken %.1f of %.1f, %.2f/s",
            result.takenRecords(),
            result.takenRecords() + result.queuedRecords(),
            result.recordsPerSecond()));
    SimulationResult.Stalls stalls = result.stalls();
    lines.add(
        stalls.count() == 0
            ? "stalls none"
            : text(
                    "stalls %d, %.3f s, longest %.3f s: ",
                    stalls.count(), stalls.seconds(), stalls.longestSeconds())
                + new TreeMap<>(
                        stalls.secondsByCause().entrySet().stream()
                            .collect(
                                Collectors.toMap(
                                    cause -> cause.getKey().name(), Map.Entry::getValue)))
                    .entrySet().stream()
                        .map(cause -> text("%s %.3f", cause.getKey(), cause.getValue()))
                        .collect(Collectors.joining(" ")));
    lines.add(result.components().most() + " at most");
    lines.set(2, "components " + lines.get(2));
    lines.add(
        text(
            "wrote %.0f flushed, %.0f merged",
            result.io().flushedBytes(), result.io().mergedBytes()));
    if (result.merges().count() > 0) {
      lines.add(
          "merges "
              + new TreeMap<>(result.merges().byInputs())
                  .entrySet().stream()
                      .map(entry -> entry.getKey() + "x" + entry.getValue())
                      .collect(Collectors.joining(" ")));
    }
    LatencySummary latency = result.writeLatency();
    lines.add(
        text(
            "write latency p50 %.3f p90 %.3f p99 %.3f max %.3f",
            latency.p50(), latency.p90(), latency.p99(), latency.max()));
    return String.join("\n", lines);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
