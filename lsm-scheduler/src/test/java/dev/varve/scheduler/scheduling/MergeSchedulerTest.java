package dev.varve.scheduler.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.maintenance.MergeProgress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: who runs, and who first. Method: three merges, the first the longest, half done. */
final class MergeSchedulerTest {
  private static final List<MergeProgress> MERGES =
      List.of(
          new MergeProgress(4, 1000, 500, 500),
          new MergeProgress(7, 100, 90, 10),
          new MergeProgress(9, 300, 300, 0));

  @Test
  void immediateRunsAllAndLetsThemTakeTurns() {
    assertEquals(List.of(9L, 7L, 4L), new ImmediateScheduler().allocate(MERGES).running());
  }

  @Test
  void immediateServesTheOldestFirstAmongEquals() {
    List<MergeProgress> equal =
        List.of(new MergeProgress(1, 10, 10, 0), new MergeProgress(2, 10, 10, 0));
    assertEquals(List.of(1L, 2L), new ImmediateScheduler().allocate(equal).running());
  }

  @Test
  void arrivalRunsTheOldestOnes() {
    assertEquals(List.of(4L), new ArrivalScheduler(1).allocate(MERGES).running());
    assertEquals(List.of(4L, 7L), new ArrivalScheduler(2).allocate(MERGES).running());
    assertEquals(List.of(4L, 7L, 9L), new ArrivalScheduler(8).allocate(MERGES).running());
    assertThrows(IllegalArgumentException.class, () -> new ArrivalScheduler(0));
  }
}
