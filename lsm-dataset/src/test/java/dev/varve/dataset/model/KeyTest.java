package dev.varve.dataset.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Keys order as their values do; ranges over a first value hold every key that begins with it. */
class KeyTest {
  @Test
  void keysOrderAsTheirValues() {
    List<Key> ascending =
        List.of(
            Key.of((Object) null),
            Key.of(false),
            Key.of(true),
            Key.of(-5),
            Key.of(-4.5),
            Key.of(1L, "a"),
            Key.of(1L, "b"),
            Key.of(2),
            Key.of(""),
            Key.of("a"),
            Key.of("ab"),
            Key.of(new byte[] {1}));
    for (int i = 1; i < ascending.size(); i++) {
      assertTrue(ascending.get(i - 1).compareTo(ascending.get(i)) < 0, "at " + i);
    }
    assertEquals(Key.of(1), Key.of(1.0));
    assertEquals(Key.of(1).hashCode(), Key.of(1L).hashCode());
  }

  @Test
  void aKeyPrintsItsValues() {
    assertEquals("<1, \"a\", null, true, 0.5>", Key.of(1, "a", null, true, 0.5).toString());
    assertEquals("fe00", Key.ofBytes(new byte[] {(byte) 0xFE, 0}).toString());
    assertThrows(IllegalArgumentException.class, () -> Key.of(List.of()));
  }

  @Test
  void everyWholeNumberTypeIsTakenAndDecimalsAreExactOrRefused() {
    Key one = Key.of(1);
    for (Object same :
        List.of((byte) 1, (short) 1, 1L, 1.0, BigInteger.ONE, new BigDecimal("1.00"))) {
      assertEquals(one, Key.of(same), same.getClass()::getName);
    }
    assertEquals(Key.of(0.1), Key.of(new BigDecimal("0.1")));
    assertEquals(Key.of(Long.MAX_VALUE), Key.of(BigInteger.valueOf(Long.MAX_VALUE)));
    assertThrows(
        IllegalArgumentException.class, () -> Key.of(new BigDecimal("9007199254740992.5")));
  }

  @Test
  void aRefusedTypeIsNamedBesideThoseThatAreTaken() {
    for (Object wrong : List.of(1.5f, new UUID(1, 2), Instant.EPOCH, 'c', List.of())) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> Key.of(wrong));
      String said = refused.getMessage();
      assertTrue(said.startsWith(wrong.getClass().getName()), said);
      assertTrue(said.contains("BigDecimal") && said.contains("byte[]"), said);
    }
    NullPointerException none =
        assertThrows(NullPointerException.class, () -> Key.of((Object[]) null));
    assertEquals("values", none.getMessage());
  }

  @Test
  void aBoundWithFewerValuesStandsForAllKeysThatBeginWithIt() {
    KeyRange range = ValueRange.closed(Key.of(1), Key.of(2));
    assertTrue(range.contains(Key.of(1, "a").toSlice()));
    assertTrue(range.contains(Key.of(2, "zzz", 9).toSlice()));
    assertFalse(range.contains(Key.of(2.5).toSlice()));
    assertFalse(range.contains(Key.of(0.5, "a").toSlice()));
    assertFalse(ValueRange.below(Key.of(2)).contains(Key.of(2, 1).toSlice()));
    assertFalse(ValueRange.above(Key.of(2)).contains(Key.of(2, 1).toSlice()));
    assertTrue(ValueRange.above(Key.of(2)).contains(Key.of(2.5).toSlice()));
    assertFalse(ValueRange.open(Key.of(1), Key.of(2)).contains(Key.of(1, "a").toSlice()));
    assertTrue(ValueRange.openClosed(Key.of(1), Key.of(2)).contains(Key.of(2, "a").toSlice()));
    assertTrue(ValueRange.atMost(Key.of(2)).contains(Key.of(2, 1).toSlice()));
    assertTrue(ValueRange.exactly(Key.of("a")).contains(Key.of("a", 7).toSlice()));
    assertFalse(ValueRange.exactly(Key.of("a")).contains(Key.of("ab", 7).toSlice()));
  }

  @Test
  void keysSpreadEvenlyOverPartitions() {
    int[] counts = new int[7];
    for (int i = 0; i < 70_000; i++) {
      counts[Routing.partition(Key.of(i).toSlice(), counts.length)]++;
    }
    assertTrue(Arrays.stream(counts).allMatch(count -> count > 9_500 && count < 10_500));
  }

  @Test
  void routingStaysAsItIs() {
    // A golden value: records are found again only under the routing that they were stored by.
    assertEquals(
        "[7, 4, 7, 3, 7]",
        Arrays.toString(
            new int[] {
              Routing.partition(Key.of(1).toSlice(), 8),
              Routing.partition(Key.of("tweet").toSlice(), 8),
              Routing.partition(Key.of(1, "a").toSlice(), 8),
              Routing.partition(Key.of(-1).toSlice(), 8),
              Routing.partition(Key.of(1L << 40).toSlice(), 8)
            }));
  }

  @Test
  void aPathNeedsItsSteps() {
    assertEquals(List.of("a", "b"), FieldPath.parse("a.b").steps());
    assertThrows(IllegalArgumentException.class, () -> FieldPath.parse("a..b"));
    assertThrows(IllegalArgumentException.class, () -> FieldPath.parse(""));
    assertThrows(IllegalArgumentException.class, () -> FieldPath.parse("x".repeat(256)));
  }
}
