package dev.varve.benchmarks.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What a phase of a store took.
 *
 * @param operations how many were done; of a scan of everything: rows
 * @param userBytes bytes of the keys and values that they were about
 * @param seconds from the first to the end of the last
 * @param settledSeconds the same with the background work that they caused; equal where none is
 *     waited for
 * @param wrongAnswers operations whose result was not the one expected
 * @param latency how long single operations took
 * @param cost what the whole process took for it, background work included
 * @param samples second by second
 * @param found what reads found
 */
public record Measurement(
    long operations,
    long userBytes,
    double seconds,
    double settledSeconds,
    long wrongAnswers,
    Latency latency,
    Cost cost,
    List<Sample> samples,
    Found found) {
  /**
   * How long single operations took.
   *
   * @param timedEvery one in this many was timed: the clock itself takes about 25 ns
   * @param points percentiles, ascending
   */
  public record Latency(int timedEvery, List<Point> points) {
    private static final double[] PERCENTILES = {
      10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 99.999, 100
    };

    /** The percentiles of a histogram of nanoseconds. */
    public static Latency of(Histogram nanos, int timedEvery) {
      List<Point> points = new ArrayList<>();
      if (nanos.getTotalCount() > 0) {
        for (double percentile : PERCENTILES) {
          points.add(new Point(percentile, nanos.getValueAtPercentile(percentile) / 1e3));
        }
      }
      return new Latency(timedEvery, points);
    }

    /** Microseconds at a percentile that is one of the points; 0 when nothing was timed. */
    public double micros(double percentile) {
      return points.stream()
          .filter(point -> point.percentile == percentile)
          .mapToDouble(Point::micros)
          .findFirst()
          .orElse(0);
    }
  }

  /**
   * A percentile.
   *
   * @param percentile 100 for the longest
   * @param micros how long
   */
  public record Point(double percentile, double micros) {}

  /**
   * What the process took.
   *
   * @param cpuSeconds of all its threads: background work, garbage collection, compilation
   * @param allocatedBytes by the threads that did the operations, on the heap
   * @param writtenBytes to the device, or waiting for that in the page cache
   * @param cancelledBytes of these, what was deleted before it got there
   * @param readBytes from the device
   * @param diskBytes of all files of the store in the end
   * @param peakResidentBytes largest resident set of the process so far
   */
  public record Cost(
      double cpuSeconds,
      long allocatedBytes,
      long writtenBytes,
      long cancelledBytes,
      long readBytes,
      long diskBytes,
      long peakResidentBytes) {}

  /**
   * A second of a phase.
   *
   * @param seconds since its beginning
   * @param operationsPerSecond since the sample before
   * @param components of the store
   * @param diskBytes of all its files
   */
  public record Sample(
      double seconds, double operationsPerSecond, int components, long diskBytes) {}

  /**
   * What reads found.
   *
   * @param rows how many rows or results, of all operations; after overwriting, how many records
   *     there are
   * @param digest of the results of a fixed set of reads, the same for stores that agree; 0 where
   *     none was made
   * @param cacheMisses pages that were not in the store's cache; 0 where the store does not say
   */
  public record Found(long rows, long digest, long cacheMisses) {
    /** No reads. */
    public static final Found NOTHING = new Found(0, 0, 0);
  }

  /** Operations in a second. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double operationsPerSecond() {
    return operations / Math.max(1e-9, seconds);
  }

  /** Rows or results in a second. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double rowsPerSecond() {
    return found.rows / Math.max(1e-9, seconds);
  }

  /** Operations in a second, background work included. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double settledPerSecond() {
    return operations / Math.max(1e-9, settledSeconds);
  }

  /** CPU time for an operation, which is CPU seconds for a million. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double cpuMicrosPerOperation() {
    return cost.cpuSeconds * 1e6 / Math.max(1, operations);
  }

  /** Heap bytes for an operation. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double allocatedPerOperation() {
    return cost.allocatedBytes / (double) Math.max(1, operations);
  }

  /** Bytes written and not cancelled, for a byte of the user's. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double writeAmplification() {
    return (cost.writtenBytes - cost.cancelledBytes) / (double) Math.max(1, userBytes);
  }

  /** Bytes on disk for a byte of the records that were found. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double spaceAmplification() {
    double recordBytes = userBytes / (double) Math.max(1, operations);
    return cost.diskBytes / Math.max(1, recordBytes * found.rows);
  }

  /** Bytes read from the device for a byte of the user's. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public double readAmplification() {
    return cost.readBytes / (double) Math.max(1, userBytes);
  }

  /** Opening a store, as the recovery of operations. */
  public Measurement recovered(long recoveredOperations, long recoveredBytes, long wrong) {
    return new Measurement(
        recoveredOperations,
        recoveredBytes,
        seconds,
        settledSeconds,
        wrong,
        latency,
        cost,
        samples,
        found);
  }
}
