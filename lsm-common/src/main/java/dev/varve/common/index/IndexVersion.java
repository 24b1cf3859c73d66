package dev.varve.common.index;

import dev.varve.common.component.ComponentId;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.Observation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One version of an index: its components, and what is under way that decides what may begin next.
 * Immutable. Which disk components merge is not here but in their states, which change under the
 * lock of {@link IndexVersions}, too.
 *
 * @param memory memory components, the one that takes writers first
 * @param disk disk components
 * @param planner what merges are chosen by, besides the disk components
 * @param pending what has begun and not ended
 */
record IndexVersion<Q>(
    List<MemoryComponent<Q>> memory,
    DiskComponents<Q> disk,
    MergePlanner<Q> planner,
    Set<Pending> pending) {
  /** What a load of the oldest component makes, whatever is flushed meanwhile. */
  static final ComponentId OLDEST = new ComponentId(1, 1);

  /** What has begun and not ended. */
  enum Pending {
    /**
     * A flush or a bulk load. There is one at a time, oldest first, because a disk component's
     * place in the order of age is given when it is published.
     */
    FLUSH,
    /**
     * A load of what will be the oldest component. Flushes go on and keep their deletions, which
     * are for it; nothing merges.
     */
    OLDEST_LOAD,
    /** The directory gets its first manifest, which merges that begin now would not fit. */
    FIRST_MANIFEST,
    /** A deletion of a range of keys, which components under a manifest would not keep. */
    RANGES,
    /** The disk components have changed, and the policy is still to be asked about it. */
    DECISION
  }

  IndexVersion {
    memory = List.copyOf(memory);
    pending = Set.copyOf(pending);
    assert !memory.isEmpty() : "nothing takes writers";
  }

  /** The memory component that takes writers. */
  MemoryComponent<Q> newest() {
    return memory.get(0);
  }

  /** The memory component that is flushed next. */
  MemoryComponent<Q> oldest() {
    return memory.get(memory.size() - 1);
  }

  /** Whether every component is on disk. */
  boolean memoryIsEmpty() {
    return memory.size() == 1 && !newest().holdsOperations();
  }

  /** Whether both have the same components in the same places. */
  boolean hasComponentsOf(IndexVersion<Q> other) {
    return memory.equals(other.memory) && disk.equals(other.disk);
  }

  boolean isPending(Pending what) {
    return pending.contains(what);
  }

  /** Whether disk components are merging, or one moves. */
  boolean isMerging() {
    return !disk.shape().merging().isEmpty();
  }

  /** The flush of the oldest memory component; null when it may not begin. */
  @Nullable FlushPlan<Q> nextFlush() {
    return isPending(Pending.FLUSH) || !oldest().flushable()
        ? null
        : new FlushPlan<>(
            oldest(), nextFlushId(), disk.isEmpty() && !isPending(Pending.OLDEST_LOAD));
  }

  /** What the next flush or bulk load makes. */
  ComponentId nextFlushId() {
    long before = isPending(Pending.OLDEST_LOAD) ? OLDEST.last() : 0;
    long next = Math.max(before, disk.newestFlush()) + 1;
    return new ComponentId(next, next);
  }

  private boolean mayMerge() {
    return !isPending(Pending.FIRST_MANIFEST) && !isPending(Pending.OLDEST_LOAD);
  }

  /** What the policy wants, with the planner once it has been taken over; null for nothing. */
  MergePlanner.@Nullable Planned<Q> nextMerge(MergePolicy policy) {
    return mayMerge() ? planner.next(disk, policy) : null;
  }

  /** A merge of everything; null when a merge is under way, or there is nothing to merge. */
  @Nullable MergePlan<Q> compaction(MergePolicy policy) {
    return mayMerge() && !disk.isCompact() && !isMerging() ? planner.all(disk, policy) : null;
  }

  /** With another memory component for writers. */
  IndexVersion<Q> with(MemoryComponent<Q> successor) {
    List<MemoryComponent<Q>> next = new ArrayList<>(memory);
    next.add(0, successor);
    return new IndexVersion<>(next, disk, planner, pending);
  }

  /** Without a memory component that is on disk. */
  IndexVersion<Q> without(MemoryComponent<Q> flushed) {
    List<MemoryComponent<Q>> next = new ArrayList<>(memory);
    next.remove(flushed);
    return new IndexVersion<>(next, disk, planner, pending);
  }

  /** With other disk components, which nobody has searched, and the policy is to be asked of. */
  IndexVersion<Q> with(DiskComponents<Q> replacement) {
    MergePlanner<Q> unsearched = planner.seeing(planner.observation().searched(0));
    return new IndexVersion<>(memory, replacement, unsearched, pending).begun(Pending.DECISION);
  }

  /** With a planner that goes on from what it has planned. */
  IndexVersion<Q> with(MergePlanner<Q> next) {
    return new IndexVersion<>(memory, disk, next, pending);
  }

  /** With a planner that tells the policy this. */
  IndexVersion<Q> seeing(Observation observation) {
    return with(planner.seeing(observation));
  }

  IndexVersion<Q> begun(Pending what) {
    Set<Pending> next = EnumSet.of(what);
    next.addAll(pending);
    return new IndexVersion<>(memory, disk, planner, next);
  }

  IndexVersion<Q> ended(Pending what) {
    Set<Pending> next = EnumSet.noneOf(Pending.class);
    next.addAll(pending);
    next.remove(what);
    return new IndexVersion<>(memory, disk, planner, next);
  }
}
