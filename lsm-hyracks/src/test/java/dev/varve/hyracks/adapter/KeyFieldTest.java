package dev.varve.hyracks.adapter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.hyracks.api.dataflow.value.IBinaryComparator;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.data.std.accessors.UTF8StringLowercaseBinaryComparatorFactory;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.dataflow.common.data.marshalling.ByteArraySerializerDeserializer;
import org.apache.hyracks.dataflow.common.data.marshalling.UTF8StringSerializerDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: key bytes order exactly as the stock comparator orders the fields, and give the fields
 * back. Method: all pairs of edge cases and random values, against the comparator itself.
 */
final class KeyFieldTest {
  @ParameterizedTest
  @EnumSource(KeyField.class)
  void ordersAsTheStockComparator(KeyField field) throws Exception {
    List<byte[]> values = values(field, Seeds.random(Seeds.one(7)));
    List<byte[]> keys = new ArrayList<>();
    for (byte[] value : values) {
      keys.add(encode(field, value));
    }
    IBinaryComparator stock = field.comparator().createBinaryComparator();
    for (int i = 0; i < values.size(); i++) {
      for (int j = 0; j < values.size(); j++) {
        byte[] a = values.get(i);
        byte[] b = values.get(j);
        int expected = Integer.signum(stock.compare(a, 0, a.length, b, 0, b.length));
        int actual = new Slice(keys.get(i)).compareBytes(new Slice(keys.get(j)));
        assertEquals(
            expected, Integer.signum(actual), () -> new Slice(a) + " against " + new Slice(b));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(KeyField.class)
  void noKeyIsThePrefixOfAnother(KeyField field) throws Exception {
    List<byte[]> values = values(field, Seeds.random(Seeds.one(8)));
    for (byte[] value : values) {
      byte[] key = encode(field, value);
      for (byte[] other : values) {
        byte[] longer = encode(field, other);
        if (longer.length > key.length) {
          assertTrue(
              new Slice(longer, 0, key.length).compareBytes(new Slice(key)) != 0,
              () -> new Slice(key) + " begins " + new Slice(longer));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(KeyField.class)
  void givesTheFieldBack(KeyField field) throws Exception {
    for (byte[] value : values(field, Seeds.random(Seeds.one(9)))) {
      byte[] key = encode(field, value);
      ByteSink back = new ByteSink();
      byte[] surrounded = new byte[key.length + 5];
      System.arraycopy(key, 0, surrounded, 3, key.length);
      int end = field.decode(new Slice(surrounded, 3, key.length), 3, back);
      assertEquals(3 + key.length, end);
      assertArrayEquals(value, back.toByteArray(), () -> new Slice(value).toString());
    }
  }

  @Test
  void knowsTheFieldOfEachComparatorAndRefusesAnUnknownOneByName() {
    for (KeyField field : KeyField.values()) {
      assertEquals(field, KeyField.of(field.comparator()));
    }
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> KeyField.of(UTF8StringLowercaseBinaryComparatorFactory.INSTANCE));
    assertTrue(refused.getMessage().contains("UTF8StringLowercaseBinaryComparatorFactory"));
  }

  @Test
  void refusesAFieldOfAnotherWidth() {
    assertThrows(HyracksDataException.class, () -> encode(KeyField.LONG, new byte[4]));
    assertThrows(HyracksDataException.class, () -> encode(KeyField.STRING, new byte[] {9, 65}));
  }

  private static byte[] encode(KeyField field, byte[] value) throws HyracksDataException {
    // The field stands in the middle of an array, as it does in a frame.
    byte[] array = new byte[value.length + 4];
    System.arraycopy(value, 0, array, 2, value.length);
    ITupleReference tuple =
        new ITupleReference() {
          @Override
          public int getFieldCount() {
            return 1;
          }

          @Override
          public byte[] getFieldData(int number) {
            return array;
          }

          @Override
          public int getFieldStart(int number) {
            return 2;
          }

          @Override
          public int getFieldLength(int number) {
            return value.length;
          }
        };
    ByteSink key = new ByteSink();
    field.encode(tuple, 0, key);
    return key.toByteArray();
  }

  private static List<byte[]> values(KeyField field, RandomGenerator random) throws IOException {
    List<byte[]> values = new ArrayList<>();
    long[] bits = {
      0, 1, -1, 255, 256, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE
    };
    double[] numbers = {
      0.0,
      -0.0,
      1,
      -1,
      Double.MIN_VALUE,
      -Double.MIN_VALUE,
      Double.MAX_VALUE,
      -Double.MAX_VALUE,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      Double.NaN
    };
    for (int i = 0; i < 60; i++) {
      long bit = i < bits.length ? bits[i] : random.nextLong() >> random.nextInt(64);
      double number = i < numbers.length ? numbers[i] : random.nextGaussian() * 1000;
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      switch (field) {
        case SHORT -> out.writeShort((short) bit);
        case INTEGER -> out.writeInt((int) bit);
        case LONG -> out.writeLong(bit);
        case BYTE -> out.writeByte((byte) bit);
        case FLOAT -> out.writeFloat((float) number);
        case DOUBLE -> out.writeDouble(number);
        case BOOLEAN -> out.writeBoolean(i % 2 == 0);
        case STRING -> new UTF8StringSerializerDeserializer().serialize(text(i, random), out);
        case BYTES -> ByteArraySerializerDeserializer.INSTANCE.serialize(bytes(i, random), out);
        case RAW -> out.write(bytes(i, random));
      }
      values.add(bytes.toByteArray());
    }
    return values;
  }

  private static String text(int number, RandomGenerator random) {
    String alphabet = "\0\u0001aAzZ~\u007f\u0080\u00ff\u07ff\u0800\ud800\udc00\uffff";
    StringBuilder text = new StringBuilder();
    int length = number < 3 ? number : random.nextInt(number == 3 ? 300 : 6);
    for (int i = 0; i < length; i++) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  private static byte[] bytes(int number, RandomGenerator random) {
    byte[] alphabet = {0, 0, 1, -1, -1, -128, 127, 65};
    byte[] bytes = new byte[number < 3 ? number : random.nextInt(number == 3 ? 300 : 6)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = alphabet[random.nextInt(alphabet.length)];
    }
    return bytes;
  }
}
