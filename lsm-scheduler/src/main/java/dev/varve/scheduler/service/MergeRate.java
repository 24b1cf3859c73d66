package dev.varve.scheduler.service;

import dev.varve.scheduler.admission.Pace;
import dev.varve.scheduler.tuner.TunerSetting.Io;

/**
 * The rate of merges other than those of level 0, and how far they are ahead of it. Immutable;
 * pure.
 *
 * @param bytesPerSecond what they may move, read and write; {@link Io#UNLIMITED} for all
 * @param pace what they have moved
 */
record MergeRate(long bytesPerSecond, Pace pace) {
  /** No rate to keep to. */
  static final MergeRate UNLIMITED = new MergeRate(Io.UNLIMITED, Pace.begin(0));

  /** Another rate from now on; what was moved is paid off at it. */
  MergeRate at(long otherBytesPerSecond, long nowNanos) {
    if (otherBytesPerSecond == bytesPerSecond) {
      return this;
    }
    return new MergeRate(
        otherBytesPerSecond,
        bytesPerSecond == Io.UNLIMITED ? Pace.begin(nowNanos) : pace.at(bytesPerSecond, nowNanos));
  }

  /** A batch has ended. */
  MergeRate moved(long bytes, long nowNanos) {
    return bytesPerSecond == Io.UNLIMITED
        ? this
        : new MergeRate(bytesPerSecond, pace.at(bytesPerSecond, nowNanos).written(bytes));
  }

  /** How long the next batch has to wait. */
  long waitNanos(long nowNanos) {
    return bytesPerSecond == Io.UNLIMITED
        ? 0
        : pace.at(bytesPerSecond, nowNanos).waitNanos(bytesPerSecond);
  }
}
