package dev.varve.simulator;

import dev.varve.common.merge.MergePolicy;
import dev.varve.scheduler.admission.WriteConditions.Usage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A tree whose newest component may still be in memory, and is merged from there. Confined to the
 * simulation.
 */
final class MemoryTreeState implements TreeState {
  private final FullTreeState disk;
  private FullTreeState.@Nullable Flushed inMemory;

  MemoryTreeState(SimulatedTree tree, MergePolicy policy) {
    this.disk = new FullTreeState(tree, policy);
  }

  @Override
  public SimulatedTree tree() {
    return disk.tree();
  }

  /** Whether nothing that was sealed is in memory any more. */
  boolean merged() {
    return inMemory == null || inMemory.merged();
  }

  /** Bytes in memory that are sealed and not merged yet. */
  double memoryBytes(List<MergeRun> merges) {
    FullTreeState.@Nullable Flushed sealed = inMemory;
    if (sealed == null || sealed.merged()) {
      return 0;
    }
    for (MergeRun merge : merges) {
      if (sealed.isReadBy(merge.work())) {
        return sealed.bytes() * (1 - merge.writtenBytes() / (double) merge.outputBytes());
      }
    }
    return sealed.bytes();
  }

  @Override
  public int size() {
    return disk.size();
  }

  @Override
  public long bytes() {
    return disk.bytes();
  }

  @Override
  public long liveBytes() {
    return disk.liveBytes();
  }

  @Override
  public List<Long> levelBytes() {
    return List.of();
  }

  @Override
  public Usage usage() {
    return Usage.UNBOUNDED;
  }

  @Override
  public long limit() {
    return Long.MAX_VALUE;
  }

  @Override
  public void flushed(double loaded, double updates) {
    disk.flushed(loaded, updates);
    inMemory = disk.newest();
  }

  /** What the policy wants merged; without that, what is in memory is written as it is. */
  @Override
  public Optional<MergeWork> beginMerge() {
    Optional<MergeWork> work = disk.beginMerge();
    FullTreeState.@Nullable Flushed sealed = inMemory;
    if (work.isPresent() || sealed == null || sealed.merged() || !sealed.isAlone()) {
      return work;
    }
    return Optional.of(sealed.write());
  }
}
