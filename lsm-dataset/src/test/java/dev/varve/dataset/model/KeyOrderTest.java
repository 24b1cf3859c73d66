package dev.varve.dataset.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.testkit.Seeds;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Keys are sorted as bytes, however much of their beginnings they share. */
class KeyOrderTest {
  @Test
  void allKeysComeInTheOrderOfTheirBytes() throws Exception {
    Seeds.run(
        300,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          int values = 1 + random.nextInt(4);
          int longest = 1 + random.nextInt(20);
          Slice[] keys = new Slice[random.nextInt(200)];
          Arrays.setAll(keys, i -> key(random, values, longest));
          check(keys);
        });
  }

  /** Of few different bytes, with signs, after a few that have nothing to do with the key. */
  private static Slice key(RandomGenerator random, int values, int longest) {
    byte[] bytes = new byte[3 + random.nextInt(longest)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (100 * random.nextInt(values));
    }
    return new Slice(bytes, 2, bytes.length - 2);
  }

  private static void check(Slice[] keys) {
    int[] order = KeyOrder.ascending(keys.length, (position, view) -> keys[position]);
    for (int i = 1; i < order.length; i++) {
      assertTrue(keys[order[i - 1]].compareBytes(keys[order[i]]) <= 0);
    }
    assertEquals(keys.length, Arrays.stream(order).distinct().count());
  }
}
