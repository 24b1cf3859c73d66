package dev.varve.hyracks.feed;

import dev.varve.common.error.LimitException;
import java.util.ArrayList;
import java.util.List;

/**
 * Records that a feed left out for one reason.
 *
 * @param reason why
 * @param count how many, exactly
 * @param samples what was said of the first of them, at most {@link PartitionCounters#MAX_SAMPLES}
 */
public record RefusalReport(RefusalReason reason, long count, List<String> samples) {
  /** Copies the list. */
  public RefusalReport {
    samples = List.copyOf(samples);
  }

  /**
   * What a feed fails with that has left out more records than it may: how many, and of each reason
   * what was said of its first record.
   *
   * @param reports one for each reason
   * @param most how many records may be left out
   * @param advice what is in the dataset, and where the records are that were left out
   */
  public static LimitException overLimit(List<RefusalReport> reports, long most, String advice) {
    long found = reports.stream().mapToLong(RefusalReport::count).sum();
    assert found > most : found + " refused records are not over " + most;
    List<String> firsts = new ArrayList<>();
    for (RefusalReport report : reports) {
      firsts.add(
          report.count
              + " "
              + report.reason
              + report.samples.stream().findFirst().map(first -> " (" + first + ")").orElse(""));
    }
    return new LimitException(
        "refused records", found, most, String.join(", ", firsts) + "; " + advice);
  }
}
