package dev.varve.transaction.log;

import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Where a log that was read ends, and what has to be known to go on behind it.
 *
 * @param segments the segments that were read, oldest first; none when the log does not exist yet
 * @param lsn LSN behind the last record that counts
 * @param provenLsn records below it were durable before the log was opened; those from here to
 *     {@code lsn} may be in the page cache only
 * @param seenLsn no LSN from here on was seen anywhere, in a dropped record neither
 * @param highestSegment no segment of a higher id was seen
 * @param unusedSegment segment to which a seal at the end leads and which was not taken into use; 0
 *     when there is no such seal
 * @param dropped what lay behind the end; null when nothing did
 */
public record LogEnd(
    List<SegmentSpan> segments,
    long lsn,
    long provenLsn,
    long seenLsn,
    long highestSegment,
    long unusedSegment,
    @Nullable DroppedTail dropped) {
  private static final Logger LOGGER = LogManager.getLogger(LogEnd.class);

  /** Copies the list. */
  public LogEnd {
    segments = List.copyOf(segments);
  }

  /**
   * The same log that ends before one of its records, since what that refers to is lost.
   *
   * @param newLsn of the record, which was never forced
   * @param file that it is in
   * @param offset byte position in it
   */
  public LogEnd before(long newLsn, String file, long offset) {
    assert newLsn >= provenLsn && newLsn < lsn : newLsn;
    List<SegmentSpan> kept = new ArrayList<>();
    for (SegmentSpan span : segments) {
      if (span.firstLsn() <= newLsn) {
        kept.add(new SegmentSpan(span.segment(), span.firstLsn(), Math.min(span.endLsn(), newLsn)));
      }
    }
    DroppedTail tail = new DroppedTail(file, offset, newLsn, seenLsn, newLsn, 1, null);
    LOGGER.warn("what a record refers to is lost that was never forced: {}", tail);
    return new LogEnd(kept, newLsn, provenLsn, seenLsn, highestSegment, 0, tail);
  }

  /** A log that does not exist yet. */
  public static LogEnd absent() {
    return new LogEnd(List.of(), 0, 0, 0, 0, 0, null);
  }
}
