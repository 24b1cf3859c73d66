package dev.varve.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.merge.MergePolicy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Goal: what a policy prints is read back, and what can't be read says why. Method: examples. */
final class PolicyTextTest {
  @Test
  void whatAPolicyPrintsIsReadBack() {
    for (MergePolicy policy :
        List.of(
            new NoMergePolicy(),
            new ConstantPolicy(3),
            new PrefixPolicy(1073741824, 5),
            new PrefixPolicy(1073741824, 5, Optional.of(1.2)))) {
      assertEquals(policy, PolicyText.parse(policy.describe()), policy.describe());
    }
  }

  @Test
  void spacesDoNotMatter() {
    assertEquals(new PrefixPolicy(1073741824, 5), PolicyText.parse("prefix(1073741824,5)"));
    assertEquals(new ConstantPolicy(3), PolicyText.parse("  constant ( 3 ) "));
  }

  @Test
  void whatIsWrongIsNamedTogetherWithWhatWouldBeRight() {
    assertRefused("", "name(parameters)");
    assertRefused("prefix(1", "name(parameters)");
    assertRefused("tiering(3)", "no policy 'tiering'");
    assertRefused("no-merge(1)", "1 parameters");
    assertRefused("constant", "0 parameters");
    assertRefused("constant()", "not a number");
    assertRefused("constant(x)", "not a number");
    assertRefused("constant(1)", "at least 2 components");
    assertRefused("prefix(1)", "1 parameters");
    assertRefused("prefix(0, 0)", "maxComponentBytes 0 is below 1; maxComponents 0 is below 1");
    assertRefused("prefix(1, 1, 0)", "ratioGuard 0.0");
    assertRefused("prefix(1, 1, NaN)", "ratioGuard NaN");
    assertRefused("prefix(1, 1, 1, 1)", "4 parameters");
  }

  private static void assertRefused(String text, String reason) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> PolicyText.parse(text));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(reason), message);
    assertTrue(message.contains(PolicyText.SYNTAX), message);
  }
}
