package dev.varve.common.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The hash spreads keys that differ little, and never changes. */
final class KeyHashTest {
  @Test
  void hashesAreThoseOfEveryRelease() {
    byte[] key = new byte[40];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (7 * i + 1);
    }
    StringBuilder rows = new StringBuilder();
    for (int length : new int[] {0, 1, 3, 4, 7, 8, 15, 16, 17, 32, 33, 40}) {
      rows.append(String.format("| %d | `%016x` |%n", length, KeyHash.hash(key, 0, length)));
    }
    Golden.requireSame("v1/key-hash.txt", "filter.md", rows.toString());
  }

  @Test
  void everyBitOfAKeyMovesHalfOfTheHash() {
    RandomGenerator random = Seeds.random(Seeds.one(3));
    for (int length = 1; length <= 48; length++) {
      byte[] key = new byte[length];
      int[] flipsOfBit = new int[Long.SIZE];
      int trials = 0;
      for (int round = 0; round < 40; round++) {
        random.nextBytes(key);
        long hash = KeyHash.hash(key, 0, length);
        for (int bit = 0; bit < length * Byte.SIZE; bit++) {
          key[bit >>> 3] ^= (byte) (1 << (bit & 7));
          long moved = hash ^ KeyHash.hash(key, 0, length);
          key[bit >>> 3] ^= (byte) (1 << (bit & 7));
          trials++;
          for (int i = 0; i < Long.SIZE; i++) {
            flipsOfBit[i] += (int) (moved >>> i) & 1;
          }
        }
      }
      // Five standard deviations of a fair coin.
      double slack = 5 * Math.sqrt(trials) / 2;
      for (int i = 0; i < Long.SIZE; i++) {
        assertEquals(trials / 2.0, flipsOfBit[i], slack, "length " + length + " bit " + i);
      }
    }
  }

  @Test
  void theSameBytesHashAlikeWhereverTheyStandAndOtherLengthsDoNot() {
    byte[] zeros = new byte[100];
    Set<Long> seen = new HashSet<>();
    for (int length = 0; length < zeros.length; length++) {
      assertTrue(seen.add(KeyHash.hash(zeros, 0, length)));
      assertEquals(
          KeyHash.hash(zeros, 0, length),
          KeyHash.hash(new Slice(zeros, zeros.length - length, length)));
    }
  }

  @Test
  void consecutiveNumbersNeverMeet() {
    Set<Long> seen = new HashSet<>();
    byte[] key = new byte[9];
    for (int i = 0; i < 300_000; i++) {
      Bytes.putLongBigEndian(key, 1, i);
      assertTrue(seen.add(KeyHash.hash(key, 0, key.length)));
    }
  }
}
