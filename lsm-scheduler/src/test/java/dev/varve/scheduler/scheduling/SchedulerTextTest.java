package dev.varve.scheduler.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.common.maintenance.MergeScheduler.Scope;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: what a scheduler prints is read back, and what can't be read says why. By example. */
final class SchedulerTextTest {
  @Test
  void whatASchedulerPrintsIsReadBack() {
    for (MergeScheduler scheduler :
        List.of(
            ArrivalScheduler.single(),
            new ArrivalScheduler(3),
            new FairScheduler(),
            new GreedyScheduler(2),
            new GreedyScheduler(2, Scope.NODE),
            new BoundedGreedyScheduler(8),
            new BoundedGreedyScheduler(8, Scope.NODE),
            new GearScheduler(1 << 30))) {
      assertEquals(scheduler, SchedulerText.parse(scheduler.describe()));
    }
    assertEquals(new FairScheduler(), SchedulerText.parse("immediate"));
    assertEquals(new GreedyScheduler(1), SchedulerText.parse("greedy"));
    assertEquals(new GearScheduler(64 << 20), SchedulerText.parse("gear:64m"));
  }

  @Test
  void whatIsWrongIsNamed() {
    assertRefused("unfair", "no scheduler 'unfair'");
    assertRefused("fair(2)", "1 parameters");
    assertRefused("arrival(0)", "at least one merge");
    assertRefused("greedy(0)", "at least one merge");
    assertRefused("greedy(1, device)", "no scope 'device'");
    assertRefused("greedy(x)", "not a number");
    assertRefused("bounded-greedy(0)", "not between 1 and");
    assertRefused("gear(0)", "at least one byte");
    assertRefused("fair limit 3", "limits belong to policies");
  }

  private static void assertRefused(String text, String reason) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> SchedulerText.parse(text));
    String message = String.valueOf(refused.getMessage());
    assertTrue(
        message.contains(reason) && message.contains("bounded-greedy(MERGES[, node])"), message);
  }
}
