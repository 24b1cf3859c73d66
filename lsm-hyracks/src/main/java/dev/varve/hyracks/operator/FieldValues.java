package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.kind.RecordReader;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads values out of the records of a dataset, encoded as a B+-tree on their fields has them.
 * Confined to one thread.
 */
final class FieldValues {
  private static final int ONLY = 0;

  private final RecordReader reader;

  /** Values of the fields, in this order. */
  FieldValues(DatasetOptions dataset, List<FieldPath> fields) {
    IndexDefinition index = new IndexDefinition("values", fields);
    this.reader = RecordReader.ofStored(dataset.withIndexes(List.of(index)).schema());
  }

  /** What a record has there; null when a field is missing or holds no value that orders. */
  @Nullable Slice of(Slice record) throws StorageException {
    reader.read(record);
    return reader.hasValue(ONLY) ? reader.secondaryKey(ONLY) : null;
  }
}
