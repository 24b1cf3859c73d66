package dev.varve.benchmarks.sustainable;

import dev.varve.benchmarks.measure.Measurement;
import java.util.List;

/**
 * What came of a phase.
 *
 * @param request what was run
 * @param recordsPerSecond taken, without the warm-up
 * @param taken records taken, all together
 * @param queued records that had arrived in the end and still waited
 * @param writeLatency from the arrival of a write on, its time in the queue included
 * @param processingLatency from when the writer took it on
 * @param stalls waits at the write gate
 * @param components disk components
 * @param windows the course of it
 */
public record PhaseOutcome(
    PhaseRequest request,
    double recordsPerSecond,
    long taken,
    long queued,
    Measurement.Latency writeLatency,
    Measurement.Latency processingLatency,
    Stalls stalls,
    Components components,
    List<Window> windows) {
  /** Copies the list. */
  public PhaseOutcome {
    windows = List.copyOf(windows);
  }

  /**
   * Waits at the write gate.
   *
   * @param count how many
   * @param seconds all together
   * @param longestSeconds the longest
   * @param forcedSeconds of them, those during which the disk made a flush durable
   * @param causes one line for each
   */
  public record Stalls(
      long count, double seconds, double longestSeconds, double forcedSeconds, List<Cause> causes) {
    /** Copies the list. */
    public Stalls {
      causes = List.copyOf(causes);
    }
  }

  /**
   * Waits for one cause.
   *
   * @param cause what was waited for
   * @param count how often
   * @param seconds all together
   */
  public record Cause(String cause, long count, double seconds) {}

  /**
   * Disk components.
   *
   * @param mean over time
   * @param most in any window, on average over it
   * @param limit where writers wait
   */
  public record Components(double mean, double most, int limit) {}

  /**
   * A short time of the course.
   *
   * @param endSeconds when it ends
   * @param recordsPerSecond taken
   * @param components mean number of disk components
   */
  public record Window(double endSeconds, double recordsPerSecond, double components) {}

  /**
   * The part of the time that writers were held back by what a scheduler decides: not by a force of
   * a flush, which lasts as long under any.
   */
  double stalledPart() {
    return (stalls.seconds - stalls.forcedSeconds) / request.time().seconds();
  }

  /** Milliseconds at a percentile of the write latency. */
  double writeMillis(double percentile) {
    return writeLatency.micros(percentile) / 1e3;
  }
}
