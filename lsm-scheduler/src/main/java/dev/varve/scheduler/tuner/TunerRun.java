package dev.varve.scheduler.tuner;

import java.util.Optional;

/**
 * A tuner at work: keeps what is in force, keeps it within its limits, and keeps the log. In a
 * steady state it lets at most two changes through within ten seconds. Steady is a state in which a
 * knob was turned and turned back within half a minute: the tuner has passed what it looks for.
 * While every knob goes one way, as after a change of the load, it goes as fast as the tuner says.
 * Confined to the thread that observes.
 */
public final class TunerRun {
  /** How many changes go through in a steady state. */
  static final int STEADY_CHANGES = 2;

  /** Within how long. */
  static final double STEADY_SECONDS = 10;

  /** How long after a knob was turned back the state counts as steady. */
  static final double SETTLING_SECONDS = 30;

  private final Tuner.Course course;
  private final TunerLimits limits;
  private TunerSetting setting;
  private TunerLog log;
  private int threadsWent;
  private int memoryWent;
  private double turnedBackAt = Double.NEGATIVE_INFINITY;

  private TunerRun(Tuner tuner, TunerSetting configured, TunerLimits limits) {
    this.limits = limits;
    this.course = tuner.start(configured, limits);
    this.setting = course.initial();
    this.log = TunerLog.of(tuner.describe());
  }

  /** Begins to tune a node; {@link #setting} says what holds before the first window. */
  public static TunerRun start(Tuner tuner, TunerSetting configured, TunerLimits limits) {
    return new TunerRun(tuner, configured, limits);
  }

  /** What is in force. */
  public TunerSetting setting() {
    return setting;
  }

  /** What has been decided up to now. */
  public TunerLog log() {
    return log;
  }

  /** A window has ended; says what changes, to be obeyed before the next one. */
  public Optional<TunerChange> observe(FlowObservation window) {
    log = log.at(log.seconds() + window.seconds());
    TunerDecision decision = course.decide(window, setting);
    if (decision.setting().equals(setting)) {
      return Optional.empty();
    }
    TunerSetting wanted = limits.bounded(decision.setting());
    if (wanted.equals(setting)) {
      return Optional.empty();
    }
    int threads = Integer.compare(wanted.threads(), setting.threads());
    int memory = Long.compare(wanted.memoryBytes(), setting.memoryBytes());
    boolean turnsBack = threads * threadsWent < 0 || memory * memoryWent < 0;
    boolean steady = turnsBack || log.seconds() - turnedBackAt < SETTLING_SECONDS;
    if (steady && log.changesWithin(STEADY_SECONDS) >= STEADY_CHANGES) {
      log = log.heldBack();
      return Optional.empty();
    }
    turnedBackAt = turnsBack ? log.seconds() : turnedBackAt;
    threadsWent = threads == 0 ? threadsWent : threads;
    memoryWent = memory == 0 ? memoryWent : memory;
    TunerChange change = new TunerChange(log.seconds(), setting, wanted, decision.reason());
    setting = wanted;
    log = log.changed(change);
    return Optional.of(change);
  }
}
