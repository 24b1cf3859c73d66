package dev.varve.btree.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Goal: the search in a node is right for every number of slots and any unsigned head. */
final class NodeTest {
  @Test
  void lowerBoundIsTheFirstSlotAtOrAboveAHead() {
    Random random = new Random(7);
    for (int count = 0; count <= Node.FAN_OUT; count++) {
      long[] heads = new long[Node.FAN_OUT];
      for (int i = 0; i < count; i++) {
        // Few different heads, so that there are ties, and both halves of the unsigned range.
        heads[i] = (random.nextInt(60) - 30L) << 57;
      }
      Long[] sorted = Arrays.stream(heads, 0, count).boxed().toArray(Long[]::new);
      Arrays.sort(sorted, Long::compareUnsigned);
      for (int i = 0; i < count; i++) {
        heads[i] = sorted[i];
      }
      for (long wanted = -31; wanted <= 31; wanted++) {
        for (long near = -1; near <= 1; near++) {
          long head = (wanted << 57) + near;
          int expected = 0;
          while (expected < count && Long.compareUnsigned(heads[expected], head) < 0) {
            expected++;
          }
          assertEquals(expected, Node.lowerBound(heads, count, head), count + " slots, " + head);
        }
      }
    }
  }
}
