package dev.varve.hyracks.feed;

import dev.varve.common.error.ConflictException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which run of a named feed may write a partition: the one that began last. The job of a client
 * that died goes on without it, and would move the positions of the next one back. Thread-safe.
 */
public final class FeedClaim {
  private final ReentrantLock lock = new ReentrantLock();

  /** Changed under the lock; volatile for the checker, which can't follow it from call to call. */
  private volatile long owner;

  FeedClaim() {}

  /** Takes the partition from every other run, once its work under way is done. */
  public void take(long run) {
    lock.lock();
    try {
      owner = run;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins work of a run, which {@link #leave} ends; no other run can begin meanwhile.
   *
   * @throws ConflictException with {@code OWNERSHIP_LOST} when another one has begun since, which
   *     leaves nothing to end
   */
  public void enter(long run) throws ConflictException {
    lock.lock();
    if (owner != run) {
      lock.unlock();
      throw new ConflictException(
          ConflictException.Reason.OWNERSHIP_LOST,
          "the feed was begun again by another client, and goes on there");
    }
  }

  /** Ends the work that was begun. */
  public void leave() {
    assert lock.isHeldByCurrentThread() : owner;
    lock.unlock();
  }
}
