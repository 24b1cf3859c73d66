package dev.varve.simulator.calibration;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.MergeDecision;
import dev.varve.simulator.Arrivals;
import dev.varve.simulator.SimulationOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * A run of a real engine: one index, loaded and at rest in the beginning, whose keys are updated at
 * random. Immutable.
 *
 * @param setting what was run
 * @param recordsPerSecond how fast records went in while nothing held writers back
 * @param moments every shape of the index in order, the first at the beginning
 * @param writes records taken in each window
 */
public record Recording(
    Setting setting, double recordsPerSecond, List<Moment> moments, List<Long> writes) {
  /**
   * What was run.
   *
   * @param policy as {@code PolicyText} reads it
   * @param scheduler as {@code SchedulerText} reads it
   * @param arrivals when writes arrived
   * @param keys how many there are, all loaded, each as likely to be updated as any other
   * @param budgetBytesPerSecond for flushes and merges together
   * @param time how long, and in which windows
   */
  public record Setting(
      String policy,
      String scheduler,
      Arrivals arrivals,
      long keys,
      long budgetBytesPerSecond,
      SimulationOptions.Time time) {}

  /**
   * A flush became visible.
   *
   * @param seconds when
   * @param component what it made
   */
  record Flush(double seconds, ComponentStats component) {}

  /** Copies the lists, and checks that there is a beginning at rest. */
  public Recording {
    moments = List.copyOf(moments);
    writes = List.copyOf(writes);
    if (moments.isEmpty() || !moments.get(0).shape().merging().isEmpty()) {
      throw new IllegalArgumentException("a recording begins with an index that does not merge");
    }
    int windows = (int) Math.ceil(setting.time.seconds() / setting.time.windowSeconds());
    if (writes.size() != windows) {
      throw new IllegalArgumentException(writes.size() + " windows, not " + windows);
    }
  }

  /** Disk components in the beginning, oldest first. */
  List<ComponentStats> beginning() {
    return moments.get(0).shape().components();
  }

  /** Records taken per second, without the warm-up. */
  public double throughput() {
    int first = (int) Math.round(setting.time.warmUpSeconds() / setting.time.windowSeconds());
    double measured = writes.stream().skip(first).mapToLong(Long::longValue).sum();
    return measured / (setting.time.seconds() - first * setting.time.windowSeconds());
  }

  /** The mean number of disk components in each window. */
  public List<Double> components() {
    double length = setting.time.windowSeconds();
    double[] sums = new double[writes.size()];
    for (int i = 0; i < moments.size(); i++) {
      double from = moments.get(i).seconds();
      double to = i + 1 < moments.size() ? moments.get(i + 1).seconds() : setting.time.seconds();
      int count = moments.get(i).shape().components().size();
      for (int window = (int) (from / length); window < sums.length; window++) {
        double begin = Math.max(from, window * length);
        double end = Math.min(to, Math.min(setting.time.seconds(), (window + 1) * length));
        if (end <= begin) {
          break;
        }
        sums[window] += count * (end - begin);
      }
    }
    List<Double> means = new ArrayList<>();
    for (int window = 0; window < sums.length; window++) {
      double end = Math.min(setting.time.seconds(), (window + 1) * length);
      means.add(sums[window] / (end - window * length));
    }
    return means;
  }

  /** Flushes of the run, in order. */
  List<Flush> flushes() {
    List<Flush> flushes = new ArrayList<>();
    long newest = newest(moments.get(0));
    for (Moment moment : moments) {
      for (ComponentStats component : moment.shape().components()) {
        if (component.id().first() > newest) {
          flushes.add(new Flush(moment.seconds(), component));
          newest = component.id().last();
        }
      }
    }
    return flushes;
  }

  /** The inputs of every merge of the run, in the order of the decisions. */
  List<List<ComponentId>> merges() {
    return merges(moments);
  }

  static List<List<ComponentId>> merges(List<Moment> moments) {
    List<List<ComponentId>> merges = new ArrayList<>();
    for (Moment moment : moments) {
      if (moment.decision() instanceof MergeDecision.Merge merge) {
        merges.add(merge.inputs());
      }
    }
    return merges;
  }

  private static long newest(Moment moment) {
    List<ComponentStats> components = moment.shape().components();
    return components.isEmpty() ? 0 : components.get(components.size() - 1).id().last();
  }
}
