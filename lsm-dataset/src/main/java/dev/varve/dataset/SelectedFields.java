package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.kind.FieldSelection;
import dev.varve.dataset.model.OrderedCursor;
import dev.varve.dataset.model.RecordCursor;

/** Some fields of the records of a cursor. Confined to one thread. */
final class SelectedFields implements OrderedCursor {
  private final RecordCursor records;
  private final FieldSelection fields;
  private final Slice selected = new Slice();

  /** Takes a cursor over, which is closed with this one. */
  SelectedFields(RecordCursor records, FieldSelection fields) {
    this.records = records;
    this.fields = fields;
  }

  @Override
  public boolean next() throws StorageException {
    boolean there = records.next();
    if (there) {
      byte[] wanted = fields.of(records.value());
      selected.set(wanted, 0, wanted.length);
    }
    return there;
  }

  @Override
  public Slice key() {
    return records.key();
  }

  @Override
  public Slice value() {
    // It is at a record, or this throws.
    assert records.value().length() > 0;
    return selected;
  }

  @Override
  public Slice entryKey() {
    return OrderedCursor.orderedBy(records);
  }

  @Override
  public void close() {
    records.close();
  }
}
