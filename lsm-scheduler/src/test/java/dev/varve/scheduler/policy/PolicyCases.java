package dev.varve.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Shapes and decisions of policies as text. */
final class PolicyCases {
  private PolicyCases() {}

  /** Answers a case: a command line, then its input. */
  static String answer(List<String> lines) {
    String[] words = lines.get(0).split(" ", 2);
    MergePolicy policy = PolicyText.parse(words[1]);
    String input = String.join(" ", lines.subList(1, lines.size()));
    return switch (words[0]) {
      case "decide" -> decide(policy, input);
      case "schedule" -> schedule(policy, input);
      case "levels" -> levels(policy, input);
      case "grow" -> grow(policy, input);
      default -> throw new IllegalArgumentException(lines.get(0));
    };
  }

  private static String decide(MergePolicy policy, String input) {
    IndexShape shape = read(input);
    return describe(policy.decide(shape), shape);
  }

  /** All decisions until the policy waits, while none of their merges ends. */
  private static String schedule(MergePolicy policy, String input) {
    IndexShape shape = read(input);
    List<String> decisions = new ArrayList<>();
    while (policy.decide(shape) instanceof MergeDecision.Merge merge) {
      decisions.add(describe(merge, shape));
      List<ComponentId> merging = new ArrayList<>(shape.merging());
      merging.addAll(merge.inputs());
      shape = new IndexShape(shape.components(), merging);
    }
    decisions.add("wait");
    return String.join("\n", decisions);
  }

  private static String levels(MergePolicy policy, String input) {
    IndexShape shape = read(input);
    String levels =
        policy instanceof LeveledPolicy leveled ? "levels " + leveled.levels(shape) + ", " : "";
    return levels
        + policy.limitedComponents(shape)
        + " of "
        + policy.componentLimit(shape)
        + " components";
  }

  private static IndexShape read(String input) {
    List<ComponentStats> components = new ArrayList<>();
    List<ComponentId> merging = new ArrayList<>();
    for (String word : input.isEmpty() ? new String[0] : input.split(" +")) {
      ComponentId id = new ComponentId(components.size() + 1L, components.size() + 1L);
      if (word.startsWith("[")) {
        merging.add(id);
      }
      components.add(component(id, Long.parseLong(word.replaceAll("[\\[\\]]", ""))));
    }
    return new IndexShape(components, merging);
  }

  private static String grow(MergePolicy policy, String input) {
    String[] words = input.split(" "); // COUNT flushes of SIZE
    return String.join("\n", grow(policy, Integer.parseInt(words[0]), Long.parseLong(words[3])));
  }

  /** Flushes equal components, and lets each merge end before anything else happens. */
  static List<String> grow(MergePolicy policy, int flushes, long bytes) {
    List<String> steps = new ArrayList<>();
    List<ComponentStats> components = new ArrayList<>();
    for (int flush = 1; flush <= flushes; flush++) {
      components.add(component(new ComponentId(flush, flush), bytes));
      while (policy.decide(new IndexShape(components, List.of()))
          instanceof MergeDecision.Merge merge) {
        steps.add("flush " + flush + ": merge " + mergeInPlace(components, merge.inputs()));
      }
    }
    steps.add(
        "holds "
            + components.stream()
                .map(component -> Long.toString(component.bytes()))
                .collect(Collectors.joining(" ")));
    return steps;
  }

  private static String mergeInPlace(List<ComponentStats> components, List<ComponentId> inputs) {
    int first = components.stream().map(ComponentStats::id).toList().indexOf(inputs.get(0));
    List<ComponentStats> run = components.subList(first, first + inputs.size());
    assertEquals(inputs, run.stream().map(ComponentStats::id).toList(), "adjacent, oldest first");
    long sum = run.stream().mapToLong(ComponentStats::bytes).sum();
    ComponentId id = new ComponentId(inputs.get(0).first(), inputs.get(inputs.size() - 1).last());
    run.clear();
    components.add(first, component(id, sum));
    return inputs.stream().map(ComponentId::toString).collect(Collectors.joining(" "))
        + " into "
        + sum;
  }

  /** A shape of flushed components with these sizes, oldest first, none of them merging. */
  static IndexShape shape(List<Long> sizes) {
    List<ComponentStats> components = new ArrayList<>();
    for (long bytes : sizes) {
      components.add(
          component(new ComponentId(components.size() + 1L, components.size() + 1L), bytes));
    }
    return new IndexShape(components, List.of());
  }

  /** A decision by position from the oldest component. */
  static String describe(MergeDecision decision, IndexShape shape) {
    if (decision instanceof MergeDecision.Merge merge) {
      List<ComponentId> ids = shape.components().stream().map(ComponentStats::id).toList();
      return "merge "
          + merge.inputs().stream()
              .map(id -> Integer.toString(ids.indexOf(id) + 1))
              .collect(Collectors.joining(" "));
    }
    return "wait";
  }

  private static ComponentStats component(ComponentId id, long bytes) {
    return new ComponentStats(id, bytes, bytes, 0, -1);
  }
}
