package dev.varve.common.index;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.RangedComponent;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A policy of partitioned levels that decides once what the test says next. */
final class ScriptedLevels implements MergePolicy, PartitionedPolicy {
  Function<PartitionedShape, PartitionedDecision> next = shape -> new PartitionedDecision.Wait();
  long componentBytes = 4096;
  long overlapBytes = Long.MAX_VALUE;

  @Override
  public PartitionedDecision decide(PartitionedShape shape) {
    Function<PartitionedShape, PartitionedDecision> now = next;
    next = any -> new PartitionedDecision.Wait();
    return now.apply(shape);
  }

  @Override
  public MergeDecision decide(IndexShape shape) {
    return new MergeDecision.Wait();
  }

  @Override
  public Optional<PartitionedPolicy> partitioned() {
    return Optional.of(this);
  }

  @Override
  public int flushedLimit() {
    return PartitionedPolicy.UNLIMITED;
  }

  @Override
  public long componentBytes() {
    return componentBytes;
  }

  @Override
  public long overlapBytes() {
    return overlapBytes;
  }

  @Override
  public String describe() {
    return "scripted";
  }

  /** Merges all flushed components with what they overlap. */
  static PartitionedDecision allFlushed(PartitionedShape shape) {
    return shape.flushed().isEmpty()
        ? new PartitionedDecision.Wait()
        : merge(shape, 0, shape.flushed());
  }

  static PartitionedDecision merge(
      PartitionedShape shape, int level, List<RangedComponent> inputs) {
    var span = inputs.get(0).keys();
    for (RangedComponent input : inputs) {
      span = span.span(input.keys());
    }
    return new PartitionedDecision.Merge(
        level, numbers(inputs), numbers(shape.level(level + 1).overlapping(span)));
  }

  static List<Long> numbers(List<RangedComponent> components) {
    return components.stream().map(RangedComponent::number).toList();
  }
}
