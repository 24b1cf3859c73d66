package dev.varve.benchmarks.spatial;

import dev.varve.common.bytes.Bytes;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;

/** A point or rectangle as Hyracks' R-trees take it: two corners, and the primary key. */
final class HyracksPoint implements ITupleReference {
  /** The field with the primary key. */
  private static final int ID = 4;

  private final byte[] bytes = new byte[5 * Long.BYTES];
  private final int fields;

  private HyracksPoint(int fields) {
    this.fields = fields;
  }

  /** Two corners and a primary key. */
  static HyracksPoint record() {
    return new HyracksPoint(ID + 1);
  }

  /** Two corners, to search with. */
  static HyracksPoint corners() {
    return new HyracksPoint(ID);
  }

  /** The primary key of a record. */
  static long id(ITupleReference record) {
    return Bytes.getLongBigEndian(record.getFieldData(ID), record.getFieldStart(ID));
  }

  HyracksPoint set(Box box) {
    put(0, box.minX());
    put(1, box.minY());
    put(2, box.maxX());
    put(3, box.maxY());
    return this;
  }

  HyracksPoint set(double x, double y, long id) {
    put(0, x);
    put(1, y);
    put(2, x);
    put(3, y);
    Bytes.putLongBigEndian(bytes, ID * Long.BYTES, id);
    return this;
  }

  private void put(int field, double value) {
    Bytes.putLongBigEndian(bytes, field * Long.BYTES, Double.doubleToRawLongBits(value));
  }

  @Override
  public int getFieldCount() {
    return fields;
  }

  @Override
  public byte[] getFieldData(int field) {
    return bytes;
  }

  @Override
  public int getFieldStart(int field) {
    return field * Long.BYTES;
  }

  @Override
  public int getFieldLength(int field) {
    return Long.BYTES;
  }
}
