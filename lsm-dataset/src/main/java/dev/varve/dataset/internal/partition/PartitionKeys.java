package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.Key;

/**
 * The primary keys that belong to a partition: those that hash to it, on the node that they hash
 * to. A record under any other key would be found by scans only, and its key would be free
 * elsewhere. Immutable.
 */
final class PartitionKeys {
  private final PartitionDescriptor descriptor;
  private final ClusterPlace place;
  private final int partitions;

  private final boolean alone;

  /** Whether there are keys that do not belong here: not where everything is in one partition. */
  final boolean selective;

  PartitionKeys(PartitionDescriptor descriptor, ClusterPlace place) {
    this(descriptor, place, Reach.OWN);
  }

  /** Which keys a writer may change. */
  private enum Reach {
    OWN,
    ANY
  }

  private PartitionKeys(PartitionDescriptor descriptor, ClusterPlace place, Reach reach) {
    this.descriptor = descriptor;
    boolean records = descriptor.dataset().kind() == DatasetDescriptor.Kind.RECORDS;
    this.place = records ? place : ClusterPlace.ALONE;
    this.partitions = descriptor.options().partitions();
    this.alone = this.place.equals(ClusterPlace.ALONE);
    this.selective = reach == Reach.OWN && (partitions > 1 || !alone);
  }

  /** All keys, wherever they belong: for a writer that takes records out of the wrong partition. */
  static PartitionKeys any(PartitionDescriptor descriptor) {
    return new PartitionKeys(descriptor, ClusterPlace.ALONE, Reach.ANY);
  }

  /** Whether a key belongs here. */
  boolean hold(Slice key) {
    return !selective || holdHashed(key, KeyHash.hash(key));
  }

  private boolean holdHashed(Slice key, long hash) {
    return place.partitionOf(key, hash, partitions) == descriptor.number()
        && (alone || place.holds(key, partitions));
  }

  /**
   * Refuses a key that does not belong here.
   *
   * @param hash its {@link KeyHash}
   * @throws RequestException with {@code WRONG_PARTITION}
   */
  void require(Slice key, long hash) throws RequestException {
    if (selective && !holdHashed(key, hash)) {
      throw refusal(key);
    }
  }

  /**
   * Refuses a key that does not belong here.
   *
   * @throws RequestException with {@code WRONG_PARTITION}
   */
  void requireOwn(Slice key) throws RequestException {
    if (!hold(key)) {
      throw refusal(key);
    }
  }

  private RequestException refusal(Slice key) {
    return new RequestException(
        RequestException.Reason.WRONG_PARTITION,
        "record "
            + Key.ofSlice(key)
            + " belongs to "
            + home(key)
            + ", not to "
            + descriptor.describe()
            + (alone ? "" : " on " + place)
            + "; insert, upsert, delete and get of the dataset, or of the cluster, find the"
            + " partition by themselves, and partitionOf names it");
  }

  /** Number of the partition that a key belongs to, on the node that it belongs to. */
  int partitionOf(Slice key) {
    return place.partitionOf(key, partitions);
  }

  /** Number of the node that a key belongs to. */
  int nodeOf(Slice key) {
    return place.nodeOf(key, partitions);
  }

  /** Where a key belongs, for people. */
  String home(Slice key) {
    String partition = "partition " + partitionOf(key);
    return alone ? partition : partition + " of node " + nodeOf(key);
  }
}
