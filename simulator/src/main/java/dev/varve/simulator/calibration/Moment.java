package dev.varve.simulator.calibration;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedShape;
import java.util.Optional;

/**
 * A policy was asked.
 *
 * @param seconds when, since the beginning of the recording
 * @param shape what it saw; of levels that are cut by key range, one component for each level, and
 *     those of level 0 in the order of their flushes
 * @param decision what it said; of levels that are cut, what it said of level 0
 * @param cut what it saw and said where levels are cut
 */
public record Moment(double seconds, IndexShape shape, MergeDecision decision, Optional<Cut> cut) {
  /** Of whole components. */
  public Moment(double seconds, IndexShape shape, MergeDecision decision) {
    this(seconds, shape, decision, Optional.empty());
  }

  /**
   * Levels that are cut by key range.
   *
   * @param shape what the policy saw
   * @param decision what it said
   */
  public record Cut(PartitionedShape shape, PartitionedDecision decision) {}
}
