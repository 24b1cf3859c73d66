package dev.varve.scheduler.tuner;

import dev.varve.scheduler.tuner.TunerSetting.Io;

/**
 * RocksDB's auto-tuned rate limiter: every hundred refills of a tenth of a second, the rate of
 * flushes and merges together rises by a twentieth when the limiter was drained in more than nine
 * tenths of them, falls by as much when in less than half, and is a twentieth of the most when in
 * none. It begins with half of the most, which is what the device does. Immutable.
 */
record AutoTunedLimiter() implements Tuner {
  private static final double TUNING_SECONDS = 10;
  private static final double HIGH = 0.9;
  private static final double LOW = 0.5;
  private static final double FACTOR = 1.05;
  private static final int ALLOWED_RANGE = 20;

  @Override
  public Course start(TunerSetting configured, TunerLimits limits) {
    return new Limiter(configured, limits.deviceBytesPerSecond());
  }

  @Override
  public boolean needsRate() {
    return true;
  }

  @Override
  public String describe() {
    return "auto-tuned";
  }

  /** One node being tuned. */
  private static final class Limiter implements Course {
    private final TunerSetting initial;
    private final double most;
    private double rate;
    private double seconds;
    private double drained;

    Limiter(TunerSetting configured, long most) {
      this.most = most;
      this.rate = most / 2.0;
      this.initial = at(configured, rate);
    }

    private static TunerSetting at(TunerSetting setting, double rate) {
      return setting.withIo(
          new Io(
              Math.max(1, Math.round(rate)),
              setting.io().mergeBytesPerSecond(),
              setting.io().order()));
    }

    @Override
    public TunerSetting initial() {
      return initial;
    }

    @Override
    public TunerDecision decide(FlowObservation window, TunerSetting inForce) {
      seconds += window.seconds();
      drained += window.seconds() * window.busy().limiterDrained();
      if (seconds < TUNING_SECONDS) {
        return TunerDecision.stay(inForce);
      }
      double part = drained / seconds;
      seconds = 0;
      drained = 0;
      if (part == 0) {
        rate = most / ALLOWED_RANGE;
      } else if (part < LOW) {
        rate = Math.max(most / ALLOWED_RANGE, rate / FACTOR);
      } else if (part > HIGH) {
        rate = Math.min(most, rate * FACTOR);
      }
      return new TunerDecision(
          at(inForce, rate),
          "the limiter was drained for %.0f %% of the time".formatted(100 * part));
    }
  }
}
