package dev.varve.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Shapes and decisions of policies as text. */
final class PolicyCases {
  private PolicyCases() {}

  /** A case of a text file: a command and its input, what is expected, and where it stands. */
  record Case(String where, String command, String input, String expected) {
    void check() {
      String[] words = command.split(" ", 2);
      MergePolicy policy = PolicyText.parse(words[1]);
      String found =
          switch (words[0]) {
            case "decide" -> decide(policy, input);
            case "grow" -> grow(policy, input);
            default -> throw new IllegalArgumentException(where + ": " + command);
          };
      assertEquals(expected, found, where + ": " + command + " of " + input);
    }
  }

  /** Reads a resource beside this class; cases are parted by empty lines after their answers. */
  static List<Case> read(String resource) {
    List<String> lines;
    try (InputStream in = PolicyCases.class.getResourceAsStream(resource)) {
      assertNotNull(in, resource);
      lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Case> cases = new ArrayList<>();
    int at = 0;
    while (at < lines.size()) {
      if (lines.get(at).isBlank() || lines.get(at).startsWith("#")) {
        at++;
        continue;
      }
      int first = at;
      int answer = first + lines.subList(first, lines.size()).indexOf("----");
      int end = answer;
      while (end < lines.size() && !lines.get(end).isBlank()) {
        end++;
      }
      cases.add(
          new Case(
              resource + ":" + (first + 1),
              lines.get(first),
              String.join(" ", lines.subList(first + 1, answer)).strip(),
              String.join("\n", lines.subList(answer + 1, end))));
      at = end;
    }
    return cases;
  }

  private static String decide(MergePolicy policy, String input) {
    List<ComponentStats> components = new ArrayList<>();
    List<ComponentId> merging = new ArrayList<>();
    for (String word : input.isEmpty() ? new String[0] : input.split(" +")) {
      ComponentId id = new ComponentId(components.size() + 1L, components.size() + 1L);
      if (word.startsWith("[")) {
        merging.add(id);
      }
      components.add(component(id, Long.parseLong(word.replaceAll("[\\[\\]]", ""))));
    }
    IndexShape shape = new IndexShape(components, merging);
    return describe(policy.decide(shape), shape);
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
