package dev.varve.dataset.options;

import dev.varve.dataset.model.ClusterPlace;

/**
 * As what an engine is opened, and what it may do then.
 *
 * @param mustExist whether a directory without a store is refused, with {@code NO_STORE}, instead
 *     of getting a new one: a disk that is not mounted looks like an empty directory; behaviour
 * @param acceptLogLoss whether a log that lacks records which were forced is opened all the same,
 *     without them and with a report of what was dropped; they are lost for good, so the answer is
 *     no unless somebody has decided it for this one opening; behaviour
 * @param place which node of a cluster the engine is; records of other nodes are refused; behaviour
 * @param coldCache whether the buffer cache fills with what is read only, instead of with what it
 *     is expected to be asked for, in the background, from the moment on that a dataset is used;
 *     performance
 */
public record OpeningOptions(
    boolean mustExist, boolean acceptLogLoss, ClusterPlace place, boolean coldCache) {
  /**
   * Makes a new store where there is none, accepts no loss, is the only node and warms the cache.
   */
  public static final OpeningOptions DEFAULTS =
      new OpeningOptions(false, false, ClusterPlace.ALONE, false);

  /** The same, for a store that must be there. */
  public OpeningOptions withMustExist() {
    return new OpeningOptions(true, acceptLogLoss, place, coldCache);
  }

  /** The same, for a log whose loss somebody has looked at and accepts. */
  public OpeningOptions withAcceptLogLoss() {
    return new OpeningOptions(mustExist, true, place, coldCache);
  }

  /** The same, for another node of a cluster. */
  public OpeningOptions withPlace(ClusterPlace other) {
    return new OpeningOptions(mustExist, acceptLogLoss, other, coldCache);
  }

  /** The same, for an engine whose cache fills with what is read only. */
  public OpeningOptions withColdCache() {
    return new OpeningOptions(mustExist, acceptLogLoss, place, true);
  }
}
