package dev.varve.transaction.log;

/**
 * A place in the log from which it can be read, as a checkpoint stores it.
 *
 * @param segment id of the segment; 0 when no segment exists yet
 * @param firstLsn LSN of the segment's first record
 * @param boundaryLsn LSN in the segment at which a record starts, or will start
 * @param durableLsn records below it were durable when the position was taken
 */
public record LogPosition(long segment, long firstLsn, long boundaryLsn, long durableLsn) {
  /** The position in a log that has no segment yet. */
  public static final LogPosition NONE = new LogPosition(0, 0, 0, 0);

  /** Checks the order of the numbers. */
  public LogPosition {
    if (segment < 0 || firstLsn < 0 || boundaryLsn < firstLsn || durableLsn < boundaryLsn) {
      throw new IllegalArgumentException(
          "log position: segment "
              + segment
              + ", first "
              + firstLsn
              + ", boundary "
              + boundaryLsn
              + ", durable "
              + durableLsn);
    }
  }
}
