package dev.varve.scheduler.calibration;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.Clock;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

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

  private record Asked(long nanos, IndexShape shape, MergeDecision decision) {}

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
      for (Asked each : asked) {
        if (each.nanos <= beginNanos) {
          moments.clear();
        }
        double seconds = Math.max(0, (each.nanos - beginNanos) / 1e9);
        moments.add(new Moment(seconds, each.shape, each.decision));
      }
      return moments;
    } finally {
      lock.unlock();
    }
  }

  private void saw(IndexShape shape, MergeDecision decision) {
    lock.lock();
    try {
      asked.add(new Asked(clock.nanoTime(), shape, decision));
    } finally {
      lock.unlock();
    }
  }

  private record Watched(MergePolicy policy, ShapeRecorder recorder) implements MergePolicy {
    @Override
    public MergeDecision decide(IndexShape shape) {
      MergeDecision decision = policy.decide(shape);
      recorder.saw(shape, decision);
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
      return policy.partitioned();
    }

    @Override
    public String describe() {
      return policy.describe();
    }
  }
}
