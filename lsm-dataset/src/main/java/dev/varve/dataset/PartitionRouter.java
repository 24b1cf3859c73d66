package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.kind.RecordReader;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says which of some partitions a record belongs to. Confined to one thread. */
final class PartitionRouter {
  private final List<Partition> all;

  /** Reads primary keys; null where there is no choice. */
  private final @Nullable RecordReader reader;

  PartitionRouter(List<Partition> all) {
    this.all = all;
    this.reader = all.size() == 1 ? null : all.get(0).lifecycle().newRecordReader();
  }

  /** The partition of a record, which is read for it unless there is only one. */
  int ofRecord(Slice record) throws StorageException {
    Objects.requireNonNull(record, "record");
    if (reader == null) {
      return 0;
    }
    reader.read(record);
    return ofKey(reader.primaryKey());
  }

  /** The partition of an encoded primary key. */
  int ofKey(Slice primaryKey) {
    return all.size() == 1 ? 0 : all.get(0).partitionOf(primaryKey);
  }
}
