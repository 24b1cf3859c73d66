package dev.varve.btree.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.testkit.Seeds;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The search from a guess gives what a look at every head gives, whatever the guess. */
class KeyPrefixesTest {
  private static final long SEED = 20261121;
  private static final int STRIDE = 10;

  @Test
  void anyGuessLeadsToTheFirstHeadThatIsNotBelow() {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    for (int count = 0; count < 60; count++) {
      Long[] heads = new Long[count];
      Arrays.setAll(heads, i -> (long) random.nextInt(-20, 20));
      Arrays.sort(heads, Long::compareUnsigned);
      byte[] page = new byte[STRIDE * count + 7];
      for (int i = 0; i < count; i++) {
        Bytes.putLongBigEndian(page, 7 + STRIDE * i, heads[i]);
      }
      for (long head = -22; head < 22; head++) {
        int expected = 0;
        while (expected < count && Long.compareUnsigned(heads[expected], head) < 0) {
          expected++;
        }
        for (int near = 0; near <= count; near++) {
          assertEquals(expected, KeyPrefixes.lowerBoundNear(page, 7, STRIDE, count, head, near));
        }
      }
    }
  }
}
