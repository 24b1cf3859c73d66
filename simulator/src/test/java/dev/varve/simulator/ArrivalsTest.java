package dev.varve.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: arrivals are read as they are described. */
final class ArrivalsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "closed",
        "constant:8000",
        "constant:0.50",
        "burst:2000x1500,8000x300",
        "burst:5x10,7"
      })
  void whatIsDescribedIsReadBack(String text) {
    assertEquals(text, Arrivals.parse(text).describe());
    assertEquals(Arrivals.parse(text), Arrivals.parse(Arrivals.parse(text).describe()));
  }

  @Test
  void aBurstIsItsPhases() {
    assertEquals(
        List.of(new Arrivals.Phase(2000, 1500), new Arrivals.Phase(8000, 300)),
        Arrivals.parse("burst:2000x1500,8000x300").phases());
    assertTrue(Arrivals.parse(" CLOSED ").isClosed());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "open",
        "constant",
        "constant:",
        "constant:-1",
        "burst:1x0",
        "burst:x",
        "constant:1:2"
      })
  void otherTextsAreRefusedWithWhatWouldBeRight(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Arrivals.parse(text));
    assertTrue(refused.getMessage().contains(Arrivals.SYNTAX), refused.getMessage());
  }
}
