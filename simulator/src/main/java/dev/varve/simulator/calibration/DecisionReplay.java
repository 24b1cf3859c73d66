package dev.varve.simulator.calibration;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides again what an engine decided: told only which flushes and merges ended in which order and
 * how large they were, it keeps the list of components itself, and the merges under way are those
 * that it decided itself. So a component that the engine merged without being told to, left out or
 * put in the wrong place shows, and so does a policy that is not a function of the shape. Confined
 * to the caller.
 */
final class DecisionReplay {
  /**
   * What came out.
   *
   * @param decisions merges that the engine began
   * @param difference where the first one differs; empty when none does
   */
  record Result(int decisions, Optional<String> difference) {}

  private final MergePolicy policy;
  private final List<ComponentStats> components = new ArrayList<>();

  /** Inputs of the merges under way, by the component that they will make. */
  private final Map<ComponentId, List<ComponentId>> running = new HashMap<>();

  private DecisionReplay(MergePolicy policy) {
    this.policy = policy;
  }

  static Result of(Recording recording, MergePolicy policy) {
    if (recording.moments().get(0).cut().isPresent() && policy.partitioned().isPresent()) {
      return CutReplay.of(recording, policy.partitioned().get());
    }
    DecisionReplay replay = new DecisionReplay(policy);
    replay.components.addAll(recording.beginning());
    int decisions = 0;
    for (Moment moment : recording.moments()) {
      Optional<String> difference = replay.follow(moment);
      if (difference.isPresent()) {
        return new Result(
            decisions, difference.map(text -> "after %.3f s: ".formatted(moment.seconds()) + text));
      }
      decisions += moment.decision() instanceof MergeDecision.Merge ? 1 : 0;
    }
    return new Result(decisions, Optional.empty());
  }

  private Optional<String> follow(Moment moment) {
    Set<ComponentStats> known = new HashSet<>(components);
    for (ComponentStats component : moment.shape().components()) {
      if (!known.contains(component) && !take(component)) {
        return Optional.of("component " + component.id() + " came from no flush and no merge");
      }
    }
    if (!components.equals(moment.shape().components())) {
      return Optional.of("components are " + ids(moment.shape()) + ", not " + ids(shape()));
    }
    MergeDecision decision = policy.decide(shape());
    if (!decision.equals(moment.decision())) {
      return Optional.of("the engine decided " + moment.decision() + ", not " + decision);
    }
    if (decision instanceof MergeDecision.Merge merge) {
      running.put(target(merge.inputs()), merge.inputs());
    }
    return Optional.empty();
  }

  /** A flush or a merge has ended. */
  private boolean take(ComponentStats component) {
    List<ComponentId> inputs = running.remove(component.id());
    if (inputs != null) {
      int at = ids(components).indexOf(inputs.get(0));
      components.subList(at, at + inputs.size()).clear();
      components.add(at, component);
      return true;
    }
    long newest = components.isEmpty() ? 0 : components.get(components.size() - 1).id().last();
    return component.id().equals(new ComponentId(newest + 1, newest + 1))
        && components.add(component);
  }

  private static ComponentId target(List<ComponentId> inputs) {
    return new ComponentId(inputs.get(0).first(), inputs.get(inputs.size() - 1).last());
  }

  private IndexShape shape() {
    Set<ComponentId> merging = new HashSet<>();
    running.values().forEach(merging::addAll);
    return new IndexShape(components, ids(components).stream().filter(merging::contains).toList());
  }

  private static List<ComponentId> ids(List<ComponentStats> components) {
    return components.stream().map(ComponentStats::id).toList();
  }

  private static String ids(IndexShape shape) {
    return shape.components().stream()
        .map(component -> component.id().toString())
        .collect(Collectors.joining(" "));
  }
}
