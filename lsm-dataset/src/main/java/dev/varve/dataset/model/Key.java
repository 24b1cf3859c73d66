package dev.varve.dataset.model;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * One or more values in their order-preserving encoding: a primary key, or a bound of a search.
 * Immutable; ordered as the values are.
 */
public final class Key implements Comparable<Key> {
  private final byte[] encoded;

  private Key(byte[] encoded) {
    this.encoded = encoded;
  }

  /**
   * Encodes values: {@code null}, {@link Boolean}, {@link Byte}, {@link Short}, {@link Integer},
   * {@link Long}, {@link Double}, {@link BigInteger}, {@link BigDecimal}, {@link String} or {@code
   * byte[]}. Numbers are the same key when they are the same decimal: 1, 1L and 1.0. A double
   * stands for the decimal that it prints as.
   *
   * @throws IllegalArgumentException for a value of another type, a NaN, text that is not valid, or
   *     a decimal number that no key holds exactly
   */
  public static Key of(Object... values) {
    KeyEncoder encoder = new KeyEncoder();
    for (Object value : Objects.requireNonNull(values, "values")) {
      if (value == null) {
        encoder.addNull();
      } else if (value instanceof Boolean flag) {
        encoder.addBoolean(flag);
      } else if (value instanceof Integer
          || value instanceof Long
          || value instanceof Short
          || value instanceof Byte) {
        encoder.addLong(((Number) value).longValue());
      } else if (value instanceof Double number) {
        encoder.addDouble(number);
      } else if (value instanceof BigDecimal number) {
        encoder.addDecimal(number);
      } else if (value instanceof BigInteger number) {
        encoder.addDecimal(new BigDecimal(number));
      } else if (value instanceof String text) {
        encoder.addString(text);
      } else if (value instanceof byte[] bytes) {
        encoder.addBytes(bytes);
      } else {
        throw new IllegalArgumentException(
            value.getClass().getName()
                + " is no type of key values; these are Boolean, Byte, Short, Integer, Long,"
                + " Double, BigInteger, BigDecimal, String, byte[] and null. A float is given as"
                + " the double or BigDecimal that is meant, other values as text, number or bytes");
      }
    }
    return new Key(encoder.toByteArray());
  }

  /** Wraps a copy of bytes that were encoded before, or of the raw key of a key-value store. */
  public static Key ofBytes(byte[] encoded) {
    return new Key(Objects.requireNonNull(encoded, "encoded").clone());
  }

  /** Wraps a copy of bytes that were encoded before, or of the raw key of a key-value store. */
  public static Key ofSlice(Slice encoded) {
    return new Key(Objects.requireNonNull(encoded, "encoded").toByteArray());
  }

  /** A copy of the encoded bytes. */
  public byte[] toBytes() {
    return encoded.clone();
  }

  /** A view of the encoded bytes, which the caller does not change. */
  public Slice toSlice() {
    return new Slice(encoded);
  }

  @Override
  public int compareTo(Key other) {
    return Arrays.compareUnsigned(encoded, other.encoded);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Key key && Arrays.equals(encoded, key.encoded);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(encoded);
  }

  /** The values, or the bytes in hexadecimal when they are no encoded values. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ", "<", ">");
    KeyDecoder decoder = new KeyDecoder().reset(encoded, 0, encoded.length);
    try {
      while (decoder.hasNext()) {
        text.add(value(decoder));
      }
    } catch (IllegalArgumentException notEncoded) {
      return HexFormat.of().formatHex(encoded);
    }
    return text.toString();
  }

  private static String value(KeyDecoder decoder) {
    return switch (decoder.type()) {
      case NULL -> {
        decoder.readNull();
        yield "null";
      }
      case BOOLEAN -> Boolean.toString(decoder.readBoolean());
      case NUMBER ->
          decoder.isLong()
              ? Long.toString(decoder.readLong())
              : Double.toString(decoder.readDouble());
      case STRING -> '"' + decoder.readString() + '"';
      case BYTES -> "0x" + decoder.readBytes();
    };
  }
}
