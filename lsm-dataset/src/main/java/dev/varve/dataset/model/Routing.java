package dev.varve.dataset.model;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;

/**
 * Which partition of a dataset holds a primary key. Part of the format: a record is found again
 * only where it was put. Thread-safe: no state.
 */
public final class Routing {
  private Routing() {}

  /** The partition, from 0 to {@code partitions - 1}, that holds an encoded primary key. */
  public static int partition(Slice primaryKey, int partitions) {
    return partition(KeyHash.hash(primaryKey), partitions);
  }

  /** The same for a key whose {@link KeyHash} is known. */
  public static int partition(long keyHash, int partitions) {
    // Mixed once more, because filters and locks use the hash itself: within a partition its upper
    // bits would otherwise be the same in every key.
    return (int) (((KeyHash.mix(keyHash) >>> 33) * partitions) >>> 31);
  }
}
