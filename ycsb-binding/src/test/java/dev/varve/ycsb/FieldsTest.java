package dev.varve.ycsb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.StringByteIterator;

/** A record's fields come back from its value, and bytes that are no such value are refused. */
final class FieldsTest {
  private static Map<String, ByteIterator> fields(String... namesAndValues) {
    Map<String, ByteIterator> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(namesAndValues[i], new StringByteIterator(namesAndValues[i + 1]));
    }
    return fields;
  }

  private static Map<String, String> decoded(byte[] value, Set<String> wanted) throws Exception {
    Map<String, ByteIterator> fields = new HashMap<>();
    Fields.decode(new Slice(value), wanted, fields);
    return StringByteIterator.getStringMap(fields);
  }

  @Test
  void theBytesAreTheDocumentedOnes() {
    assertArrayEquals(
        new byte[] {1, 'f', 2, 'a', 'b', 0, 0}, Fields.encode(fields("f", "ab", "", "")));
  }

  @Test
  void whatWasEncodedIsDecoded() throws Exception {
    String longValue = "v".repeat(1_000);
    byte[] value = Fields.encode(fields("field0", "zero", "field1", longValue, "feld2", ""));
    assertEquals(Map.of("field0", "zero", "field1", longValue, "feld2", ""), decoded(value, null));
    assertEquals(Map.of("field1", longValue), decoded(value, Set.of("field1", "absent")));
    byte[] among = new byte[value.length + 20];
    Arrays.fill(among, (byte) -1);
    System.arraycopy(value, 0, among, 10, value.length);
    Map<String, ByteIterator> found = new HashMap<>();
    Fields.decode(new Slice(among, 10, value.length), null, found);
    assertEquals(decoded(value, null), StringByteIterator.getStringMap(found));
  }

  @Test
  void aMergeChangesWhatComesAndKeepsTheRest() throws Exception {
    byte[] value = Fields.encode(fields("a", "1", "b", "2"));
    byte[] merged = Fields.merge(new Slice(value), fields("b", "two", "c", "3"));
    assertEquals(Map.of("a", "1", "b", "two", "c", "3"), decoded(merged, null));
  }

  @Test
  void everyCutValueIsRefused() throws Exception {
    byte[] value = Fields.encode(fields("field0", "x".repeat(200)));
    for (int length = 1; length < value.length; length++) {
      Slice cut = new Slice(value, 0, length);
      RequestException refused =
          assertThrows(RequestException.class, () -> Fields.decode(cut, null, new HashMap<>()));
      assertEquals(RequestException.Reason.MALFORMED_RECORD, refused.reason());
      assertTrue(refused.getMessage().contains("of a value of " + length), refused.getMessage());
    }
  }
}
