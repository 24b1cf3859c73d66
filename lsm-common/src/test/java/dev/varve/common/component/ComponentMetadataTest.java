package dev.varve.common.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.error.CorruptionException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Goal: the metadata page keeps its bytes. Method: the worked example of docs/format/component.md.
 */
final class ComponentMetadataTest {
  private static final ComponentMetadata EXAMPLE =
      new ComponentMetadata("btree", new ComponentId(1, 1), 80, 2, 0, 1, 2);

  @Test
  void theWorkedExampleOfTheFormatPageHolds() {
    assertEquals(
        "01000000000000000100000000000000"
            + "50000000000000000200000000000000"
            + "00000000000000000100000002000000"
            + "05006274726565",
        HexFormat.of().formatHex(EXAMPLE.encode()));
  }

  @Test
  void whatIsEncodedIsDecoded() throws CorruptionException {
    assertEquals(EXAMPLE, ComponentMetadata.decode(EXAMPLE.encode(), "file"));
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] bytes = EXAMPLE.encode();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(CorruptionException.class, () -> ComponentMetadata.decode(cut, "file"));
    }
  }
}
