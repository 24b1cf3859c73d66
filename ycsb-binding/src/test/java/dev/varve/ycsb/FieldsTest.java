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
import org.junit.jupiter.api.function.Executable;
import site.ycsb.ByteIterator;
import site.ycsb.StringByteIterator;

/** A record's fields come back from its value, and bytes that are no such value are refused. */
final class FieldsTest {
  /** Of characters that have three bytes. */
  private static final String LONG_NAME = "\u20ac".repeat(100);

  private static Map<String, ByteIterator> fields(String... namesAndValues) {
    Map<String, ByteIterator> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(namesAndValues[i], new StringByteIterator(namesAndValues[i + 1]));
    }
    return fields;
  }

  private static Map<String, String> decoded(byte[] value, Set<String> wanted) throws Exception {
    Map<String, ByteIterator> fields = new HashMap<>();
    byte[] around = new byte[value.length + 5];
    System.arraycopy(value, 0, around, 3, value.length);
    new Fields().decode(new Slice(around, 3, value.length), wanted, fields);
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
  }

  /** A value among other bytes, as a cursor shows it. */
  private static Slice among(byte[] value) {
    byte[] among = new byte[value.length + 20];
    Arrays.fill(among, (byte) -1);
    System.arraycopy(value, 0, among, 10, value.length);
    return new Slice(among, 10, value.length);
  }

  @Test
  void aMergeChangesWhatComesAndKeepsTheRest() throws Exception {
    String longValue = "v".repeat(1_000);
    byte[] value = Fields.encode(fields("a", "1", "b", "2", "\u20ac", "3"));
    Slice merged =
        new Fields().merge(among(value), fields("b", longValue, LONG_NAME, "4", "\u20ac", ""));
    assertEquals(
        Map.of("a", "1", "b", longValue, "\u20ac", "", LONG_NAME, "4"),
        decoded(merged.toByteArray(), null));
    Slice shorter = new Fields().merge(merged, fields("b", "5"));
    assertEquals(
        Map.of("a", "1", "b", "5", "\u20ac", "", LONG_NAME, "4"),
        decoded(shorter.toByteArray(), null));
  }

  @Test
  void recordsWithOtherNamesInTheSamePlacesKeepTheirs() throws Exception {
    Fields reader = new Fields();
    for (String prefix : new String[] {"a", "a", "ab", "b", "a"}) {
      Map<String, String> expected = new HashMap<>();
      Map<String, ByteIterator> record = new LinkedHashMap<>();
      for (int i = 0; i < 100; i++) {
        expected.put(prefix + i, "of " + prefix + i);
        record.put(prefix + i, new StringByteIterator("of " + prefix + i));
      }
      Map<String, ByteIterator> found = new HashMap<>();
      reader.decode(new Slice(Fields.encode(record)), null, found);
      assertEquals(expected, StringByteIterator.getStringMap(found));
    }
  }

  @Test
  void everyCutValueIsRefused() throws Exception {
    byte[] value = Fields.encode(fields("field0", "x".repeat(200)));
    for (int length = 1; length < value.length; length++) {
      byte[] cut = Arrays.copyOf(value, length);
      assertRefused(length, () -> new Fields().decode(new Slice(cut), null, new HashMap<>()));
      assertRefused(length, () -> new Fields().merge(among(cut), fields("field0", "y")));
    }
  }

  private static void assertRefused(int length, Executable reading) {
    RequestException refused = assertThrows(RequestException.class, reading);
    assertEquals(RequestException.Reason.MALFORMED_RECORD, refused.reason());
    assertTrue(refused.getMessage().contains("of a value of " + length), refused.getMessage());
  }
}
