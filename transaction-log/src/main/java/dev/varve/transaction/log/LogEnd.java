package dev.varve.transaction.log;

import java.util.List;
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
  /** Copies the list. */
  public LogEnd {
    segments = List.copyOf(segments);
  }

  /** A log that does not exist yet. */
  public static LogEnd absent() {
    return new LogEnd(List.of(), 0, 0, 0, 0, 0, null);
  }
}
