package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.disk.DiskComponents.Membership;
import dev.varve.common.index.IndexVersion.Pending;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.Observation;
import dev.varve.common.testkit.SortedRunFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Goal: what may begin follows from the version alone, and a next version leaves the last one as it
 * was. Method: memory components without an index, and no disk components.
 */
final class IndexVersionTest {
  private static final DiskComponents<Slice> NONE =
      new DiskComponents<>(Membership.NAMES, List.of(), List.of(), 4, -1);

  private final MemoryComponent<Slice> first = component();
  private final IndexVersion<Slice> version =
      new IndexVersion<>(
          List.of(first), NONE, new MergePlanner<>(List.of(), Observation.NONE), Set.of());

  private record CountingPolicy(AtomicInteger asked) implements MergePolicy {
    @Override
    public MergeDecision decide(IndexShape shape) {
      asked.incrementAndGet();
      return new MergeDecision.Wait();
    }

    @Override
    public String describe() {
      return "counting";
    }
  }

  private static MemoryComponent<Slice> component() {
    return new MemoryComponent<>(() -> {}, new SortedRunFormat(), 0);
  }

  @Test
  void theOldestIsFlushedOnceItIsSealedAndNoFlushRuns() {
    MemoryComponent<Slice> second = component();
    IndexVersion<Slice> both = version.with(second);
    assertNull(both.nextFlush(), "not sealed");
    first.seal(() -> 10);
    FlushPlan<Slice> plan = both.nextFlush();
    assertNotNull(plan);
    assertSame(first, plan.source());
    assertEquals(new ComponentId(5, 5), plan.target());
    assertTrue(plan.nothingOlder());
    IndexVersion<Slice> flushing = both.begun(Pending.FLUSH);
    assertNull(flushing.nextFlush(), "one at a time");
    assertNotNull(flushing.ended(Pending.FLUSH).nextFlush());
    assertNotNull(both.nextFlush(), "the version before is what it was");
    assertEquals(List.of(second), both.without(first).memory());
  }

  @Test
  void thePolicyIsNotAskedWhileTheDirectoryGetsItsFirstManifest() {
    CountingPolicy policy = new CountingPolicy(new AtomicInteger());
    IndexVersion<Slice> begun = version.begun(Pending.FIRST_MANIFEST).begun(Pending.FLUSH);
    assertNull(begun.nextMerge(policy));
    assertEquals(0, policy.asked().get());
    assertNull(begun.ended(Pending.FIRST_MANIFEST).nextMerge(policy));
    assertEquals(1, policy.asked().get());
  }

  @Test
  void otherDiskComponentsWaitForADecision() {
    DiskComponents<Slice> next =
        new DiskComponents<>(Membership.NAMES, List.of(), List.of(), 5, -1);
    IndexVersion<Slice> changed = version.with(next);
    assertTrue(changed.isPending(Pending.DECISION));
    assertFalse(changed.hasComponentsOf(version));
    assertTrue(changed.hasComponentsOf(changed.ended(Pending.DECISION).begun(Pending.FLUSH)));
    assertFalse(version.isPending(Pending.DECISION));
  }
}
