package dev.varve.benchmarks.kv;

import org.jspecify.annotations.Nullable;

/**
 * What a child says: any number of times how far it is, and then what came of a request.
 *
 * @param progress share that is done, of 1; above that it waits for background work
 * @param measurement what came of opening or running
 * @param problem why nothing came of it
 * @param last whether the request is done with
 */
public record Answer(
    double progress, @Nullable Measurement measurement, @Nullable String problem, boolean last) {
  /** How far it is, of 1. */
  public static Answer progress(double share) {
    return new Answer(share, null, null, false);
  }

  /** A request is done with. */
  public static Answer done(@Nullable Measurement measurement) {
    return new Answer(1, measurement, null, true);
  }

  /** Nothing came of a request. */
  public static Answer failed(String problem) {
    return new Answer(1, null, problem, true);
  }
}
