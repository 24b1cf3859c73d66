package dev.varve.scheduler.tuner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.scheduler.tuner.Flows.Waits;
import dev.varve.scheduler.tuner.TunerSetting.Io;
import dev.varve.scheduler.tuner.TunerSetting.MergeOrder;
import org.junit.jupiter.api.Test;

/** What ADOC is compared with: static settings, RocksDB's limiter, SILK; and how they are named. */
final class RivalTunersTest {
  private static final long MIB = 1L << 20;
  private static final long DEVICE = 1_000_000;
  private static final TunerLimits LIMITS = TunerLimits.paper(DEVICE);
  private static final TunerSetting DEFAULT = TunerSetting.of(2, 64 * MIB, Io.OPEN);

  private static FlowObservation drained(double part) {
    return Flows.of(Waits.NOTHING, 100, new FlowObservation.Busy(1, part, 0, 1, 1));
  }

  /** The rate after so many seconds. */
  private static long rate(double drained, int seconds) {
    Tuner.Course course = TunerText.parse("auto-tuned").start(DEFAULT, LIMITS);
    TunerSetting setting = course.initial();
    for (int i = 0; i < seconds; i++) {
      setting = course.decide(drained(drained), setting).setting();
    }
    return setting.io().bytesPerSecond();
  }

  @Test
  void theLimiterBeginsWithHalfOfTheDevice() {
    assertEquals(DEVICE / 2, rate(1, 0));
  }

  @Test
  void everyTenSecondsTheLimiterRisesByATwentiethWhenDrainedAboveNineTenths() {
    assertEquals(DEVICE / 2, rate(0.91, 9));
    assertEquals(525_000, rate(0.91, 10));
    assertEquals(500_000, rate(0.89, 10));
    assertEquals(DEVICE, rate(1, 1000));
  }

  @Test
  void theLimiterFallsByATwentiethWhenDrainedBelowHalfAndToTheFloorWhenNever() {
    assertEquals(500_000, rate(0.5, 10));
    assertEquals(Math.round(500_000 / 1.05), rate(0.49, 10));
    assertEquals(DEVICE / 20, rate(0, 10));
    assertEquals(DEVICE / 20, rate(0.1, 2000));
  }

  @Test
  void silkGivesMergesAQuarterWhileClientsAreBusyAndAllWhileTheyRest() {
    Tuner.Course course = TunerText.parse("silk-o").start(DEFAULT, LIMITS);
    TunerSetting setting = course.initial();
    assertEquals(DEVICE / 4, setting.io().mergeBytesPerSecond());
    assertEquals(MergeOrder.LEVEL_ZERO_FIRST, setting.io().order());
    FlowObservation.Busy busy = new FlowObservation.Busy(0, 0, 0, 0, 0);
    TunerSetting atRest = course.decide(Flows.of(Waits.NOTHING, 1000, busy), setting).setting();
    assertEquals(Io.UNLIMITED, atRest.io().mergeBytesPerSecond());
    TunerSetting again = course.decide(Flows.of(Waits.NOTHING, 1001, busy), atRest).setting();
    assertEquals(setting, again);
  }

  @Test
  void clientsThatAreHeldBackAreBusyToSilk() {
    Tuner.Course course = TunerText.parse("silk-o").start(DEFAULT, LIMITS);
    FlowObservation rest = Flows.of(Waits.NOTHING, 0, new FlowObservation.Busy(0, 0, 0, 0, 0));
    FlowObservation stopped =
        new FlowObservation(
            rest.seconds(),
            rest.indexes(),
            rest.memory(),
            rest.rates(),
            rest.busy(),
            new FlowObservation.Stalls(0, 0, 1));
    TunerSetting setting = course.decide(stopped, course.initial()).setting();
    assertEquals(DEVICE / 4, setting.io().mergeBytesPerSecond());
  }

  @Test
  void silkHasThePapersThreeSettings() {
    assertEquals(
        TunerSetting.of(2, 64 * MIB, silkIo()),
        TunerText.parse("silk-d").start(DEFAULT, LIMITS).initial());
    assertEquals(
        TunerSetting.of(4, 128 * MIB, silkIo()),
        TunerText.parse("silk-p").start(DEFAULT, LIMITS).initial());
    assertEquals(
        TunerSetting.of(8, 512 * MIB, silkIo()),
        TunerText.parse("silk-o").start(DEFAULT, LIMITS).initial());
  }

  private static Io silkIo() {
    return new Io(Io.UNLIMITED, DEVICE / 4, MergeOrder.LEVEL_ZERO_FIRST);
  }

  @Test
  void silkDoesNotSlowWritersDownForLevelZero() {
    WriteLimits limits = TunerText.parse("silk-p").writeLimits(WriteLimits.ADOC);
    assertEquals(Integer.MAX_VALUE, limits.level0Slow());
    assertEquals(WriteLimits.ADOC.pendingSlowBytes(), limits.pendingSlowBytes());
    assertEquals(WriteLimits.ADOC, TunerText.parse("adoc-paper").writeLimits(WriteLimits.ADOC));
  }

  @Test
  void aStaticSettingStays() {
    TunerSetting configured = TunerSetting.of(6, 100 * MIB, Io.OPEN);
    Tuner.Course fixed = TunerText.parse("fixed").start(configured, LIMITS);
    assertEquals(configured, fixed.initial());
    Tuner.Course said = TunerText.parse("static(8, 512m)").start(configured, LIMITS);
    TunerSetting setting = TunerSetting.of(8, 512 * MIB, Io.OPEN);
    assertEquals(setting, said.initial());
    assertEquals(setting, said.decide(Flows.of(new Waits(99, 1L << 40, 0, 9)), setting).setting());
  }

  @Test
  void whatATunerIsCalledIsReadBack() {
    for (String form : TunerText.FORMS) {
      Tuner tuner = TunerText.parse(form.startsWith("static") ? "static(4, 128m)" : form);
      assertEquals(tuner, TunerText.parse(tuner.describe()));
    }
  }

  @Test
  void whatIsNoTunerIsRefused() {
    for (String wrong : new String[] {"adoc-x", "static(8)", "static(0, 64m)", "fixed(1)"}) {
      assertThrows(IllegalArgumentException.class, () -> TunerText.parse(wrong), wrong);
    }
  }
}
