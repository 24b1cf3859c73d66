package dev.varve.dataset.internal.partition;

import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import dev.varve.dataset.kind.RecordSchema;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which indexes writers of a partition maintain at a time, and which of them answer. Immutable.
 *
 * @param descriptor the partition with all of them
 * @param schema the keys of its records, compiled once; null when it stores raw pairs
 * @param silent names of those that do not answer: they are being built, or were dropped
 */
record PartitionShape(
    PartitionDescriptor descriptor, @Nullable RecordSchema schema, Set<String> silent) {
  PartitionShape {
    silent = Set.copyOf(silent);
  }

  /** All indexes of a partition, which all answer. */
  static PartitionShape of(PartitionDescriptor descriptor) {
    return new PartitionShape(descriptor, descriptor.schema(), Set.of());
  }

  /** The same with one more index behind the others, which does not answer. */
  PartitionShape plus(DatasetDescriptor.Building index) {
    return with(descriptor.dataset().plus(index)).silencing(index.index().name());
  }

  /** The same without an index. */
  PartitionShape minus(String index) {
    return with(descriptor.dataset().withoutIndex(index)).answering(index);
  }

  private PartitionShape with(DatasetDescriptor dataset) {
    PartitionDescriptor next =
        new PartitionDescriptor(dataset, descriptor.number(), descriptor.directory());
    return new PartitionShape(next, next.schema(), silent);
  }

  /** The same with an index that does not answer. */
  PartitionShape silencing(String index) {
    Set<String> more = new HashSet<>(silent);
    more.add(index);
    return new PartitionShape(descriptor, schema, more);
  }

  /** The same with an index that answers, as the others do. */
  PartitionShape answering(String index) {
    Set<String> fewer = new HashSet<>(silent);
    fewer.remove(index);
    return new PartitionShape(descriptor, schema, fewer);
  }

  /** Position of an index, answering or not; -1 for none. */
  int positionOf(String index) {
    for (int position = 1; position < descriptor.indexCount(); position++) {
      if (descriptor.indexName(position).equals(index)) {
        return position;
      }
    }
    return -1;
  }

  /** Whether the index at a position answers. */
  boolean answers(int position) {
    assert position < descriptor.indexCount() : position;
    return position == 0 || !silent.contains(descriptor.indexName(position));
  }
}
