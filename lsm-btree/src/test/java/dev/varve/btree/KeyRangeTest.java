package dev.varve.btree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import org.junit.jupiter.api.Test;

/** Each form of a range is asked about keys at, below and above its ends. */
class KeyRangeTest {
  private static byte[] key(int... bytes) {
    byte[] key = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      key[i] = (byte) bytes[i];
    }
    return key;
  }

  private static boolean contains(KeyRange range, int... bytes) {
    return range.contains(new Slice(key(bytes)));
  }

  @Test
  void everyKeyIsInTheRangeOfAll() {
    assertTrue(contains(KeyRange.all()));
    assertTrue(contains(KeyRange.all(), 255, 255));
  }

  @Test
  void closedRangesHoldBothEndsAndCompareUnsigned() {
    KeyRange range = KeyRange.closed(key(5), key(200));
    assertFalse(contains(range, 4, 255));
    assertTrue(contains(range, 5));
    assertTrue(contains(range, 130));
    assertTrue(contains(range, 200));
    assertFalse(contains(range, 200, 0));
    assertFalse(contains(KeyRange.closedOpen(key(5), key(200)), 200));
  }

  @Test
  void halfOpenRangesEndAtOneSideOnly() {
    assertTrue(contains(KeyRange.atLeast(key(7)), 7));
    assertFalse(contains(KeyRange.greaterThan(key(7)), 7));
    assertTrue(contains(KeyRange.greaterThan(key(7)), 7, 0));
    assertTrue(contains(KeyRange.atMost(key(7)), 7));
    assertFalse(contains(KeyRange.lessThan(key(7)), 7));
    assertTrue(contains(KeyRange.lessThan(key(7))));
  }

  @Test
  void aPrefixRangeEndsBeforeThePrefixsSuccessor() {
    KeyRange range = KeyRange.prefix(key(3, 255));
    assertFalse(contains(range, 3, 254, 255));
    assertTrue(contains(range, 3, 255));
    assertTrue(contains(range, 3, 255, 255, 255));
    assertFalse(contains(range, 4));
    assertFalse(KeyRange.prefix(key(255, 255)).high().isBounded());
    assertTrue(contains(KeyRange.prefix(key()), 1));
  }

  @Test
  void aRangeKeepsItsKeysWhenTheCallersArrayChanges() {
    byte[] low = key(5);
    KeyRange range = KeyRange.exactly(low);
    low[0] = 9;
    assertTrue(contains(range, 5));
    assertFalse(contains(range, 9));
  }

  @Test
  void rangesAreValues() {
    assertEquals(KeyRange.prefix(key(1)), KeyRange.closedOpen(key(1), key(2)));
    assertEquals(
        KeyRange.prefix(key(1)).hashCode(), KeyRange.closedOpen(key(1), key(2)).hashCode());
    assertNotEquals(KeyRange.all(), KeyRange.all().descending());
    assertEquals(KeyRange.all(), KeyRange.all().descending().ascending());
    assertNotEquals(KeyBound.inclusive(key(1)), KeyBound.exclusive(key(1)));
    assertEquals("INCLUSIVE 01ff", KeyBound.inclusive(new Slice(key(1, 255))).toString());
  }
}
