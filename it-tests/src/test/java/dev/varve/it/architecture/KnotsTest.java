package dev.varve.it.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Goal: the ratchet's knots are those that are there. Method: graphs whose knots are known, and the
 * compiled classes of all modules.
 */
final class KnotsTest {
  @Test
  void aChainHasNoKnotLargerThanOneClass() {
    assertEquals(
        Set.of("a"),
        Knots.largest(Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.<String>of())));
  }

  @Test
  void twoCirclesThatShareAClassAreOneKnot() {
    assertEquals(
        Set.of("a", "b", "c"),
        Knots.largest(
            Map.of(
                "a", Set.of("b"),
                "b", Set.of("a", "c"),
                "c", Set.of("b", "d"),
                "d", Set.of("e"),
                "e", Set.of("d"))));
  }

  @Test
  void aModuleWithoutClassesHasNoKnot() {
    assertEquals(Set.of(), Knots.largest(Map.of()));
  }

  /** Otherwise a module that was not compiled would be one without knots. */
  @Test
  void theClassesOfEveryModuleAreSeen() {
    Knots.measure(Repository.mainClasses())
        .forEach((name, measure) -> assertTrue(measure.value() > 0, name + " has no classes"));
  }
}
