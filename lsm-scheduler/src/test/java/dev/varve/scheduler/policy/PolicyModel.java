package dev.varve.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** An index that a policy is let loose on: flushes arrive, merges begin, and end in any order. */
final class PolicyModel {
  private final MergePolicy policy;
  private final RandomGenerator random;
  private final List<ComponentStats> components = new ArrayList<>();
  private final List<List<ComponentId>> merges = new ArrayList<>();
  private long flushes;

  /** How many bytes all merges have written. */
  private long merged;

  PolicyModel(MergePolicy policy, RandomGenerator random) {
    this.policy = policy;
    this.random = random;
  }

  IndexShape shape() {
    return new IndexShape(components, merges.stream().flatMap(List::stream).toList());
  }

  long merged() {
    return merged;
  }

  /** Whether writers have to wait. */
  boolean atLimit() {
    return policy.limitedComponents(shape()) >= policy.componentLimit(shape());
  }

  void flush(long bytes) {
    flushes++;
    components.add(new ComponentStats(new ComponentId(flushes, flushes), bytes, bytes, 0, -1));
  }

  /** Begins what the policy wants, and checks that it may want it. */
  void beginMerges() {
    int decisions = 0;
    while (policy.decide(shape()) instanceof MergeDecision.Merge merge) {
      IndexShape shape = shape();
      List<ComponentId> ids = shape.components().stream().map(ComponentStats::id).toList();
      int first = ids.indexOf(merge.inputs().get(0));
      assertTrue(first >= 0, merge + " of " + shape);
      int end = first + merge.inputs().size();
      assertTrue(
          end <= ids.size() && ids.subList(first, end).equals(merge.inputs()), merge + " " + shape);
      assertTrue(merge.inputs().stream().noneMatch(shape.merging()::contains), merge.toString());
      assertTrue(merge.inputs().size() >= 2, merge.toString());
      merges.add(merge.inputs());
      assertTrue(++decisions <= ids.size(), "the policy does not come to an end");
    }
  }

  int running() {
    return merges.size();
  }

  /** Ends any of the running merges; some of its bytes were replaced. */
  void endMerge(double leastKept) {
    endMerge(leastKept, Long.MAX_VALUE);
  }

  /** The same for data that does not grow beyond a size. */
  void endMerge(double leastKept, long mostBytes) {
    List<ComponentId> inputs = merges.remove(random.nextInt(merges.size()));
    int first = components.stream().map(ComponentStats::id).toList().indexOf(inputs.get(0));
    List<ComponentStats> run = components.subList(first, first + inputs.size());
    long sum = run.stream().mapToLong(ComponentStats::bytes).sum();
    double kept = leastKept + (1 - leastKept) * random.nextDouble();
    long bytes = Math.min(mostBytes, Math.round(sum * kept));
    ComponentId id = new ComponentId(inputs.get(0).first(), inputs.get(inputs.size() - 1).last());
    run.clear();
    components.add(first, new ComponentStats(id, bytes, bytes, 0, -1));
    merged += bytes;
  }
}
