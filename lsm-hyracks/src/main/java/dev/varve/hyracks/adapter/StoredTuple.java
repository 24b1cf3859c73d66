package dev.varve.hyracks.adapter;

import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;

/** A tuple read back from an index: all fields in one array. Confined to its owner, reused. */
final class StoredTuple implements ITupleReference {
  private final ByteSink bytes = new ByteSink();
  private final int[] ends;
  private int fields;

  StoredTuple(int fieldCount) {
    ends = new int[fieldCount];
  }

  void clear() {
    bytes.clear();
    fields = 0;
  }

  /** Where the next field's bytes are appended, before {@link #endField}. */
  ByteSink sink() {
    return bytes;
  }

  void endField() {
    assert fields < ends.length : "a tuple of more than " + ends.length + " fields";
    ends[fields++] = bytes.length();
  }

  @Override
  public int getFieldCount() {
    return fields;
  }

  @Override
  public byte[] getFieldData(int field) {
    return bytes.bytes();
  }

  @Override
  public int getFieldStart(int field) {
    return field == 0 ? 0 : ends[field - 1];
  }

  @Override
  public int getFieldLength(int field) {
    assert field < fields : "field " + field + " of " + fields;
    return ends[field] - getFieldStart(field);
  }
}
