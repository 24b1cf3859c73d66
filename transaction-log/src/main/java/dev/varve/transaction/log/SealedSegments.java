package dev.varve.transaction.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The segments before the active one that recovery would still read, oldest first. The log's append
 * lock guards it.
 */
final class SealedSegments {
  private final ArrayDeque<SegmentSpan> spans = new ArrayDeque<>();

  SealedSegments(List<SegmentSpan> oldestFirst) {
    spans.addAll(oldestFirst);
  }

  void add(SegmentSpan span) {
    spans.add(span);
  }

  int size() {
    return spans.size();
  }

  /** First LSN of the oldest; a default when there is none. */
  long firstLsn(long ifNone) {
    return spans.isEmpty() ? ifNone : spans.getFirst().firstLsn();
  }

  /**
   * Takes out those of which no record lies at a mark or above it.
   *
   * @param activeFirstLsn of the segment behind the last of them
   */
  List<SegmentSpan> removeBelow(long lowWaterMark, long activeFirstLsn) {
    List<SegmentSpan> removed = new ArrayList<>();
    while (!spans.isEmpty()) {
      SegmentSpan oldest = spans.removeFirst();
      if (firstLsn(activeFirstLsn) > lowWaterMark) {
        spans.addFirst(oldest);
        break;
      }
      removed.add(oldest);
    }
    return removed;
  }

  /** All of them, and the active one. */
  List<SegmentSpan> with(SegmentSpan active) {
    List<SegmentSpan> all = new ArrayList<>(spans);
    all.add(active);
    return all;
  }
}
