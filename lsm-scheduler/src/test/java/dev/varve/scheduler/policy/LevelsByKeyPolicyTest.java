package dev.varve.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/**
 * Goal: one policy serves an index that is cut by key range and one that cannot be. Method: shapes
 * of both.
 */
class LevelsByKeyPolicyTest {
  private static final MergePolicy POLICY =
      PolicyText.parse("partitioned-leveling(3, 64k, 16k, 2) limit 5");

  private static List<ComponentStats> equal(int count) {
    List<ComponentStats> components = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      components.add(new ComponentStats(new ComponentId(i, i), 1000, 10, 0, i));
    }
    return components;
  }

  @Test
  void whereLevelsAreCutWritersWaitForLevel0() {
    IndexShape shape = new IndexShape(equal(7), List.of(), OptionalInt.of(4));
    assertEquals(5, POLICY.componentLimit(shape));
    assertEquals(4, POLICY.limitedComponents(shape));
  }

  @Test
  void whereTheyCannotBeItIsLeveling() {
    IndexShape shape = new IndexShape(equal(7), List.of());
    LevelingPolicy leveling = new LevelingPolicy(3);
    assertInstanceOf(MergeDecision.Merge.class, POLICY.decide(shape));
    assertEquals(leveling.decide(shape), POLICY.decide(shape));
    assertEquals(leveling.componentLimit(shape), POLICY.componentLimit(shape));
    assertEquals(7, POLICY.limitedComponents(shape));
    MergePolicy unlimited = PolicyText.parse("partitioned-leveling(3) limit none");
    assertEquals(MergePolicy.UNLIMITED, unlimited.componentLimit(shape));
  }
}
