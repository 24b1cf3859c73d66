package dev.varve.simulator.calibration;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.Clock;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps every shape of an index and every decision about it, by standing before its policy: an
 * index asks after each flush and each merge, under its own lock, so that what is kept is in order
 * and complete. For one index. Thread-safe.
 */
public final class ShapeRecorder {
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final List<Asked> asked = new ArrayList<>();

  /** Exactly one of a whole shape and of a cut one. */
  private record Asked(long nanos, @Nullable Whole whole, Moment.@Nullable Cut cut) {}

  private record Whole(IndexShape shape, MergeDecision decision) {}

  /** A recorder that has seen nothing. */
  public ShapeRecorder(Clock clock) {
    this.clock = clock;
  }

  /** A policy that decides alike and is watched. */
  public MergePolicy watch(MergePolicy policy) {
    return new Watched(policy, this);
  }

  /**
   * What was asked since a moment, and the last that was asked before it, as if it had been then.
   */
  public List<Moment> since(long beginNanos) {
    lock.lock();
    try {
      List<Moment> moments = new ArrayList<>();
      CutMoments cuts = new CutMoments();
      for (Asked each : asked) {
        if (each.nanos <= beginNanos) {
          moments.clear();
          cuts = new CutMoments();
        }
        double seconds = Math.max(0, (each.nanos - beginNanos) / 1e9);
        if (each.whole != null) {
          moments.add(new Moment(seconds, each.whole.shape, each.whole.decision));
        } else if (each.cut != null) {
          moments.add(cuts.next(seconds, each.cut));
        }
      }
      return moments;
    } finally {
      lock.unlock();
    }
  }

  /** A policy for partitioned levels that decides alike and is watched. */
  public PartitionedPolicy watch(PartitionedPolicy policy) {
    return new WatchedPartitioned(policy, this);
  }

  private void saw(@Nullable Whole whole, Moment.@Nullable Cut cut) {
    lock.lock();
    try {
      asked.add(new Asked(clock.nanoTime(), whole, cut));
    } finally {
      lock.unlock();
    }
  }

  private record Watched(MergePolicy policy, ShapeRecorder recorder) implements MergePolicy {
    @Override
    public MergeDecision decide(IndexShape shape) {
      MergeDecision decision = policy.decide(shape);
      recorder.saw(new Whole(shape, decision), null);
      return decision;
    }

    @Override
    public int componentLimit(IndexShape shape) {
      return policy.componentLimit(shape);
    }

    @Override
    public int limitedComponents(IndexShape shape) {
      return policy.limitedComponents(shape);
    }

    @Override
    public Optional<PartitionedPolicy> partitioned() {
      return policy.partitioned().map(recorder::watch);
    }

    @Override
    public String describe() {
      return policy.describe();
    }
  }

  private record WatchedPartitioned(PartitionedPolicy policy, ShapeRecorder recorder)
      implements PartitionedPolicy {
    @Override
    public PartitionedDecision decide(PartitionedShape shape) {
      PartitionedDecision decision = policy.decide(shape);
      recorder.saw(null, new Moment.Cut(shape, decision));
      return decision;
    }

    @Override
    public int flushedLimit() {
      return policy.flushedLimit();
    }

    @Override
    public long componentBytes() {
      return policy.componentBytes();
    }

    @Override
    public long overlapBytes() {
      return policy.overlapBytes();
    }

    @Override
    public String describe() {
      return policy.describe();
    }
  }
}
