package dev.varve.scheduler.tuner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.scheduler.tuner.Flows.Waits;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bounds, the log, and how often a setting may change. */
final class TunerRunTest {
  private static final long MIB = 1L << 20;
  private static final TunerLimits LIMITS = TunerLimits.paper(1_000_000_000);
  private static final TunerSetting DEFAULT = TunerSetting.of(2, 64 * MIB, TunerSetting.Io.OPEN);
  private static final Waits LEVEL_ZERO = new Waits(21, 0, 1, 0);
  private static final Waits MEMORY = new Waits(0, 0, 1, 1);

  private static TunerRun adoc() {
    return TunerRun.start(TunerText.parse("adoc-paper"), DEFAULT, LIMITS);
  }

  @Test
  void whileAKnobGoesOneWayItGoesAsFastAsTheTunerSays() {
    TunerRun run = adoc();
    for (int i = 0; i < 9; i++) {
      assertTrue(run.observe(Flows.of(LEVEL_ZERO)).isPresent());
    }
    assertEquals(20, run.setting().threads());
    assertTrue(run.observe(Flows.of(LEVEL_ZERO)).isEmpty());
    assertEquals(9, run.log().changes());
  }

  @Test
  void inASteadyStateThereAreAtMostTwoChangesInTenSeconds() {
    TunerRun run = adoc();
    for (int i = 0; i < 300; i++) {
      run.observe(Flows.of(i % 2 == 0 ? LEVEL_ZERO : MEMORY));
    }
    List<TunerChange> changes = run.log().recent();
    assertTrue(changes.size() > 20, () -> "no more than " + changes.size());
    for (int i = 2; i < changes.size(); i++) {
      double within = changes.get(i).seconds() - changes.get(i - 2).seconds();
      assertTrue(within >= 10, () -> "three changes within " + within + " s: " + changes);
    }
    assertTrue(run.log().held() > 0);
  }

  @Test
  void aChangeSaysWhatHeldWhatHoldsWhenAndWhy() {
    TunerRun run = adoc();
    run.observe(Flows.of(Waits.NOTHING));
    TunerChange change = run.observe(Flows.of(LEVEL_ZERO)).orElseThrow();
    assertEquals(2, change.seconds());
    assertEquals(DEFAULT, change.before());
    assertEquals(DEFAULT.withThreads(4), change.after());
    assertTrue(change.reason().contains("level 0"), change.reason());
    assertEquals(List.of(change), run.log().recent());
    assertEquals("adoc-paper", run.log().tuner());
  }

  @Test
  void whatATunerWantsBeyondTheLimitsItDoesNotGet() {
    TunerLimits narrow = new TunerLimits(6, 64 * MIB, 128 * MIB, 1_000_000_000, 20, 64L << 30);
    TunerRun run = TunerRun.start(TunerText.parse("adoc-paper"), DEFAULT, narrow);
    for (int i = 0; i < 20; i++) {
      run.observe(Flows.of(LEVEL_ZERO));
    }
    assertEquals(6, run.setting().threads());
    for (int i = 0; i < 60; i++) {
      run.observe(Flows.of(MEMORY));
    }
    assertEquals(128 * MIB, run.setting().memoryBytes());
    assertEquals(2, run.setting().threads());
  }

  @Test
  void equalWindowsGiveEqualLogs() {
    TunerRun one = adoc();
    TunerRun other = adoc();
    for (int i = 0; i < 100; i++) {
      Waits waits = i % 7 < 3 ? LEVEL_ZERO : MEMORY;
      one.observe(Flows.of(waits));
      other.observe(Flows.of(waits));
    }
    assertEquals(one.log(), other.log());
  }
}
