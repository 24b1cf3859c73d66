package dev.varve.hyracks.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Goal: counts are exact, samples are bounded, and only a record's own faults are refusals. */
final class PartitionCountersTest {
  @Test
  void countsExactlyAndKeepsTheFirstSamples() {
    FeedBoard board = new FeedBoard();
    PartitionCounters counters = board.counters(1, 3);
    counters.acknowledge(10, 42);
    counters.acknowledge(5, 41);
    for (int i = 0; i < 100; i++) {
      counters.refuse(RefusalReason.DUPLICATE_KEY, "key " + i);
    }
    counters.refuse(RefusalReason.OVER_LIMIT, "long");
    PartitionProgress progress = board.progress(1).get(0);
    assertEquals(3, progress.partition());
    assertEquals(15, progress.stored());
    assertEquals(101, progress.refused());
    assertEquals(42, progress.highestKey());
    assertEquals(
        List.of(
            new RefusalReport(
                RefusalReason.DUPLICATE_KEY,
                100,
                List.of("key 0", "key 1", "key 2", "key 3", "key 4", "key 5", "key 6", "key 7")),
            new RefusalReport(RefusalReason.OVER_LIMIT, 1, List.of("long"))),
        progress.refusals());
    board.remove(1);
    assertEquals(List.of(), board.progress(1));
  }

  @Test
  void tellsARecordsFaultFromAnyOtherFailure() {
    assertEquals(
        Optional.of(RefusalReason.DUPLICATE_KEY),
        RefusalReason.of(new ConflictException(ConflictException.Reason.DUPLICATE_KEY, "")));
    assertEquals(
        Optional.of(RefusalReason.MALFORMED_RECORD),
        RefusalReason.of(new RequestException(RequestException.Reason.MALFORMED_RECORD, "")));
    assertEquals(
        Optional.of(RefusalReason.OVER_LIMIT), RefusalReason.of(new LimitException("", 2, 1)));
    assertEquals(
        Optional.empty(),
        RefusalReason.of(new ConflictException(ConflictException.Reason.STALLED, "")));
    assertEquals(
        Optional.empty(),
        RefusalReason.of(new RequestException(RequestException.Reason.UNKNOWN_DATASET, "")));
    assertEquals(Optional.empty(), RefusalReason.of(new DiskException("/x", "write", null)));
  }

  @Test
  void tooManyRefusalsAreNamedWithTheFirstOfEachReason() {
    List<RefusalReport> reports =
        List.of(
            new RefusalReport(RefusalReason.DUPLICATE_KEY, 7, List.of("key 1", "key 2")),
            new RefusalReport(RefusalReason.OVER_LIMIT, 2, List.of()));
    assertEquals(
        "refused records: 9, at most 8; 7 DUPLICATE_KEY (key 1), 2 OVER_LIMIT; look there",
        RefusalReport.overLimit(reports, 8, "look there").getMessage());
    assertThrows(AssertionError.class, () -> RefusalReport.overLimit(reports, 9, "within"));
  }
}
