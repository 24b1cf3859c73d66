package dev.varve.scheduler.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeAllocation.Share;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.TextCases;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Goal: schedulers share the bandwidth as they say. Method: cases worked by hand in {@code
 * allocations.txt}, and random merges.
 */
final class MergeSchedulerTest {
  @Test
  void allocateAsWorkedByHand() throws Exception {
    TextCases.run(
        MergeSchedulerTest.class,
        "allocations.txt",
        (name, input) -> {
          MergeScheduler scheduler = SchedulerText.parse(input.get(0));
          List<MergeProgress> merges =
              input.stream().skip(1).map(MergeSchedulerTest::merge).toList();
          return scheduler.allocate(merges).shares().stream()
              .map(share -> share.number() + " x" + share.weight())
              .collect(Collectors.joining(", "));
        });
  }

  /** A line {@code number: remaining of input[, after allWritten]}. */
  private static MergeProgress merge(String line) {
    String[] words = line.split("[:,]? ");
    long remaining = Long.parseLong(words[1]);
    long input = Long.parseLong(words[3]);
    long all = words.length > 4 ? Long.parseLong(words[5]) : input - remaining;
    return new MergeProgress(Long.parseLong(words[0]), input, remaining, input - remaining, all, 1);
  }

  @Test
  void everySchedulerLetsSomeMergeRunAndNamesNoneTwice() throws Exception {
    Seeds.run(200, seed -> check(Seeds.random(seed)));
  }

  private static void check(RandomGenerator random) {
    List<MergeProgress> merges = randomMerges(random);
    for (String text :
        List.of(
            "single",
            "arrival(2)",
            "fair",
            "greedy(1)",
            "greedy(3)",
            "bounded-greedy(4)",
            "gear(500)")) {
      MergeAllocation allocation = SchedulerText.parse(text).allocate(merges);
      List<Long> named = allocation.shares().stream().map(Share::number).toList();
      assertTrue(!named.isEmpty(), text);
      assertEquals(named.stream().distinct().toList(), named, text);
      assertTrue(merges.stream().map(MergeProgress::number).toList().containsAll(named), text);
    }
  }

  @Test
  void greedyNeverRunsALargerMergeWhileASmallerOneWaits() throws Exception {
    Seeds.run(
        500,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          List<MergeProgress> merges = randomMerges(random);
          int most = 1 + random.nextInt(4);
          List<Long> running =
              new GreedyScheduler(most)
                  .allocate(merges).shares().stream().map(Share::number).toList();
          assertEquals(Math.min(most, merges.size()), running.size());
          for (MergeProgress runs : merges) {
            for (MergeProgress waits : merges) {
              assertTrue(
                  !running.contains(runs.number())
                      || running.contains(waits.number())
                      || runs.remainingInputBytes() <= waits.remainingInputBytes(),
                  runs + " runs while " + waits + " waits");
            }
          }
        });
  }

  private static List<MergeProgress> randomMerges(RandomGenerator random) {
    List<MergeProgress> merges = new ArrayList<>();
    long number = 0;
    for (int i = 1 + random.nextInt(8); i > 0; i--) {
      number += 1 + random.nextInt(3);
      long input = 1 + random.nextLong(1000);
      long written = random.nextLong(input + 1);
      merges.add(
          new MergeProgress(
              number, input, input - written, written, written + random.nextLong(5000), 1));
    }
    return merges;
  }
}
