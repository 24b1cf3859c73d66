package dev.varve.simulator;

import dev.varve.common.maintenance.MergeProgress;

/** A merge that waits, runs or pauses. Confined to the simulation. */
final class MergeRun {
  private final long number;
  private final MergeWork work;
  private final Arrival arrival;
  private double writtenBytes;
  private double rate;

  /**
   * When a merge arrived.
   *
   * @param tree which tree's
   * @param seconds in time
   * @param allWrittenBytes in bytes that all merges in the scheduler's scope had written
   */
  record Arrival(int tree, double seconds, double allWrittenBytes) {}

  /** A merge that has written nothing yet. */
  MergeRun(long number, MergeWork work, Arrival arrival) {
    this.number = number;
    this.work = work;
    this.arrival = arrival;
    assert work.outputBytes() > 0;
  }

  long number() {
    return number;
  }

  MergeWork work() {
    return work;
  }

  int fanIn() {
    return work.fanIn();
  }

  long outputBytes() {
    return work.outputBytes();
  }

  double writtenBytes() {
    return writtenBytes;
  }

  Arrival arrival() {
    return arrival;
  }

  /** What the scheduler gives it from now on, in bytes per second. */
  void runAt(double bytesPerSecond) {
    rate = bytesPerSecond;
  }

  double rate() {
    return rate;
  }

  /** When it ends at this rate, from now. */
  double secondsLeft() {
    return rate > 0 ? (outputBytes() - writtenBytes) / rate : Double.POSITIVE_INFINITY;
  }

  void advance(double seconds) {
    writtenBytes = Math.min((double) outputBytes(), writtenBytes + rate * seconds);
  }

  boolean done() {
    return outputBytes() - writtenBytes <= MergeWork.NO_BYTES;
  }

  /** Puts the output in the place of the inputs. */
  void publish() {
    assert done() : "merge " + number;
    work.publish();
  }

  /**
   * As the scheduler sees it: inputs are read as evenly as the output is written.
   *
   * @param allWritten bytes that all merges have written up to now
   */
  MergeProgress progress(double allWritten) {
    long left =
        Math.round((double) work.inputBytes() * (1 - writtenBytes / (double) outputBytes()));
    return new MergeProgress(
        number,
        work.inputBytes(),
        left,
        Math.round(writtenBytes),
        Math.round(allWritten - arrival.allWrittenBytes),
        1);
  }

  String describe() {
    return work.describe();
  }
}
