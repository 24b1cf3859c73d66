package dev.varve.transaction.log;

import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.OutcomeUnknownException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/** Forces the log for commits that do not wait for it. Thread-safe; one thread steps it. */
final class BackgroundForce implements Worker {
  private static final Logger LOGGER = LogManager.getLogger(BackgroundForce.class);

  private final GroupForce force;
  private final int distanceBytes;

  /** Highest LSN that is to become durable. */
  private final AtomicLong requested = new AtomicLong(-1);

  private volatile TaskExecutor.@Nullable Handle handle;

  /**
   * A worker over the force of a log.
   *
   * @param distanceBytes how far a request must lie above the durable LSN to be served at once
   */
  BackgroundForce(GroupForce force, int distanceBytes) {
    this.force = force;
    this.distanceBytes = distanceBytes;
  }

  void start(TaskExecutor executor) {
    handle = executor.start(this);
  }

  /** Asks for an LSN to become durable soon; costs two reads when the last force is recent. */
  void request(long lsn) {
    if (lsn - force.durableLsn() < distanceBytes || requested.get() > lsn) {
      return;
    }
    requested.accumulateAndGet(lsn, Math::max);
    TaskExecutor.Handle running = handle;
    if (running != null) {
      running.wake();
    }
  }

  @Override
  public String name() {
    return "varve-log-force";
  }

  @Override
  public int doWork() {
    long lsn = requested.get();
    if (lsn < force.durableLsn() || force.failure() != null) {
      return 0;
    }
    try {
      force.force(lsn);
    } catch (OutcomeUnknownException e) {
      // Every later append and wait reports the same failure to its caller.
      LOGGER.error("the log failed while it was forced in the background", e);
    }
    return 1;
  }

  @Override
  public void failed(Throwable cause) {
    LOGGER.error("the background force of the log stopped", cause);
  }

  void close() {
    TaskExecutor.Handle running = handle;
    if (running != null) {
      running.close();
    }
  }
}
