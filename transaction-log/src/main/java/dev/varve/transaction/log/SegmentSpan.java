package dev.varve.transaction.log;

import java.util.List;

/**
 * The part of the stream that one segment holds.
 *
 * @param segment id of the segment
 * @param firstLsn LSN of its first record
 * @param endLsn LSN behind its last record
 */
public record SegmentSpan(long segment, long firstLsn, long endLsn) {
  /** The one of a log's, oldest first, in which an LSN is. */
  static SegmentSpan of(List<SegmentSpan> spans, long lsn) {
    for (int i = spans.size() - 1; i >= 0; i--) {
      if (spans.get(i).firstLsn() <= lsn) {
        return spans.get(i);
      }
    }
    throw new IllegalArgumentException("LSN " + lsn + " was released");
  }
}
