package dev.varve.dataset.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: a range that is asked for is the range that is deleted, and nothing is read into others.
 */
final class EngineRequestTest {
  private static final byte[] LOW = {0, 'a'};
  private static final byte[] HIGH = {(byte) 0xFF};

  @Test
  void aRangeComesBackAsItWas() {
    for (KeyRange range :
        List.of(
            KeyRange.all(),
            KeyRange.atLeast(LOW),
            KeyRange.lessThan(HIGH),
            KeyRange.closedOpen(LOW, HIGH),
            KeyRange.lessThan(new byte[0]))) {
      EngineRequest request = EngineRequest.deleteRange("pairs", range);
      assertEquals(range, request.range(), request.argument());
    }
  }

  @Test
  void whatIsNoSuchRangeIsRefused() {
    for (KeyRange range :
        List.of(
            KeyRange.atMost(HIGH),
            KeyRange.between(KeyBound.exclusive(LOW), KeyBound.unbounded()))) {
      assertThrows(IllegalArgumentException.class, () -> EngineRequest.deleteRange("pairs", range));
    }
    for (String argument : new String[] {"", "0x61", "61\n", "\n0x6", "\n\n"}) {
      EngineRequest request = new EngineRequest(EngineRequest.Verb.DELETE_RANGE, "pairs", argument);
      assertThrows(IllegalArgumentException.class, request::range, argument);
    }
    assertThrows(IllegalArgumentException.class, EngineRequest.compact()::range);
  }
}
