package dev.varve.ycsb;

import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import dev.varve.common.error.RequestException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * The fields of a record as one value: for each of them a varint with the length of its name, the
 * name in UTF-8, a varint with the length of its bytes, and those. So a field named {@code f} with
 * the bytes {@code 07 08} is {@code 01 66 02 07 08}.
 */
public final class Fields {
  private Fields() {}

  /** The value of a record with some fields; each iterator is read to its end. */
  public static byte[] encode(Map<String, ByteIterator> fields) {
    List<byte[]> parts = new ArrayList<>();
    for (Map.Entry<String, ByteIterator> field : fields.entrySet()) {
      parts.add(field.getKey().getBytes(StandardCharsets.UTF_8));
      parts.add(field.getValue().toArray());
    }
    byte[] value = new byte[parts.stream().mapToInt(Fields::sizeOf).sum()];
    int at = 0;
    for (byte[] part : parts) {
      at = Varint.putInt(value, at, part.length);
      System.arraycopy(part, 0, value, at, part.length);
      at += part.length;
    }
    return value;
  }

  private static int sizeOf(byte[] part) {
    return Varint.sizeOf(part.length) + part.length;
  }

  /**
   * Adds the fields of a value to a map; their bytes are copied.
   *
   * @param wanted names of the fields to add; null for all of them
   * @throws RequestException when the value is none of this binding's
   */
  public static void decode(
      Slice value, @Nullable Set<String> wanted, Map<String, ByteIterator> fields)
      throws RequestException {
    byte[] copy = value.toByteArray();
    int at = 0;
    while (at < copy.length) {
      int nameLength = length(copy, at);
      int nameAt = at + Varint.sizeOf(nameLength);
      int length = length(copy, nameAt + nameLength);
      int from = nameAt + nameLength + Varint.sizeOf(length);
      String name = new String(copy, nameAt, nameLength, StandardCharsets.UTF_8);
      if (wanted == null || wanted.contains(name)) {
        fields.put(name, new ByteArrayByteIterator(copy, from, length));
      }
      at = from + length;
    }
  }

  /** The length that stands at an offset, of bytes that lie within the value. */
  private static int length(byte[] value, int at) throws RequestException {
    long length = Varint.get(value, at, value.length);
    if (length < 0 || length > value.length - at - Varint.sizeOf(length)) {
      throw new RequestException(
          RequestException.Reason.MALFORMED_RECORD,
          "no field of a YCSB record at byte " + at + " of a value of " + value.length);
    }
    return (int) length;
  }

  /** The value of a record whose fields are those of a value, changed or added to by others. */
  public static byte[] merge(Slice value, Map<String, ByteIterator> changes)
      throws RequestException {
    Map<String, ByteIterator> fields = new LinkedHashMap<>();
    decode(value, null, fields);
    fields.putAll(changes);
    return encode(fields);
  }
}
