package dev.varve.hyracks.adapter;

import dev.varve.common.bytes.Slice;
import java.util.Map;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.data.std.accessors.BooleanBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.ByteArrayBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.ByteBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.DoubleBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.FloatBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.IntegerBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.LongBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.RawBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.ShortBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.UTF8StringBinaryComparatorFactory;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.util.encoding.VarLenIntEncoderDecoder;

/**
 * How a key field of a Hyracks tuple becomes bytes whose unsigned order is that of the field's
 * stock comparator, and back. The encodings are self-delimiting, so that those of several fields
 * can stand one behind the other. The names stand in {@code resources.json}. Thread-safe: no state.
 */
enum KeyField {
  /** Two bytes, big-endian, sign bit inverted; likewise the other integers. */
  SHORT(Short.BYTES),
  INTEGER(Integer.BYTES),
  LONG(Long.BYTES),
  BYTE(Byte.BYTES),
  /** IEEE bits, all inverted when negative, else the sign bit; one NaN, above all numbers. */
  FLOAT(Float.BYTES),
  DOUBLE(Double.BYTES),
  /** Zero or one. */
  BOOLEAN(1),
  /** Modified UTF-8, a NUL written as 00 01, ended by 00 00. */
  STRING(0),
  /** The bytes, 00 written as 00 01, ended by 00 00. */
  BYTES(0),
  /** As BYTES, without a length in the tuple, each byte's sign bit inverted. */
  RAW(0);

  private static final int SIGN = 0x80;

  private static final Map<Class<?>, KeyField> BY_COMPARATOR =
      Map.ofEntries(
          Map.entry(ShortBinaryComparatorFactory.class, SHORT),
          Map.entry(IntegerBinaryComparatorFactory.class, INTEGER),
          Map.entry(LongBinaryComparatorFactory.class, LONG),
          Map.entry(ByteBinaryComparatorFactory.class, BYTE),
          Map.entry(FloatBinaryComparatorFactory.class, FLOAT),
          Map.entry(DoubleBinaryComparatorFactory.class, DOUBLE),
          Map.entry(BooleanBinaryComparatorFactory.class, BOOLEAN),
          Map.entry(UTF8StringBinaryComparatorFactory.class, STRING),
          Map.entry(ByteArrayBinaryComparatorFactory.class, BYTES),
          Map.entry(RawBinaryComparatorFactory.class, RAW));

  private final int width;

  KeyField(int width) {
    this.width = width;
  }

  /** The encoding that orders as a comparator does; an unknown comparator is refused by name. */
  static KeyField of(IBinaryComparatorFactory comparator) {
    KeyField field = BY_COMPARATOR.get(comparator.getClass());
    if (field == null) {
      throw new IllegalArgumentException(
          "no order-preserving encoding for the comparator " + comparator.getClass().getName());
    }
    return field;
  }

  /** The stock comparator that this encoding orders as. */
  IBinaryComparatorFactory comparator() {
    return switch (this) {
      case SHORT -> ShortBinaryComparatorFactory.INSTANCE;
      case INTEGER -> IntegerBinaryComparatorFactory.INSTANCE;
      case LONG -> LongBinaryComparatorFactory.INSTANCE;
      case BYTE -> ByteBinaryComparatorFactory.INSTANCE;
      case FLOAT -> FloatBinaryComparatorFactory.INSTANCE;
      case DOUBLE -> DoubleBinaryComparatorFactory.INSTANCE;
      case BOOLEAN -> BooleanBinaryComparatorFactory.INSTANCE;
      case STRING -> UTF8StringBinaryComparatorFactory.INSTANCE;
      case BYTES -> ByteArrayBinaryComparatorFactory.INSTANCE;
      case RAW -> RawBinaryComparatorFactory.INSTANCE;
    };
  }

  /** Whether it is of numbers, as the corners of a box are. */
  boolean isNumber() {
    return switch (this) {
      case SHORT, INTEGER, LONG, BYTE, FLOAT, DOUBLE -> true;
      case BOOLEAN, STRING, BYTES, RAW -> false;
    };
  }

  /** The number in a tuple's field; of a long the nearest double. */
  double number(ITupleReference tuple, int field) throws HyracksDataException {
    byte[] data = tuple.getFieldData(field);
    int start = tuple.getFieldStart(field);
    requireWidth(tuple, field);
    return switch (this) {
      case SHORT -> (short) bits(data, start);
      case INTEGER -> (int) bits(data, start);
      case LONG -> bits(data, start);
      case BYTE -> data[start];
      case FLOAT -> Float.intBitsToFloat((int) bits(data, start));
      case DOUBLE -> Double.longBitsToDouble(bits(data, start));
      case BOOLEAN, STRING, BYTES, RAW ->
          throw new IllegalStateException("a field of " + this + " is no number");
    };
  }

  private void requireWidth(ITupleReference tuple, int field) throws HyracksDataException {
    int length = tuple.getFieldLength(field);
    if (width != 0 && length != width) {
      throw StorageFailures.refused(
          "key field " + field + " has " + length + " bytes, its comparator wants " + width);
    }
  }

