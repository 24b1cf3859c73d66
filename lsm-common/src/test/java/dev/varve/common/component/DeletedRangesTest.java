package dev.varve.common.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.testkit.Seeds;
import java.util.BitSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Deleted ranges hold the keys of all that were put together, against a set of bits. */
final class DeletedRangesTest {
  private static final int KEYS = 60;

  @Test
  void theyHoldTheKeysOfAllThatWerePutTogether() throws Exception {
    Seeds.run(200, DeletedRangesTest::compare);
  }

  private static void compare(long seed) {
    RandomGenerator random = Seeds.random(seed);
    DeletedRanges ranges = DeletedRanges.NONE;
    BitSet model = new BitSet();
    for (int i = 0; i < 12; i++) {
      int low = random.nextInt(KEYS);
      int high = random.nextInt(10) == 0 ? KEYS : Math.min(KEYS, low + 1 + random.nextInt(8));
      DeletedRanges one =
          DeletedRanges.of(new byte[] {(byte) low}, high == KEYS ? null : new byte[] {(byte) high});
      ranges = random.nextBoolean() ? ranges.with(one) : one.with(ranges);
      model.set(low, high);
      for (int key = 0; key < KEYS; key++) {
        assertEquals(model.get(key), ranges.contains(new Slice(new byte[] {(byte) key})), "" + key);
      }
      assertEquals(runs(model), ranges.count(), "joined where they touch");
      byte[] bytes = ranges.encode();
      assertEquals(bytes.length, ranges.bytes());
      assertEquals(ranges, DeletedRanges.decode(bytes, 0));
    }
    assertTrue(ranges.count() > 0);
  }

  private static int runs(BitSet model) {
    int runs = 0;
    for (int key = 0; key < KEYS; key++) {
      runs += model.get(key) && (key == 0 || !model.get(key - 1)) ? 1 : 0;
    }
    return runs;
  }

  @Test
  void rangesThatOverlapTouchOrHoldNoKeyAreNotRead() {
    for (byte[] wrong :
        new byte[][] {
          {1, 1, 5, 2, 5},
          {1, 1, 5, 2, 4},
          {2, 1, 1, 2, 3, 1, 3, 0},
          {2, 1, 1, 0, 1, 3, 0},
          {1, 1, 5, 2},
          {1, 1, 5, 0, 0},
          {9}
        }) {
      assertThrows(IllegalArgumentException.class, () -> DeletedRanges.decode(wrong, 0));
    }
  }
}
