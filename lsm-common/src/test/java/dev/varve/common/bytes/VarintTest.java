package dev.varve.common.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.testkit.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Integers of variable length: round trips at every length, and refusal of what is malformed. */
final class VarintTest {
  @Test
  void everyLengthRoundTrips() {
    RandomGenerator random = Seeds.random(Seeds.one(42));
    byte[] bytes = new byte[32];
    for (int round = 0; round < 100_000; round++) {
      long wide = random.nextLong() >>> random.nextInt(64);
      int end = Varint.putLong(bytes, 3, wide);
      assertEquals(3 + Varint.sizeOf(wide), end);
      assertEquals(wide, Varint.getLong(bytes, 3));
      assertEquals(wide < 0 ? Varint.MALFORMED : wide, Varint.get(bytes, 3, bytes.length));
      assertEquals(Varint.MALFORMED, Varint.get(bytes, 3, end - 1));
      int narrow = random.nextInt() >>> random.nextInt(32);
      assertEquals(1 + Varint.sizeOf(narrow), Varint.putInt(bytes, 1, narrow));
      assertEquals(narrow, Varint.getInt(bytes, 1));
    }
  }

  @Test
  void boundsOfTheLengthsAreWhereSevenBitsEnd() {
    assertEquals(1, Varint.sizeOf(0));
    assertEquals(1, Varint.sizeOf(127));
    assertEquals(2, Varint.sizeOf(128));
    assertEquals(Varint.MAX_INT_BYTES, Varint.sizeOf(-1));
    assertEquals(Varint.MAX_LONG_BYTES, Varint.sizeOf(-1L));
    assertEquals(9, Varint.sizeOf(Long.MAX_VALUE));
  }

  @Test
  void longerThanNeedBeOrWithoutAnEndIsMalformed() {
    assertEquals(Varint.MALFORMED, Varint.get(new byte[] {(byte) 0x80, 0}, 0, 2));
    byte[] endless = new byte[12];
    java.util.Arrays.fill(endless, (byte) 0xFF);
    assertEquals(Varint.MALFORMED, Varint.get(endless, 0, endless.length));
    assertEquals(Varint.MALFORMED, Varint.get(endless, 0, 0));
  }
}
