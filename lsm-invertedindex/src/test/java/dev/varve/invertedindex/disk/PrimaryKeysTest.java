package dev.varve.invertedindex.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every key has its ordinal, whichever was looked for before, and no other key has one. */
final class PrimaryKeysTest {
  /** Distinct keys in ascending order, of more than one chunk. */
  private static List<byte[]> keys(Random random, int count) {
    TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    while (keys.size() < count) {
      byte[] key = new byte[1 + random.nextInt(60)];
      random.nextBytes(key);
      if (random.nextInt(4) == 0) {
        Arrays.fill(key, (byte) 0); // as the rest of a chunk
      }
      keys.add(key);
    }
    return new ArrayList<>(keys);
  }

  @Test
  void everyKeyHasItsOrdinalAndNoOther() throws LimitException {
    long seed = 11;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int count : new int[] {0, 1, 2, 500, 9_000}) {
      List<byte[]> all = keys(random, 2 * count);
      PrimaryKeys some = new PrimaryKeys();
      for (int i = 1; i < all.size(); i += 2) {
        some.add(new Slice(all.get(i)));
      }
      some.seal();
      assertEquals(PrimaryKeys.NONE, some.find(new Slice(new byte[0])));
      for (int i = 0; i < all.size(); i++) {
        assertEquals(i % 2 == 0 ? PrimaryKeys.NONE : i / 2, some.find(new Slice(all.get(i))));
      }
      for (int i = 0; i < count; i++) {
        int at = random.nextInt(all.size());
        for (; at < all.size() && random.nextInt(5) > 0; at++) {
          assertEquals(at % 2 == 0 ? PrimaryKeys.NONE : at / 2, some.find(new Slice(all.get(at))));
        }
      }
      for (int i = 1; i < all.size(); i += 2) {
        assertEquals(i / 2, some.find(new Slice(all.get(i))), "one behind the other");
      }
    }
  }
}
