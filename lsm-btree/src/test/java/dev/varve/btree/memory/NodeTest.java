package dev.varve.btree.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Goal: the search in a node is right for every number of slots and any head. */
final class NodeTest {
  @Test
  void lowerBoundIsTheFirstSlotAtOrAboveAHead() {
    Random random = new Random(7);
    for (int count = 0; count <= Node.FAN_OUT; count++) {
      Node node = Node.leaf();
      for (int i = 0; i < count; i++) {
        // Few different heads, so that there are ties, below and above zero.
        long head = (random.nextInt(60) - 30L) << 57;
        int slot = 0;
        while (slot < i && node.heads[slot] < head) {
          slot++;
        }
        node.insert(slot, head, i);
      }
      requireBounds(node);
    }
  }

  @Test
  void aNodeThatGaveItsUpperHalfAwayIsSearchedLikeOneThatNeverHadIt() {
    Node node = Node.leaf();
    for (int i = 0; i < Node.FAN_OUT; i++) {
      node.insert(i, (i - Node.FAN_OUT / 2L) << 57, i);
    }
    Node right = Node.leaf();
    int at = Node.FAN_OUT / 3;
    node.moveUpper(at, right, at);
    assertEquals(at, node.count);
    assertEquals(Node.FAN_OUT - at, right.count);
    requireBounds(node);
    requireBounds(right);
  }

  @Test
  void theHighestHeadIsFoundThoughFreeSlotsLookLikeIt() {
    Node node = Node.leaf();
    assertEquals(0, Node.lowerBound(node.heads, Long.MAX_VALUE));
    assertEquals(0, Node.upperBound(node.heads, 0, Long.MAX_VALUE));
    node.insert(0, 5, 1);
    node.insert(1, Long.MAX_VALUE, 2);
    node.insert(2, Long.MAX_VALUE, 3);
    assertEquals(1, Node.lowerBound(node.heads, Long.MAX_VALUE));
    assertEquals(3, Node.upperBound(node.heads, 3, Long.MAX_VALUE));
  }

  private static void requireBounds(Node node) {
    for (long wanted = -31; wanted <= 31; wanted++) {
      for (long near = -1; near <= 1; near++) {
        long head = (wanted << 57) + near;
        int lower = 0;
        while (lower < node.count && node.heads[lower] < head) {
          lower++;
        }
        int upper = lower;
        while (upper < node.count && node.heads[upper] == head) {
          upper++;
        }
        String what = node.count + " slots, " + head;
        assertEquals(lower, Node.lowerBound(node.heads, head), what);
        assertEquals(upper, Node.upperBound(node.heads, node.count, head), what);
      }
    }
  }
}
