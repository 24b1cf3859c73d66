package dev.varve.scheduler.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.scheduler.admission.ComponentLimit.Merges;
import dev.varve.scheduler.admission.WriteConditions.Usage;
import dev.varve.scheduler.policy.PolicyText;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Goal: writers wait at the limit, and only for merges that there are. Method: examples. */
final class ComponentLimitTest {
  @Test
  void theLimitOfThePolicyHoldsWhileSomethingMerges() {
    assertEquals(new Usage(5, 6), usage("constant(3)", shape(5, 3)));
    assertEquals(new Usage(6, 6), usage("constant(3)", shape(6, 3)));
    assertEquals(new Usage(6, 5), usage("constant(3) limit 5", shape(6, 3)));
  }

  @Test
  void nobodyWaitsForAMergeThatThereIsNot() {
    Usage idle = usage("constant(3) limit 2", shape(2, 0));
    assertEquals(new Usage(2, Usage.UNBOUNDED.limit()), idle);
  }

  @Test
  void theLimitHoldsBetweenTheEndOfAMergeAndTheDecisionAboutTheNext() {
    MergePolicy policy = PolicyText.parse("constant(3) limit 2");
    assertEquals(new Usage(2, 2), ComponentLimit.usage(policy, shape(2, 0), Merges.GO_ON));
    assertEquals(false, ComponentLimit.usage(policy, shape(2, 2), Merges.REST).full());
    assertEquals(
        false, ComponentLimit.usage(PolicyText.parse("none"), shape(100, 0), Merges.GO_ON).full());
  }

  @Test
  void withoutALimitNobodyWaits() {
    assertEquals(false, usage("constant(3) limit none", shape(100, 3)).full());
    assertEquals(false, usage("none", shape(100, 3)).full());
  }

  private static Usage usage(String policy, IndexShape shape) {
    return ComponentLimit.usage(PolicyText.parse(policy), shape);
  }

  private static IndexShape shape(int components, int merging) {
    List<ComponentId> ids =
        LongStream.rangeClosed(1, components).mapToObj(n -> new ComponentId(n, n)).toList();
    return new IndexShape(
        ids.stream().map(id -> new ComponentStats(id, 10, 1, 0, -1)).toList(),
        ids.subList(0, merging));
  }
}
