package dev.varve.hyracks.feed;

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
}