  /** Appends the encoding of a tuple's field. */
  void encode(ITupleReference tuple, int field, ByteSink out) throws HyracksDataException {
    byte[] data = tuple.getFieldData(field);
    int start = tuple.getFieldStart(field);
    int length = tuple.getFieldLength(field);
    requireWidth(tuple, field);
    switch (this) {
      case SHORT, INTEGER, LONG, BYTE -> {
        out.add(data[start] ^ SIGN);
        out.add(data, start + 1, width - 1);
      }
      case FLOAT -> out.addBigEndian(ordered(Float.intBitsToFloat((int) bits(data, start))), width);
      case DOUBLE -> out.addBigEndian(ordered(Double.longBitsToDouble(bits(data, start))), width);
      case BOOLEAN -> out.add(data[start] == 0 ? 0 : 1);
      case STRING -> encodeString(data, content(data, start, length), start + length, out);
      case BYTES -> encodeBytes(data, content(data, start, length), start + length, out);
      case RAW -> encodeRaw(data, start, start + length, out);
    }
  }

  /**
   * Appends the field as Hyracks serializes it.
   *
   * @return where the next field's encoding begins
   */
  int decode(Slice key, int position, ByteSink out) {
    byte[] bytes = key.bytes();
    switch (this) {
      case SHORT, INTEGER, LONG, BYTE -> {
        out.add(bytes[position] ^ SIGN);
        out.add(bytes, position + 1, width - 1);
      }
      case FLOAT -> {
        int bits = (int) bits(bytes, position);
        out.addBigEndian(bits < 0 ? bits ^ Integer.MIN_VALUE : ~bits, width);
      }
      case DOUBLE -> {
        long bits = bits(bytes, position);
        out.addBigEndian(bits < 0 ? bits ^ Long.MIN_VALUE : ~bits, width);
      }
      case BOOLEAN -> out.add(bytes[position]);
      case STRING, BYTES, RAW -> {
        return decodeContent(bytes, position, out);
      }
    }
    return position + width;
  }

  private static int ordered(float value) {
    int bits = Float.floatToIntBits(value);
    return bits < 0 ? ~bits : bits ^ Integer.MIN_VALUE;
  }

  private static long ordered(double value) {
    long bits = Double.doubleToLongBits(value);
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }

  private long bits(byte[] data, int start) {
    long bits = 0;
    for (int i = 0; i < width; i++) {
      bits = (bits << Byte.SIZE) | (data[start + i] & 0xFF);
    }
    return bits;
  }

  /** Where the content of a string or byte array begins, behind its length. */
  private static int content(byte[] data, int start, int length) throws HyracksDataException {
    int stored = VarLenIntEncoderDecoder.decode(data, start);
    int content = start + VarLenIntEncoderDecoder.getBytesRequired(stored);
    if (content + stored != start + length) {
      throw StorageFailures.refused(
          "a key field of " + length + " bytes says that its content has " + stored);
    }
    return content;
  }

  private static void encodeString(byte[] data, int from, int end, ByteSink out) {
    for (int i = from; i < end; i++) {
      // Modified UTF-8 writes NUL as C0 80, which would order above every other ASCII character.
      if (data[i] == (byte) 0xC0 && i + 1 < end && data[i + 1] == (byte) 0x80) {
        out.add(0);
        out.add(1);
        i++;
      } else {
        out.add(data[i]);
      }
    }
    out.add(0);
    out.add(0);
  }

  private static void encodeBytes(byte[] data, int from, int end, ByteSink out) {
    for (int i = from; i < end; i++) {
      out.add(data[i]);
      if (data[i] == 0) {
        out.add(1);
      }
    }
    out.add(0);
    out.add(0);
  }

  private static void encodeRaw(byte[] data, int from, int end, ByteSink out) {
    for (int i = from; i < end; i++) {
      int ordered = data[i] ^ SIGN;
      out.add(ordered);
      if ((byte) ordered == 0) {
        out.add(1);
      }
    }
    out.add(0);
    out.add(0);
  }

  private int decodeContent(byte[] bytes, int position, ByteSink out) {
    int end = position;
    int escapes = 0;
    while (bytes[end] != 0 || bytes[end + 1] != 0) {
      if (bytes[end] == 0) {
        escapes++;
        end++;
      }
      end++;
    }
    switch (this) {
      case STRING -> out.addHyracksLength(end - position);
      case BYTES -> out.addHyracksLength(end - position - escapes);
      default -> {
        // Raw bytes carry no length.
      }
    }
    for (int i = position; i < end; i++) {
      if (bytes[i] == 0) {
        i++;
        if (this == STRING) {
          out.add(0xC0);
          out.add(0x80);
          continue;
        }
        out.add(this == RAW ? SIGN : 0);
      } else {
        out.add(this == RAW ? bytes[i] ^ SIGN : bytes[i]);
      }
    }
    return end + 2;
  }
}
