package dev.varve.simulator.calibration;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.RangedComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Shows levels that are cut by key range as if each were one component, for what is asked of all
 * recordings alike: how many components a search meets, when a flush became visible and how large
 * it was, and which flushes were merged with each other. Moments are given in their order. Confined
 * to the caller.
 */
final class CutMoments {
  /** Flushes are counted behind this, which stands for everything below them. */
  private static final long LEVELS = 1;

  /** Which flush a component of level 0 is. Numbers are of merges, too, so they cannot say it. */
  private final Map<Long, Long> flushes = new HashMap<>();

  Moment next(double seconds, Moment.Cut cut) {
    PartitionedShape shape = cut.shape();
    List<ComponentStats> components = new ArrayList<>();
    List<ComponentId> merging = new ArrayList<>();
    for (int level = shape.levels().size(); level > 0; level--) {
      List<RangedComponent> all = shape.level(level).components();
      if (!all.isEmpty()) {
        ComponentId id = new ComponentId(LEVELS, LEVELS);
        components.add(stats(id, all));
        if (all.stream().anyMatch(each -> shape.merging().contains(each.number()))) {
          merging.add(id);
        }
      }
    }
    for (RangedComponent each : shape.flushed()) {
      ComponentId id = flush(each.number());
      components.add(stats(id, List.of(each)));
      if (shape.merging().contains(each.number())) {
        merging.add(id);
      }
    }
    flushes.keySet().retainAll(numbers(shape.flushed()));
    return new Moment(
        seconds,
        new IndexShape(components, merging, OptionalInt.of(shape.flushed().size())),
        decision(cut.decision()),
        Optional.of(cut));
  }

  private long counted = LEVELS;

  private ComponentId flush(long number) {
    long flush = flushes.computeIfAbsent(number, unknown -> ++counted);
    return new ComponentId(flush, flush);
  }

  private MergeDecision decision(PartitionedDecision decision) {
    return decision instanceof PartitionedDecision.Merge merge && merge.level() == 0
        ? new MergeDecision.Merge(merge.inputs().stream().map(this::flush).toList())
        : new MergeDecision.Wait();
  }

  private static Set<Long> numbers(List<RangedComponent> components) {
    return Set.copyOf(components.stream().map(RangedComponent::number).toList());
  }

  private static ComponentStats stats(ComponentId id, List<RangedComponent> all) {
    return new ComponentStats(
        id,
        all.stream().mapToLong(RangedComponent::bytes).sum(),
        all.stream().mapToLong(RangedComponent::entries).sum(),
        0,
        -1);
  }
}
