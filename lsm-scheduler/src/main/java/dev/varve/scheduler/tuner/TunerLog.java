package dev.varve.scheduler.tuner;

import java.util.ArrayList;
import java.util.List;

/**
 * What a tuner has decided. Immutable.
 *
 * @param tuner its name and parameters
 * @param seconds observed time
 * @param changes how many there were
 * @param held how many more it wanted and did not get, see {@link TunerRun}
 * @param recent the last of them, oldest first; a bounded number
 */
public record TunerLog(
    String tuner, double seconds, long changes, long held, List<TunerChange> recent) {
  /** How many changes {@link #recent} keeps. */
  public static final int RECENT = 256;

  /** Copies the list. */
  public TunerLog {
    recent = List.copyOf(recent);
  }

  /** A tuner that has decided nothing. */
  static TunerLog of(String tuner) {
    return new TunerLog(tuner, 0, 0, 0, List.of());
  }

  TunerLog at(double now) {
    return new TunerLog(tuner, now, changes, held, recent);
  }

  TunerLog changed(TunerChange change) {
    List<TunerChange> all = new ArrayList<>(recent);
    all.add(change);
    return new TunerLog(
        tuner,
        seconds,
        changes + 1,
        held,
        all.subList(Math.max(0, all.size() - RECENT), all.size()));
  }

  TunerLog heldBack() {
    return new TunerLog(tuner, seconds, changes, held + 1, recent);
  }

  /** How many changes there were in the last seconds. */
  public int changesWithin(double lastSeconds) {
    return (int) recent.stream().filter(each -> each.seconds() > seconds - lastSeconds).count();
  }
}
