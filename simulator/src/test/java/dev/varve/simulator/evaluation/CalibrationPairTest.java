package dev.varve.simulator.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.scheduling.SchedulerText;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: what is held against the engine is complete. Method: the forms that options may have. */
final class CalibrationPairTest {
  /** Whose pairs would say nothing new; the documentation of the simulator says why. */
  private static final Set<String> EXCLUDED = Set.of("correlated", "arrival");

  private static String name(String form) {
    return form.replaceAll("[(\\[].*", "");
  }

  private static List<String> names(List<String> forms) {
    return forms.stream()
        .map(CalibrationPairTest::name)
        .filter(n -> !EXCLUDED.contains(n))
        .toList();
  }

  @Test
  void everyPolicyIsThere() {
    Set<String> found =
        CalibrationPair.ALL.stream().map(pair -> name(pair.policy())).collect(Collectors.toSet());
    assertEquals(Set.copyOf(names(PolicyText.FORMS)), found);
  }

  @Test
  void everySchedulerIsThereAndAllButTheGearUnderTieringAndLeveling() {
    for (String scheduler : names(SchedulerText.FORMS)) {
      Set<String> policies =
          CalibrationPair.ALL.stream()
              .filter(pair -> name(pair.scheduler()).equals(scheduler))
              .map(pair -> name(pair.policy()))
              .collect(Collectors.toSet());
      assertTrue(
          scheduler.equals("gear")
              ? policies.equals(Set.of("blsm"))
              : policies.containsAll(List.of("tiering", "leveling")),
          scheduler + " under " + policies);
    }
  }

  @Test
  void whatIsPrintedIsReadBack() {
    for (CalibrationPair pair : CalibrationPair.ALL) {
      assertEquals(pair, CalibrationPair.parse(pair.toString()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tiering(3)", "tiering(3)/", "/fair", "tiering(3)/often", "some/fair"})
  void whatIsNoPairIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> CalibrationPair.parse(text));
  }

  @Test
  void thoseThatEndTheMostMergesRunAlone() {
    assertEquals(
        List.of("size-tiered", "size-bounded"),
        CalibrationPair.ALL.stream()
            .filter(CalibrationPair::runsAlone)
            .map(pair -> name(pair.policy()))
            .toList());
  }

  @Test
  void policiesThatKeepOrRewriteAllHaveFewerFlushes() {
    Scale scale = new Scale(20_000, 512, 800, 1000, 1);
    assertEquals(80, new CalibrationPair("constant(3)", "fair").scaleOf(scale).flushes());
    assertEquals(800, new CalibrationPair("tiering(3)", "fair").scaleOf(scale).flushes());
    Scale few = new Scale(20_000, 512, 20, 1000, 1);
    assertEquals(10, new CalibrationPair("none", "fair").scaleOf(few).flushes());
  }
}
