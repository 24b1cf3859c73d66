package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.model.KeyOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads many records by their keys, in one sweep over each partition, and puts them into the order
 * that was asked for. Confined to one call.
 */
final class ManyRecords {
  private final Slice[] keys;

  /** By position in {@code keys}. */
  private final List<Optional<byte[]>> records;

  private ManyRecords(Slice[] keys) {
    this.keys = keys;
    this.records = new ArrayList<>(Collections.nCopies(keys.length, Optional.empty()));
  }

  /**
   * Reads the records with some keys.
   *
   * @param all the partitions; which of them a key belongs to, they say
   * @param keys in any order, each any number of times
   */
  static List<Optional<byte[]>> get(List<Partition> all, Slice[] keys) throws StorageException {
    ManyRecords records = new ManyRecords(keys);
    int[] order = KeyOrder.ascending(keys.length, (position, view) -> keys[position]);
    if (all.size() == 1) {
      records.readFrom(all.get(0), order);
    } else {
      int[] partitions = new int[keys.length];
      Arrays.setAll(partitions, i -> all.get(0).partitionOf(keys[i]));
      for (int i = 0; i < all.size(); i++) {
        int number = i;
        records.readFrom(
            all.get(i), Arrays.stream(order).filter(k -> partitions[k] == number).toArray());
      }
    }
    return records.records;
  }

  /** The keys of a list as slices. */
  static <K> Slice[] slices(List<K> keys, Function<K, Slice> slice) {
    Objects.requireNonNull(keys, "keys");
    Slice[] slices = new Slice[keys.size()];
    int i = 0;
    for (K key : keys) {
      slices[i] = slice.apply(Objects.requireNonNull(key, "a key among those to be read"));
      i++;
    }
    return slices;
  }

  /** Reads some of the records, all of one partition. */
  private void readFrom(Partition partition, int[] order) throws StorageException {
    partition.getAll(
        keys, order, (key, record) -> records.set(key, Optional.of(record.toByteArray())));
  }
}
