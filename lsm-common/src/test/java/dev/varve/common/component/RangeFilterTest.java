package dev.varve.common.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Goal: a filter never leaves out a value that it was told of. Method: by hand, at each rule of the
 * class.
 */
final class RangeFilterTest {
  private static Slice value(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  private static RangeFilter of(String... values) {
    RangeFilter filter = RangeFilter.EMPTY;
    for (String value : values) {
      filter = filter.covering(value(value));
    }
    return filter;
  }

  /** Whether a reader of values from one to another looks into the component. */
  private static boolean isRead(RangeFilter filter, String low, String high) {
    return filter.mayHold(
        (smallest, largest) ->
            smallest.compareBytes(value(high)) <= 0 && largest.compareBytes(value(low)) >= 0);
  }

  @Test
  void itCoversWhatItWasToldOfAndWhatLiesBetween() {
    RangeFilter filter = of("m", "f", "h");
    assertTrue(filter.covers(value("f")) && filter.covers(value("g")) && filter.covers(value("m")));
    assertFalse(filter.covers(value("e")) || filter.covers(value("n")));
    assertTrue(isRead(filter, "a", "f") && isRead(filter, "g", "g") && isRead(filter, "m", "z"));
    assertFalse(isRead(filter, "a", "e") || isRead(filter, "n", "z"));
  }

  @Test
  void withoutAValueItIsReadByNobodyAndWithoutKnowledgeByAll() {
    assertFalse(isRead(RangeFilter.EMPTY, "", "z"));
    assertFalse(RangeFilter.EMPTY.covers(value("a")));
    assertTrue(isRead(RangeFilter.UNKNOWN, "a", "a"));
    assertTrue(RangeFilter.UNKNOWN.covers(value("a")));
    assertSame(RangeFilter.UNKNOWN, RangeFilter.UNKNOWN.covering(value("a")));
  }

  @Test
  void twoTogetherKnowWhatBothKnow() {
    assertEquals(of("a", "z"), of("a").with(of("z")));
    assertEquals(of("a"), RangeFilter.EMPTY.with(of("a")));
    assertEquals(of("a"), of("a").with(RangeFilter.EMPTY));
    assertEquals(of("a", "z").heldOnly(), of("a").heldOnly().with(of("z")));
    assertEquals(of("a", "z").heldOnly(), of("a").with(of("z").heldOnly()));
    assertEquals(RangeFilter.UNKNOWN, of("a").with(RangeFilter.UNKNOWN));
    assertEquals(RangeFilter.UNKNOWN, RangeFilter.UNKNOWN.with(of("a").heldOnly()));
  }

  @Test
  void whatHidesNothingCoversAllThatItHides() {
    assertEquals(of("a"), of("a").heldOnly().hidingNothing());
    assertEquals(RangeFilter.UNKNOWN, RangeFilter.UNKNOWN.hidingNothing());
    assertEquals(RangeFilter.UNKNOWN, RangeFilter.UNKNOWN.heldOnly());
  }

  @Test
  void longValuesAreCutToBoundsThatStillCoverThem() {
    byte[] low = new byte[RangeFilter.MAX_BOUND_BYTES + 10];
    Arrays.fill(low, (byte) 5);
    byte[] high = new byte[RangeFilter.MAX_BOUND_BYTES + 10];
    Arrays.fill(high, (byte) 0xFF);
    high[0] = 6;
    RangeFilter filter = RangeFilter.EMPTY.covering(new Slice(low)).covering(new Slice(high));
    assertTrue(filter.covers(new Slice(low)) && filter.covers(new Slice(high)));
    Slice smallest = filter.smallest();
    Slice largest = filter.largest();
    assertTrue(smallest != null && smallest.length() == RangeFilter.MAX_BOUND_BYTES);
    assertTrue(largest != null && largest.sameBytes(new Slice(new byte[] {7})));
    Arrays.fill(high, (byte) 0xFF);
    assertSame(RangeFilter.UNKNOWN, filter.covering(new Slice(high)));
  }

  @Test
  void aValueIsCopied() {
    Slice reused = value("m");
    RangeFilter filter = RangeFilter.EMPTY.covering(reused);
    reused.bytes()[0] = 'z';
    assertTrue(filter.covers(value("m")));
  }

  @Test
  void boundsOutOfOrderAreRefused() {
    Slice a = value("a");
    Slice b = value("b");
    assertThrows(
        IllegalArgumentException.class, () -> new RangeFilter(RangeFilter.Coverage.WHOLE, b, a));
    assertThrows(
        IllegalArgumentException.class, () -> new RangeFilter(RangeFilter.Coverage.WHOLE, a, null));
    assertThrows(
        IllegalArgumentException.class, () -> new RangeFilter(RangeFilter.Coverage.UNKNOWN, a, b));
  }
}
