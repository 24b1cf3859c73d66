package dev.varve.scheduler.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeAllocation.Share;
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

  @Test
  void whoGoesFirstHasNearlyAllWhereBothHaveThreads() {
    MergeAllocation first = new MergeAllocation(List.of(new Share(1, 3)));
    MergeAllocation others = new MergeAllocation(List.of(new Share(2, 3), new Share(3, 1)));
    assertEquals(first, IndexArbiter.before(first, others, 1));
    assertEquals(others, IndexArbiter.before(new MergeAllocation(List.of()), others, 1));
    assertEquals(
        List.of(new Share(1, 3 << 10), new Share(2, 3), new Share(3, 1)),
        IndexArbiter.before(first, others, 2).shares());
  }

  private static String allocate(List<String> input) {
    MergeScheduler scheduler = SchedulerText.parse(input.get(0));
    Map<String, List<MergeProgress>> merges = new LinkedHashMap<>();
    for (int line = 1; line < input.size(); line++) {
      String[] words = input.get(line).split(" ");
      merges
          .computeIfAbsent(words[0], first -> new ArrayList<>())
          .add(
              new MergeProgress(
                  line,
                  Long.parseLong(words[1]),
                  Long.parseLong(words[2]),
                  0,
                  0,
                  words.length > 3 ? Integer.parseInt(words[3]) : 1));
    }
    var allocation = IndexArbiter.allocate(scheduler, merges.values());
    double total = allocation.totalWeight();
    assertEquals(allocation.shares().size(), allocation.shares().stream().distinct().count());
    return allocation.shares().stream()
        .map(share -> share.number() + ": " + Math.round(1000.0 * share.weight() / total) + "/1000")
        .collect(Collectors.joining(", "));
  }
}
