package dev.varve.common.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Goal: what is sealed is opened again, in the bytes of the format page, and no changed byte
 * passes. Method: objects with none, one and several fields, and documents of the earlier form.
 */
final class ChecksummedJsonTest {
  private static final List<String> OBJECTS =
      List.of("{}", "{\"a\":1}", "{\"kind\":\"käse\",\"list\":[1,2,{}]}", "{\"a\":\"crc32c\"}");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void anObjectComesBack() {
    for (String object : OBJECTS) {
      assertEquals(Optional.of(object), ChecksummedJson.open(ChecksummedJson.seal(object)));
    }
    assertArrayEquals(bytes("{\"crc32c\":\"ba6cac67\"}\n"), ChecksummedJson.seal("{}"));
    assertArrayEquals(
        bytes("{\"verb\":\"LOOK\",\"store\":\"\",\"argument\":\"\",\"crc32c\":\"8246a6ab\"}\n"),
        ChecksummedJson.seal("{\"verb\":\"LOOK\",\"store\":\"\",\"argument\":\"\"}"));
    assertThrows(IllegalArgumentException.class, () -> ChecksummedJson.seal("[]"));
  }

  @Test
  void anEarlierDocumentIsRead() {
    String object = "{\"verb\":\"LOOK\",\"store\":\"\",\"argument\":\"\"}";
    byte[] earlier = bytes(object + "\n#crc32c 2108ff7b\n");
    assertEquals(Optional.of(object), ChecksummedJson.open(earlier));
    assertNoChangePasses(earlier);
  }

  @Test
  void noChangedAndNoMissingBytePasses() {
    for (String object : OBJECTS) {
      assertNoChangePasses(ChecksummedJson.seal(object));
    }
  }

  private static void assertNoChangePasses(byte[] document) {
    for (int at = 0; at < document.length; at++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        byte[] changed = document.clone();
        changed[at] ^= (byte) (1 << bit);
        assertEquals(Optional.empty(), ChecksummedJson.open(changed), "bit " + bit + " of " + at);
      }
      assertEquals(Optional.empty(), ChecksummedJson.open(Arrays.copyOf(document, at)));
    }
  }
}
