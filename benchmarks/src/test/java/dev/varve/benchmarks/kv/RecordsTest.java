package dev.varve.benchmarks.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

/**
 * Goal: records are what a comparison takes them for: different, repeatable, half compressible.
 * Method: generate a lot of them.
 */
final class RecordsTest {
  private static final long SEED = 42;

  /** Each step of the scramble is undone, so no two numbers can share a result. */
  @Test
  void scrambleIsOneToOne() {
    for (long number = -50_000; number < 50_000; number++) {
      assertEquals(number, unscramble(Records.scramble(number)));
    }
  }

  private static long unscramble(long scrambled) {
    long number = unshift(scrambled, 31);
    number = unshift(number * inverse(0x94D049BB133111EBL), 27);
    return unshift(number * inverse(0xBF58476D1CE4E5B9L), 30);
  }

  private static long unshift(long shifted, int bits) {
    return shifted ^ (shifted >>> bits) ^ (shifted >>> (2 * bits));
  }

  /** The inverse of an odd number modulo 2 to the 64th, by Newton's steps. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int step = 0; step < 6; step++) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  @Test
  void keysOfDifferentNumbersDiffer() {
    Records records = new Records(KeyOrder.RANDOM, SEED);
    Set<String> seen = new HashSet<>();
    byte[] key = new byte[Records.KEY_BYTES];
    for (long number = 0; number < 100_000; number++) {
      records.key(number, key);
      assertTrue(seen.add(Arrays.toString(key)), "number " + number);
    }
  }

  @Test
  void increasingKeysIncrease() {
    Records records = new Records(KeyOrder.INCREASING, SEED);
    byte[] last = new byte[Records.KEY_BYTES];
    byte[] key = new byte[Records.KEY_BYTES];
    for (long number = 1; number < 10_000; number++) {
      records.key(number, key);
      assertTrue(Arrays.compareUnsigned(last, key) < 0, "number " + number);
      last = key.clone();
    }
  }

  @Test
  void valuesAreRepeatableAndVersionsDiffer() {
    byte[] first = new byte[100];
    byte[] again = new byte[100];
    byte[] other = new byte[100];
    new Records(KeyOrder.RANDOM, SEED).value(7, 0, first);
    new Records(KeyOrder.RANDOM, SEED).value(7, 0, again);
    new Records(KeyOrder.RANDOM, SEED).value(7, 1, other);
    assertTrue(Arrays.equals(first, again));
    assertTrue(!Arrays.equals(first, other));
  }

  @Test
  void aBlockOfValuesCompressesToAboutHalf() throws java.io.IOException {
    Records records = new Records(KeyOrder.RANDOM, SEED);
    byte[] value = new byte[100];
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    int bytes = 0;
    try (DeflaterOutputStream out =
        new DeflaterOutputStream(compressed, new Deflater(Deflater.BEST_SPEED))) {
      for (int number = 0; number < 160; number++) {
        records.value(number, 0, value);
        out.write(value);
        bytes += value.length;
      }
    }
    double share = compressed.size() / (double) bytes;
    assertTrue(share > 0.4 && share < 0.7, "compressed to " + share);
  }
}
