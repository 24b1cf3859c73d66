package dev.varve.ycsb;

import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import dev.varve.common.error.RequestException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * The fields of a record as one value: for each of them a varint with the length of its name, the
 * name in UTF-8, a varint with the length of its bytes, and those. So a field named {@code f} with
 * the bytes {@code 07 08} is {@code 01 66 02 07 08}.
 *
 * <p>Remembers the names that it met, since the records of a table have the same ones. Confined to
 * one thread.
 */
public final class Fields {
  /** Fields of a record whose names are remembered. */
  private static final int MAX_NAMES = 64;

  private record Name(Slice bytes, String text) {}

  /**
   * By their place in a record, of all clients of the process: one that met the names anew would
   * take the branch that the compiler has left out of the code of the clients before it.
   */
  private static final @Nullable Name[] NAMES = new Name[MAX_NAMES];

  private final Slice met = new Slice();

  // Of the field that was read last.
  private int nameAt;
  private int nameEnd;
  private int contentAt;
  private int contentEnd;

  /** Knows the names that others of this process have met. */
  public Fields() {}

  /** The value of a record with some fields; each iterator is read to its end. */
  public static byte[] encode(Map<String, ByteIterator> fields) {
    byte[][] parts = new byte[2 * fields.size()][];
    int count = 0;
    int size = 0;
    for (Map.Entry<String, ByteIterator> field : fields.entrySet()) {
      byte[] name = field.getKey().getBytes(StandardCharsets.UTF_8);
      byte[] content = field.getValue().toArray();
      parts[count++] = name;
      parts[count++] = content;
      size += sizeOf(name) + sizeOf(content);
    }
    byte[] value = new byte[size];
    int at = 0;
    for (byte[] part : parts) {
      at = put(value, at, part);
    }
    return value;
  }

  private static int sizeOf(byte[] part) {
    return Varint.sizeOf(part.length) + part.length;
  }

  private static int put(byte[] value, int offset, byte[] part) {
    int at = Varint.putInt(value, offset, part.length);
    System.arraycopy(part, 0, value, at, part.length);
    return at + part.length;
  }

  /**
   * Adds the fields of a value to a map, as parts of the value, which must not change any more.
   *
   * @param wanted names of the fields to add; null for all of them
   * @throws RequestException when the value is none of this binding's
   */
  public void decode(Slice value, @Nullable Set<String> wanted, Map<String, ByteIterator> fields)
      throws RequestException {
    byte[] bytes = value.bytes();
    int end = value.offset() + value.length();
    int index = 0;
    for (int at = value.offset(); at < end; at = contentEnd) {
      read(bytes, at, value.offset(), end);
      String name = name(bytes, index++);
      if (wanted == null || wanted.contains(name)) {
        fields.put(name, new ByteArrayByteIterator(bytes, contentAt, contentEnd - contentAt));
      }
    }
  }

  /**
   * The value of a record whose fields are those of a value, changed or added to by others, whose
   * iterators are read to their end.
   *
   * @throws RequestException when the value is none of this binding's
   */
  public Slice merge(Slice value, Map<String, ByteIterator> changes) throws RequestException {
    Map<String, byte[]> left = new HashMap<>();
    int room = value.length();
    for (Map.Entry<String, ByteIterator> change : changes.entrySet()) {
      byte[] content = change.getValue().toArray();
      left.put(change.getKey(), content);
      // A character has three bytes at most.
      room += Varint.MAX_INT_BYTES + 3 * change.getKey().length() + sizeOf(content);
    }
    byte[] old = value.bytes();
    int end = value.offset() + value.length();
    byte[] merged = new byte[room];
    int to = 0;
    int index = 0;
    for (int at = value.offset(); at < end; at = contentEnd) {
      read(old, at, value.offset(), end);
      byte[] content = left.remove(name(old, index++));
      int kept = (content == null ? contentEnd : nameEnd) - at;
      System.arraycopy(old, at, merged, to, kept);
      to += kept;
      if (content != null) {
        to = put(merged, to, content);
      }
    }
    for (Map.Entry<String, byte[]> added : left.entrySet()) {
      to = put(merged, to, added.getKey().getBytes(StandardCharsets.UTF_8));
      to = put(merged, to, added.getValue());
    }
    return new Slice(merged, 0, to);
  }

  /** Reads where the field that begins at an offset has its name and its bytes. */
  private void read(byte[] bytes, int at, int start, int end) throws RequestException {
    int nameLength = length(bytes, at, start, end);
    nameAt = at + Varint.sizeOf(nameLength);
    nameEnd = nameAt + nameLength;
    int length = length(bytes, nameEnd, start, end);
    contentAt = nameEnd + Varint.sizeOf(length);
    contentEnd = contentAt + length;
  }

  /** The length that stands at an offset, of bytes that lie within the value. */
  private static int length(byte[] bytes, int at, int start, int end) throws RequestException {
    long length = Varint.get(bytes, at, end);
    if (length < 0 || length > end - at - Varint.sizeOf(length)) {
      throw new RequestException(
          RequestException.Reason.MALFORMED_RECORD,
          "no field of a YCSB record at byte " + (at - start) + " of a value of " + (end - start));
    }
    return (int) length;
  }

  private String name(byte[] bytes, int index) {
    Name known = index < MAX_NAMES ? NAMES[index] : null;
    if (known != null && known.bytes().sameBytes(met.set(bytes, nameAt, nameEnd - nameAt))) {
      return known.text();
    }
    byte[] copy = Arrays.copyOfRange(bytes, nameAt, nameEnd);
    String text = new String(copy, StandardCharsets.UTF_8);
    if (index < MAX_NAMES) {
      NAMES[index] = new Name(new Slice(copy), text);
    }
    return text;
  }
}
