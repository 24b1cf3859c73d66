package dev.varve.scheduler.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.scheduler.admission.ComponentLimit.Merges;
import dev.varve.scheduler.admission.MergeControl.Asked;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.tuner.StallClass;
import dev.varve.scheduler.tuner.WriteController.State;
import dev.varve.scheduler.tuner.WriteLimits;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Which index RocksDB's write controller is asked about, and when. */
final class MergeControlTest {
  private static final WriteLimits LIMITS = new WriteLimits(20, 36, 1000, 2000, 1_000_000);
  private static final MergePolicy POLICY = PolicyText.parse("constant(50) limit 100");
  private static final MergePolicy LIMITED = PolicyText.parse("constant(50) limit 9");
  private static final MergePolicy MERGING = PolicyText.parse("constant(3) limit 100");

  private static Asked asked(String name, MergePolicy policy, int components, Merges merges) {
    List<ComponentStats> all =
        LongStream.rangeClosed(1, components)
            .mapToObj(i -> new ComponentStats(new ComponentId(i, i), 100, 10, 0, i))
            .toList();
    return new Asked(name, policy, new IndexShape(all, List.of()), merges);
  }

  private static MergeControl after(Asked... indexes) {
    return MergeControl.of(LIMITS).next(LIMITS, List.of(indexes));
  }

  @Test
  void theIndexNearestToItsLimitCounts() {
    MergeControl control =
        after(
            asked("a", POLICY, 19, Merges.GO_ON),
            asked("b", POLICY, 20, Merges.GO_ON),
            asked("c", POLICY, 3, Merges.GO_ON));
    assertEquals(State.DELAYED, control.controller().state());
    assertEquals("b", control.index());
    assertEquals(State.FREE, after(asked("a", POLICY, 19, Merges.GO_ON)).controller().state());
  }

  @Test
  void anIndexInWhichNothingMergesHoldsNobodyBack() {
    MergeControl control =
        after(asked("a", POLICY, 50, Merges.REST), asked("b", POLICY, 2, Merges.GO_ON));
    assertEquals(State.FREE, control.controller().state());
    assertEquals(State.FREE, after(asked("a", POLICY, 50, Merges.REST)).controller().state());
  }

  @Test
  void aLowerLimitOfThePolicyTakesTheSlowDownAlong() {
    // A quarter of 36, so a quarter of 20.
    assertEquals(State.FREE, after(asked("a", LIMITED, 4, Merges.GO_ON)).controller().state());
    assertEquals(State.DELAYED, after(asked("a", LIMITED, 5, Merges.GO_ON)).controller().state());
    assertEquals(State.STOPPED, after(asked("a", LIMITED, 9, Merges.GO_ON)).controller().state());
    assertEquals(6, LIMITS.within(10).level0Slow());
    assertEquals(LIMITS, LIMITS.within(36));
    assertEquals(LIMITS.withoutLevel0(), LIMITS.withoutLevel0().within(9));
  }

  @Test
  void whatWaitsMostForMergesCounts() {
    MergeControl control =
        after(asked("a", POLICY, 15, Merges.GO_ON), asked("b", MERGING, 12, Merges.GO_ON));
    assertEquals(State.DELAYED, control.controller().state());
    assertEquals(Optional.of(StallClass.PENDING_BYTES), control.controller().cause());
    assertEquals("b", control.index());
    assertEquals(1200, control.controller().pendingBytes());
  }

  @Test
  void itIsAskedAgainOnlyWhenComponentsOrLimitsHaveChanged() {
    List<Asked> indexes = List.of(asked("a", POLICY, 20, Merges.GO_ON));
    MergeControl first = MergeControl.of(LIMITS).next(LIMITS, indexes);
    assertSame(first, first.next(LIMITS, indexes));
    WriteLimits others = new WriteLimits(21, 36, 1000, 2000, 1_000_000);
    assertEquals(State.FREE, first.next(others, indexes).controller().state());
    List<Asked> more = List.of(asked("a", POLICY, 36, Merges.GO_ON));
    assertEquals(State.STOPPED, first.next(LIMITS, more).controller().state());
  }
}
