package dev.varve.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.PartitionedShape.Level;
import dev.varve.common.merge.RangedComponent;
import dev.varve.common.testkit.TextCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: partitioned leveling picks levels, components and merges as LevelDB and the paper do.
 * Method: cases worked by hand.
 */
final class PartitionedLevelingTest {
  @Test
  void decidesAsWorkedByHand() throws Exception {
    TextCases.run(PartitionedLevelingTest.class, "partitioned.txt", (name, input) -> answer(input));
  }

  private static String answer(List<String> lines) {
    String[] words = lines.get(0).split(" ", 2);
    PartitionedPolicy policy = PartitionedPolicyText.parse(words[1]);
    Picture picture = new Picture(lines.subList(1, lines.size()));
    return switch (words[0]) {
      case "decide" -> picture.describe(policy.decide(picture.shape()));
      case "schedule" -> picture.schedule(policy);
      default -> throw new IllegalArgumentException(lines.get(0));
    };
  }

  /** A tree as text: {@code L1: 0-50:10 [51-99:20]}, keys of two digits, and bytes. */
  private static final class Picture {
    private final Map<Long, String> names = new HashMap<>();
    private final List<RangedComponent> flushed = new ArrayList<>();
    private final List<Level> levels = new ArrayList<>();
    private final Set<Long> merging = new HashSet<>();

    Picture(List<String> lines) {
      for (String line : lines) {
        String[] sides = line.split(":", 2);
        int level = Integer.parseInt(sides[0].substring(1, 2));
        List<RangedComponent> components = components(sides[1].strip());
        if (level == 0) {
          flushed.addAll(components);
          continue;
        }
        assertEquals(level, levels.size() + 1, "levels in their order");
        String after = sides[0].substring(2).strip();
        levels.add(
            new Level(
                components,
                after.isEmpty()
                    ? Optional.empty()
                    : Optional.of(interval(after.substring("after ".length())))));
      }
    }

    private List<RangedComponent> components(String text) {
      List<RangedComponent> components = new ArrayList<>();
      for (String word : text.isEmpty() ? new String[0] : text.split(" +")) {
        long number = names.size() + 1L;
        String[] parts = word.replaceAll("[\\[\\]]", "").split(":");
        names.put(number, parts[0]);
        if (word.startsWith("[")) {
          merging.add(number);
        }
        components.add(
            new RangedComponent(number, Long.parseLong(parts[1]), 0, interval(parts[0])));
      }
      return components;
    }

    private static KeyInterval interval(String text) {
      String[] ends = text.split("-");
      return new KeyInterval(key(ends[0]), key(ends[1]));
    }

    private static Slice key(String text) {
      return new Slice(new byte[] {Byte.parseByte(text)});
    }

    PartitionedShape shape() {
      return new PartitionedShape(flushed, levels, merging);
    }

    String schedule(PartitionedPolicy policy) {
      List<String> decisions = new ArrayList<>();
      PartitionedDecision decision = policy.decide(shape());
      while (decision instanceof PartitionedDecision.Merge merge) {
        decisions.add(describe(decision));
        merging.addAll(merge.inputs());
        merging.addAll(merge.overlapped());
        decision = policy.decide(shape());
      }
      decisions.add(describe(decision));
      return String.join("\n", decisions);
    }

    String describe(PartitionedDecision decision) {
      if (decision instanceof PartitionedDecision.Merge merge) {
        return "merge L"
            + merge.level()
            + " "
            + named(merge.inputs())
            + (merge.overlapped().isEmpty()
                ? " with nothing"
                : " with L" + (merge.level() + 1) + " " + named(merge.overlapped()));
      }
      if (decision instanceof PartitionedDecision.Move move) {
        return "move L" + move.level() + " " + names.get(move.number()) + " down";
      }
      return "wait";
    }

    private String named(List<Long> numbers) {
      return numbers.stream().map(names::get).collect(Collectors.joining(" "));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "partitioned-leveling(10, 1342177280, 67108864, 4) limit 12",
        "partitioned-leveling(4, 1000, 10, 2, best, exact, concurrent) limit none",
        "partitioned-leveling(4, 1000, 10, 2, exact) limit 7"
      })
  void descriptionsAreReadBack(String text) {
    assertEquals(text, PartitionedPolicyText.parse(text).describe());
    assertEquals(PartitionedPolicyText.parse(text), PartitionedPolicyText.parse(text));
  }

  @Test
  void thePapersParametersAreTheDefault() {
    assertEquals(
        "partitioned-leveling(10, 1342177280, 67108864, 4) limit 12",
        PartitionedPolicyText.parse("partitioned-leveling:10").describe());
    assertTrue(PartitionedPolicyText.isMeant(" Partitioned-Leveling(10)"));
    assertFalse(PartitionedPolicyText.isMeant("leveling(10)"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "leveling(10)",
        "partitioned-leveling(1)",
        "partitioned-leveling(10, 0)",
        "partitioned-leveling(10, 1m, 1m, 0)",
        "partitioned-leveling(10, 1m, 1m, 4) limit 3",
        "partitioned-leveling(10, worst)",
        "partitioned-leveling(10) limit local"
      })
  void unreadablePoliciesAreRefusedWithWhatWouldBeRight(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> PartitionedPolicyText.parse(text));
    assertTrue(refused.getMessage().contains("SIZE_RATIO"), refused.getMessage());
  }
}
