package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.error.LimitException;
import dev.varve.dataset.options.EngineOptions;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The heap of a process, of which each open engine has a share. An engine that is lost without
 * having been closed is forgotten, and its share with it. Thread-safe.
 */
final class ProcessHeap {
  private final ReentrantLock lock = new ReentrantLock();

  /** Bytes of each share. */
  @GuardedBy("lock")
  private final Map<Share, Long> shares = new WeakHashMap<>();

  /** The part of an engine, from its opening until it is closed. */
  final class Share implements AutoCloseable {
    private final ResourceFit fit;

    private Share(ResourceFit fit) {
      this.fit = fit;
    }

    /** What the engine's options became. */
    ResourceFit fit() {
      return fit;
    }

    /** Gives it back; idempotent. */
    @Override
    public void close() {
      lock.lock();
      try {
        shares.remove(this);
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Fits an engine into what the open ones leave.
   *
   * @throws LimitException when it asks for more than that; the message says what would fit
   */
  @MustBeClosed
  Share join(EngineOptions options, ProcessLimits limits) throws LimitException {
    lock.lock();
    try {
      long taken = shares.values().stream().reduce(0L, ResourceFit::saturatedSum);
      Share share = new Share(ResourceFit.of(options, limits, taken));
      shares.put(share, share.fit.heapBytes());
      return share;
    } finally {
      lock.unlock();
    }
  }
}
