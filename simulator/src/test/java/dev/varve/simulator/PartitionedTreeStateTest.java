package dev.varve.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.RangedComponent;
import dev.varve.common.testkit.Seeds;
import dev.varve.scheduler.policy.PartitionedPolicyText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: levels of key ranges stay levels whatever is merged in whatever order, and nothing is lost
 * on the way. Method: random policies and flushes; merges end in random order.
 */
final class PartitionedTreeStateTest {
  private static final int ENTRY_BYTES = 100;
  private static final int MOST_FLUSHED = 200;

  @Test
  void rangesOfALevelNeverOverlapAndNoEntryIsLost() throws Exception {
    Seeds.run(
        60,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          PartitionedPolicy policy = randomPolicy(random);
          PartitionedTreeState tree =
              new PartitionedTreeState(
                  new SimulatedTree(
                      "tree",
                      0,
                      ENTRY_BYTES,
                      new DistinctKeys(),
                      new TreeStructure.Partitioned(policy)),
                  policy);
          List<MergeWork> running = new ArrayList<>();
          double updates = 0;
          for (int step = 0; step < 150; step++) {
            if (running.isEmpty() || random.nextInt(3) == 0) {
              double flushed = random.nextInt(1, MOST_FLUSHED);
              tree.flushed(0, flushed);
              updates += flushed;
            } else {
              running.remove(random.nextInt(running.size())).publish();
            }
            beginAll(tree, running);
            check(tree, policy, running);
            // Each component is rounded to entries, and is one at least.
            assertEquals(
                updates * ENTRY_BYTES, (double) tree.bytes(), ENTRY_BYTES * components(tree));
          }
          while (!running.isEmpty()) {
            running.remove(0).publish();
            beginAll(tree, running);
          }
          assertTrue(tree.shape().flushed().size() < 10, "merges that were due were not begun");
        });
  }

  private static PartitionedPolicy randomPolicy(RandomGenerator random) {
    return PartitionedPolicyText.parse(
        "partitioned-leveling("
            + random.nextInt(2, 6)
            + ", "
            + random.nextInt(1000, 40_000)
            + ", "
            + random.nextInt(500, 10_000)
            + ", "
            + random.nextInt(1, 5)
            + (random.nextBoolean() ? ", best" : "")
            + (random.nextBoolean() ? ", exact" : "")
            + (random.nextBoolean() ? ", concurrent" : "")
            + ")");
  }

  private static void beginAll(PartitionedTreeState tree, List<MergeWork> running) {
    Optional<MergeWork> work = tree.beginMerge();
    while (work.isPresent()) {
      running.add(work.get());
      work = tree.beginMerge();
    }
  }

  private static double components(PartitionedTreeState tree) {
    PartitionedShape shape = tree.shape();
    return shape.flushed().size()
        + shape.levels().stream().mapToInt(level -> level.components().size()).sum();
  }

  private static void check(
      PartitionedTreeState tree, PartitionedPolicy policy, List<MergeWork> running) {
    PartitionedShape shape = tree.shape();
    Set<Long> numbers = new HashSet<>();
    long bytes = shape.flushed().stream().mapToLong(RangedComponent::bytes).sum();
    assertEquals(bytes, tree.levelBytes().get(0));
    for (int i = 0; i < shape.levels().size(); i++) {
      List<RangedComponent> level = shape.levels().get(i).components();
      long sum = 0;
      for (int j = 0; j < level.size(); j++) {
        assertTrue(numbers.add(level.get(j).number()));
        assertTrue(
            level.get(j).bytes()
                // A flush may move down as it is.
                <= Math.max(policy.componentBytes(), MOST_FLUSHED * ENTRY_BYTES) + 3 * ENTRY_BYTES,
            "larger than a component: " + level.get(j));
        assertFalse(j > 0 && !level.get(j - 1).keys().isBefore(level.get(j).keys()), "overlap");
        sum += level.get(j).bytes();
      }
      assertEquals(sum, tree.levelBytes().get(i + 1));
    }
    int merging = running.stream().mapToInt(MergeWork::fanIn).sum();
    assertEquals(merging, shape.merging().size(), "a component is in one merge at a time");
  }
}
