package dev.varve.common.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The checksum is CRC-32C, in one piece or in several. */
final class Crc32cTest {
  private static final byte[] DIGITS = "123456789".getBytes(StandardCharsets.US_ASCII);

  @Test
  void theCheckValueOfTheAlgorithmIsMet() {
    assertEquals(0xE3069283, Crc32c.of(DIGITS, 0, DIGITS.length));
  }

  @Test
  void piecesAndNumbersAddUpToTheirBytes() {
    byte[] bytes = new byte[23];
    System.arraycopy(DIGITS, 0, bytes, 0, 9);
    Bytes.putInt(bytes, 9, 0x80C0FF01);
    Bytes.putLong(bytes, 13, 0x8123456789ABCDEFL);
    Crc32c sum = new Crc32c().update(bytes, 0, 5);
    sum.reset().update(DIGITS, 0, 4).update(DIGITS, 4, 5);
    sum.updateInt(0x80C0FF01).updateLong(0x8123456789ABCDEFL);
    assertEquals(Crc32c.of(bytes, 0, 21), sum.value());
  }
}
