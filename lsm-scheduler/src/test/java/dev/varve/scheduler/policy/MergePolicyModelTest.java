package dev.varve.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.testkit.Seeds;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever arrives, policies name only idle neighbours, come to an end, leave what they
 * promise, and never leave writers waiting for nothing. Method: seeded flushes of any size, merges
 * that end in any order and shrink.
 */
final class MergePolicyModelTest {
  private static final List<String> POLICIES =
      List.of(
          "none",
          "constant(3)",
          "prefix(2000, 4)",
          "prefix(2000, 4, 1.2)",
          "tiering(2)",
          "tiering(3)",
          "tiering(4, 100)",
          "tiering(3, 100) limit local",
          "leveling(2)",
          "leveling(10)",
          "leveling(4, 100, fixed)",
          "leveling(4, 100) limit local",
          "size-tiered(1.2, 2, 10)",
          "size-tiered(1.2, 2, 2)",
          "size-tiered(1.2, 4, 4)",
          "size-bounded(1.2, 2, 10, 3000)",
          "binomial(1)",
          "binomial(3)",
          "blsm(4)",
          "blsm(4, 100)");

  @Test
  void policiesNameIdleNeighboursAndWritersNeverWaitForNothing() throws Exception {
    Seeds.run(
        40,
        seed -> {
          for (String policy : POLICIES) {
            run(policy, Seeds.random(seed));
          }
        });
  }

  private static void run(String text, RandomGenerator random) {
    MergePolicy policy = PolicyText.parse(text);
    PolicyModel model = new PolicyModel(policy, random);
    if (random.nextBoolean()) {
      model.flush(50_000); // loaded in bulk
    }
    for (int step = 0; step < 400; step++) {
      if (random.nextInt(3) > 0 && !model.atLimit()) {
        model.flush(random.nextInt(10) == 0 ? 1 + random.nextInt(1000) : 80 + random.nextInt(40));
      } else if (model.running() > 0) {
        model.endMerge(0.7);
      }
      model.beginMerges();
      assertTrue(
          !model.atLimit() || model.running() > 0, () -> text + " waits at " + model.shape());
    }
    settle(model);
    assertAtRest(text, policy, model.shape());
  }

  private static void settle(PolicyModel model) {
    for (int step = 0; model.running() > 0; step++) {
      assertTrue(step < 1000, "merges go on for ever");
      model.endMerge(0.7);
      model.beginMerges();
    }
  }

  private static void assertAtRest(String text, MergePolicy policy, IndexShape shape) {
    MergePolicy inner = policy instanceof LocallyLimitedPolicy local ? local.policy() : policy;
    if (inner instanceof LeveledPolicy leveled) {
      List<Integer> levels = leveled.levels(shape);
      for (int level : levels) {
        assertTrue(
            Collections.frequency(levels, level) < leveled.inputsPerMerge(), text + " " + levels);
      }
      for (int i = 1; i < levels.size(); i++) {
        assertTrue(levels.get(i - 1) >= levels.get(i), text + " " + levels);
      }
    }
    if (inner instanceof BinomialPolicy binomial) {
      assertTrue(shape.components().size() <= binomial.components(), text);
    }
    if (inner instanceof ConstantPolicy constant) {
      assertTrue(shape.components().size() < constant.components(), text);
    }
  }

  @Test
  void aByteIsRewrittenAsOftenAsTheFormulaSays() {
    // 1,000 equal flushes and no key twice, so n = 1000; docs/SCHEDULING.md has the formulas.
    assertWriteCost("constant(11)", 1000 / 20.0 + 0.5, 0.1);
    assertWriteCost("prefix(5050, 10)", 5 / 2.0 + 0.5, 0.1);
    assertWriteCost("tiering(10)", 3, 0.01);
    assertWriteCost("size-tiered(1.2, 2, 2)", Math.log(1000) / Math.log(2), 0.2);
  }

  @Test
  void levelingRewritesTheLastLevelForEachFullOneBeforeIt() {
    // Data of a fixed size, all of it replaced: 100 flushes, two levels of ratio 10.
    PolicyModel model = new PolicyModel(new LevelingPolicy(10), Seeds.random(1));
    model.flush(10_000);
    long before = model.merged();
    for (int i = 0; i < 1000; i++) {
      model.flush(100);
      model.beginMerges();
      while (model.running() > 0) {
        boolean last = model.shape().merging().get(0).first() == 1;
        model.endMerge(1, last ? 10_000 : Long.MAX_VALUE);
        model.beginMerges();
      }
    }
    double rewritten = (model.merged() - before) / (1000 * 100.0);
    // Level 1: 2 + 3 + ... + 10 flushes for 10. Level 2: all data for every tenth of it.
    assertEquals(5.4 + 10, rewritten, 0.1);
  }

  private static void assertWriteCost(String policy, double expected, double tolerance) {
    PolicyModel model = new PolicyModel(PolicyText.parse(policy), Seeds.random(1));
    for (int i = 0; i < 1000; i++) {
      model.flush(100);
      model.beginMerges();
      while (model.running() > 0) {
        model.endMerge(1);
        model.beginMerges();
      }
    }
    double rewritten = model.merged() / (1000 * 100.0);
    assertEquals(expected, rewritten, tolerance * expected, policy);
  }
}
