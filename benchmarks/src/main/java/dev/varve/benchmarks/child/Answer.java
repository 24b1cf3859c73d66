package dev.varve.benchmarks.child;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * What a child says: any number of times how far it is, and then what came of a request.
 *
 * @param progress share that is done, of 1; above that it waits for background work
 * @param result what came of it; null where there is nothing to say
 * @param problem why nothing came of it
 * @param last whether the request is done with
 */
record Answer(double progress, @Nullable JsonNode result, @Nullable String problem, boolean last) {
  /** How far it is, of 1. */
  static Answer progress(double share) {
    return new Answer(share, null, null, false);
  }

  /** A request is done with. */
  static Answer done(@Nullable Object result) {
    return new Answer(1, result == null ? null : Wire.tree(result), null, true);
  }

  /** Nothing came of a request. */
  static Answer failed(String problem) {
    return new Answer(1, null, problem, true);
  }
}
