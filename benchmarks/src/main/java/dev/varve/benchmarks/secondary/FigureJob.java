package dev.varve.benchmarks.secondary;

import dev.varve.benchmarks.secondary.SecondaryFigure.Cell;
import java.nio.file.Path;

/**
 * A phase that a child is asked for.
 *
 * @param cell the phase
 * @param arrivalsPerSecond writes that arrive; 0 in a testing phase
 * @param scale of the node
 * @param directory where its files are; empty
 */
public record FigureJob(Cell cell, double arrivalsPerSecond, Scale scale, Path directory) {
  /**
   * How small a node is.
   *
   * @param records that are loaded, and then updated at random
   * @param recordBytes of one, as JSON
   * @param budgetBytesPerSecond what flushes and merges may write
   * @param readNanos what a read of a writer or a query takes longer than one from the system's
   *     cache
   * @param seconds of a phase
   */
  public record Scale(
      int records, int recordBytes, long budgetBytesPerSecond, long readNanos, double seconds) {
    /** Reports all problems at once. */
    public Scale {
      if (records < 1_000 || recordBytes < 128 || recordBytes > 4_000) {
        throw new IllegalArgumentException(
            "1,000 records at least, of 128 to 4,000 bytes, are wanted");
      }
      if (budgetBytesPerSecond < 1 << 16 || readNanos < 0 || !(seconds >= 1 && seconds <= 7_200)) {
        throw new IllegalArgumentException(
            "a budget of 64 KiB/s at least and 1 to 7,200 seconds are wanted");
      }
    }
  }
}
