package dev.varve.benchmarks.store;

import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;

/** A tuple whose fields are whole arrays: nothing is copied before the index copies it. */
final class AsterixDbTuple implements ITupleReference {
  private final byte[][] fields;

  /** A tuple of a number of fields. */
  AsterixDbTuple(int fieldCount) {
    this.fields = new byte[fieldCount][];
  }

  AsterixDbTuple of(byte[] key) {
    fields[0] = key;
    return this;
  }

  AsterixDbTuple of(byte[] key, byte[] value) {
    fields[0] = key;
    fields[1] = value;
    return this;
  }

  @Override
  public int getFieldCount() {
    return fields.length;
  }

  @Override
  public byte[] getFieldData(int field) {
    return fields[field];
  }

  @Override
  public int getFieldStart(int field) {
    return 0;
  }

  @Override
  public int getFieldLength(int field) {
    return fields[field].length;
  }
}
