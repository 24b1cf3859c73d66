package dev.varve.scheduler.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.common.testkit.TextCases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Goal: every index gets its part, and a scheduler sees its scope. Method: cases. */
final class IndexArbiterTest {
  /** First the scheduler, then a merge on each line: index, bytes of input, bytes left. */
  @Test
  void allocatesAsWorkedByHand() throws Exception {
    TextCases.run(IndexArbiterTest.class, "index-arbiter.txt", (name, input) -> allocate(input));
  }

  private static String allocate(List<String> input) {
    MergeScheduler scheduler = SchedulerText.parse(input.get(0));
    Map<String, List<MergeProgress>> merges = new LinkedHashMap<>();
    for (int line = 1; line < input.size(); line++) {
      String[] words = input.get(line).split(" ");
      merges
          .computeIfAbsent(words[0], first -> new ArrayList<>())
          .add(new MergeProgress(line, Long.parseLong(words[1]), Long.parseLong(words[2]), 0, 0));
    }
    var allocation = IndexArbiter.allocate(scheduler, merges.values());
    double total = allocation.totalWeight();
    assertEquals(allocation.shares().size(), allocation.shares().stream().distinct().count());
    return allocation.shares().stream()
        .map(share -> share.number() + ": " + Math.round(1000 * share.weight() / total) + "/1000")
        .collect(Collectors.joining(", "));
  }
}
