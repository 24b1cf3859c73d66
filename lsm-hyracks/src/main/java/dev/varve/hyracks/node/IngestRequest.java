package dev.varve.hyracks.node;

import dev.varve.hyracks.feed.RecordSource;
import dev.varve.hyracks.operator.WriteMode;

/**
 * The work of a feed.
 *
 * @param dataset the dataset, which exists
 * @param source where the records come from
 * @param mode what is done with each
 * @param feeds how many partitions the source is read in at a time
 */
public record IngestRequest(String dataset, RecordSource source, WriteMode mode, int feeds) {
  /** Checks the number of feeds. */
  public IngestRequest {
    if (feeds < 1 || feeds > 64) {
      throw new IllegalArgumentException("feeds " + feeds + " is not between 1 and 64");
    }
  }
}
