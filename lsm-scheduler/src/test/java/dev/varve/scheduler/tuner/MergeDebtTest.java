package dev.varve.scheduler.tuner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.scheduler.policy.PartitionedLevelingPolicy;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pending merge bytes of levels, as RocksDB counts them. */
final class MergeDebtTest {
  private static final PartitionedLevelingPolicy POLICY =
      new PartitionedLevelingPolicy(
          10,
          new PartitionedLevelingPolicy.Sizes(100, 25),
          new PartitionedLevelingPolicy.Flushed(
              4, PartitionedLevelingPolicy.Taking.ALL, Integer.MAX_VALUE),
          PartitionedLevelingPolicy.Selection.ROUND_ROBIN,
          PartitionedLevelingPolicy.Concurrency.MANY);

  private static long pending(int flushed, long... levels) {
    return MergeDebt.pendingBytes(POLICY, flushed, Arrays.stream(levels).boxed().toList());
  }

  @Test
  void levelsWithinTheirSizesOweNothing() {
    assertEquals(0, pending(3, 75, 100, 1000));
    assertEquals(0, MergeDebt.pendingBytes(POLICY, 0, List.of(0L)));
  }

  @Test
  void levelZeroGoesDownWithAllOfLevelOne() {
    // What is over the size of level 1 then has nothing to be merged with: it is moved.
    assertEquals(100 + 60, pending(4, 100, 60));
    assertEquals(0, pending(3, 99, 60));
    assertEquals(99 + 60, pending(4, 99, 60));
    assertEquals(100 + 60, pending(1, 100, 60));
  }

  @Test
  void whatIsOverTheSizeGoesDownWithWhatItOverlaps() {
    // 50 of 150 bytes overlap a third of 900.
    assertEquals(50 + 300, pending(0, 0, 150, 900));
  }

  @Test
  void whatComesDownMakesTheNextLevelOweToo() {
    // 100 and 100 come to level 1: 100 of 200 bytes overlap half of 1000. Level 2 then has 1100,
    // of which 100 overlap an eleventh of 2200.
    assertEquals(200 + 100 + 500 + 100 + 200, pending(4, 100, 100, 1000, 2200));
  }
}
