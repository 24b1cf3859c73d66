package dev.varve.scheduler.tuner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.scheduler.tuner.Flows.Waits;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of ADOC, section 5, one by one. */
final class AdocTunerTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final TunerLimits LIMITS = TunerLimits.paper(1_000_000_000);
  private static final Waits LEVEL_ZERO = new Waits(21, 0, 1, 0);
  private static final Waits REDUNDANCY = new Waits(0, 64 * GIB + 1, 1, 0);
  private static final Waits MEMORY = new Waits(0, 0, 1, 1);

  private static TunerSetting setting(int threads, long megabytes) {
    return TunerSetting.of(threads, megabytes * MIB, TunerSetting.Io.OPEN);
  }

  private static TunerSetting answer(String tuner, TunerSetting from, Waits waits) {
    return TunerText.parse(tuner).start(from, LIMITS).decide(Flows.of(waits), from).setting();
  }

  @Test
  void anOverflowOfLevelZeroAddsTwoThreadsAndLeavesMemory() {
    assertEquals(setting(10, 128), answer("adoc-paper", setting(8, 128), LEVEL_ZERO));
  }

  @Test
  void anOverflowOfRedundancyAddsTwoThreadsAndHalvesMemory() {
    assertEquals(setting(10, 128), answer("adoc-paper", setting(8, 256), REDUNDANCY));
  }

  @Test
  void anOverflowOfMemoryHalvesThreadsAndAddsAStepOfMemory() {
    assertEquals(setting(4, 320), answer("adoc-paper", setting(8, 256), MEMORY));
  }

  @Test
  void atTheThresholdsNothingOverflows() {
    TunerSetting from = setting(8, 128);
    assertEquals(from, answer("adoc-paper", from, new Waits(20, 64 * GIB, 1, 0)));
  }

  @Test
  void levelZeroComesBeforeRedundancyAndThatBeforeMemory() {
    TunerSetting from = setting(8, 256);
    assertEquals(setting(10, 256), answer("adoc-paper", from, new Waits(21, 65 * GIB, 1, 1)));
    assertEquals(setting(10, 128), answer("adoc-paper", from, new Waits(20, 65 * GIB, 1, 1)));
  }

  @Test
  void knobsStayWithinTheirBounds() {
    assertEquals(setting(20, 64), answer("adoc-paper", setting(20, 64), REDUNDANCY));
    assertEquals(setting(20, 64), answer("adoc-paper", setting(19, 64), LEVEL_ZERO));
    assertEquals(setting(2, 512), answer("adoc-paper", setting(2, 512), MEMORY));
    assertEquals(setting(2, 512), answer("adoc-paper", setting(3, 480), MEMORY));
  }

  @Test
  void aQuarterOfTheThreadsFlushesAndAtLeastOne() {
    assertEquals(1, setting(2, 64).flushThreads());
    assertEquals(1, setting(7, 64).flushThreads());
    assertEquals(2, setting(8, 64).flushThreads());
    assertEquals(5, setting(20, 64).flushThreads());
    assertEquals(15, setting(20, 64).mergeThreads());
  }

  @Test
  void adocTTurnsThreadsOnly() {
    assertEquals(setting(10, 256), answer("adoc-t", setting(8, 256), REDUNDANCY));
    assertEquals(setting(4, 256), answer("adoc-t", setting(8, 256), MEMORY));
  }

  @Test
  void adocBTurnsMemoryOnly() {
    assertEquals(setting(8, 128), answer("adoc-b", setting(8, 256), REDUNDANCY));
    assertEquals(setting(8, 320), answer("adoc-b", setting(8, 256), MEMORY));
    assertEquals(setting(8, 256), answer("adoc-b", setting(8, 256), LEVEL_ZERO));
  }

  @Test
  void theSizeOfLevelsFollowsMemory() {
    assertEquals(128 * MIB, setting(8, 128).componentBytes());
    assertEquals(512 * MIB, setting(8, 128).levelBytes());
  }

  private static TunerSetting after(int windows, FlowObservation window, TunerSetting from) {
    Tuner.Course course = TunerText.parse("adoc-paper").start(from, LIMITS);
    TunerSetting setting = from;
    for (int i = 0; i < windows; i++) {
      setting = course.decide(window, setting).setting();
    }
    return setting;
  }

  @Test
  void tenQuietWindowsGiveBackWhatIsNotUsed() {
    FlowObservation.Busy idle = new FlowObservation.Busy(0, 0, 0, 1, 1);
    FlowObservation quiet = Flows.of(new Waits(0, 0, 0, 0), 100, idle);
    assertEquals(setting(8, 256), after(9, quiet, setting(8, 256)));
    assertEquals(setting(4, 128), after(10, quiet, setting(8, 256)));
  }

  @Test
  void whatIsUsedIsKept() {
    assertEquals(setting(8, 256), after(30, Flows.of(Waits.NOTHING), setting(8, 256)));
  }

  @Test
  void theDecisionSaysItsNumbers() {
    TunerSetting from = setting(8, 256);
    String reason =
        TunerText.parse("adoc-paper")
            .start(from, LIMITS)
            .decide(Flows.of(LEVEL_ZERO), from)
            .reason();
    assertTrue(reason.contains("21") && reason.contains("20"), reason);
  }

  @Test
  void withoutLevelsItIsThePartOfTheComponentLimitAtWhichRocksDbSlowsDown() {
    IndexFlow whole = new IndexFlow("i", 12, 20, 0, 0, 0);
    assertEquals(20 * 20.0 / 36, AdocTuner.level0Slow(whole, LIMITS));
  }

  @Test
  void thePublicFormLooksOnlyWhenWritersAreSlow() {
    TunerSetting from = setting(8, 256);
    Tuner.Course course = TunerText.parse("adoc-artifact").start(from, LIMITS);
    FlowObservation.Busy busy = new FlowObservation.Busy(0, 0, 0, 6, 1);
    Waits many = new Waits(15, 0, 1, 0);
    assertEquals(from, course.decide(Flows.of(many, 100, busy), from).setting());
    assertEquals(from, course.decide(Flows.of(many, 70, busy), from).setting());
    assertEquals(setting(10, 256), course.decide(Flows.of(many, 69, busy), from).setting());
  }

  @Test
  void thePublicFormHasThresholdsBelowThePrintedOnes() {
    TunerSetting from = setting(8, 256);
    FlowObservation.Busy busy = new FlowObservation.Busy(0, 0, 0, 6, 1);
    for (Waits waits : List.of(new Waits(14, 0, 1, 0), new Waits(0, 32 * GIB, 1, 0))) {
      assertEquals(from, slowAfterFast(from, waits, busy));
    }
    assertEquals(setting(10, 256), slowAfterFast(from, new Waits(15, 0, 1, 0), busy));
    assertEquals(setting(10, 128), slowAfterFast(from, new Waits(0, 32 * GIB + 1, 1, 0), busy));
  }

  private static TunerSetting slowAfterFast(
      TunerSetting from, Waits waits, FlowObservation.Busy busy) {
    Tuner.Course course = TunerText.parse("adoc-artifact").start(from, LIMITS);
    course.decide(Flows.of(Waits.NOTHING, 100, busy), from);
    return course.decide(Flows.of(waits, 10, busy), from).setting();
  }
}
