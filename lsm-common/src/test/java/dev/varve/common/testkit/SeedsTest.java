package dev.varve.common.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: a failing seed can be replayed from the message alone. */
final class SeedsTest {
  @Test
  void aFailureNamesTheSeedThatReplaysIt() {
    AssertionError failure =
        assertThrows(
            AssertionError.class,
            () ->
                Seeds.run(
                    5,
                    seed -> {
                      if (seed != 1) {
                        throw new IllegalStateException("broken");
                      }
                    }));
    assertTrue(failure.getMessage().contains("-D" + Seeds.PROPERTY + "="), failure::getMessage);
    assertTrue(failure.getMessage().contains("broken"), failure::getMessage);
  }

  @Test
  void everySeedRunsOnceInOrder() throws Exception {
    List<Long> seen = new ArrayList<>();
    Seeds.run(3, seen::add);
    assertEquals(
        Long.getLong(Seeds.PROPERTY) == null
            ? List.of(1L, 2L, 3L)
            : List.of(Long.getLong(Seeds.PROPERTY)),
        seen);
  }

  @Test
  void equalSeedsGiveEqualNumbers() {
    assertEquals(Seeds.random(9).nextLong(), Seeds.random(9).nextLong());
  }
}
