package dev.varve.transaction.log;

import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.OutcomeUnknownException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Makes the end of a log durable that was opened, unless that is done already. Then forces the log
 * for commits that do not wait for it: at once when many bytes have gathered, else after a nap. In
 * the nap others may join, and what reaches a disk component needs no force any more. Thread-safe;
 * one thread steps it.
 */
final class BackgroundForce implements Worker {
  private static final Logger LOGGER = LogManager.getLogger(BackgroundForce.class);

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final GroupForce force;
  private final GroupForce.Round first;
  private final int distanceBytes;
  private final long napNanos;
  private final LongSupplier endLsn;

  /** The worker knows that there is something to force. */
  private final AtomicBoolean told = new AtomicBoolean();

  /** The worker knows that it is much. */
  private final AtomicBoolean toldOfMuch = new AtomicBoolean();

  private volatile TaskExecutor.@Nullable Handle handle;

  /** The step before this one chose to wait for more; used by the worker only. */
  private boolean napping;

  /**
   * A worker over the force of a log.
   *
   * @param first what makes the log's end durable
   * @param options how far a request must lie above the durable LSN to be served at once, and how
   *     long it waits otherwise
   * @param endLsn where the log ends, all of which is forced
   */
  BackgroundForce(
      GroupForce force, GroupForce.Round first, LogOptions options, LongSupplier endLsn) {
    this.force = force;
    this.first = first;
    this.distanceBytes = options.backgroundForceBytes();
    this.napNanos = options.backgroundForceMillis() * NANOS_PER_MILLI;
    this.endLsn = endLsn;
  }

  void start(TaskExecutor executor) {
    TaskExecutor.Handle started = executor.start(this);
    handle = started;
    started.wake();
  }

  /** Asks for an LSN to become durable soon; does not wait. */
  void request(long lsn) {
    // Looked at before they are changed, so that most requests write nothing that others read.
    boolean first = !told.get() && told.compareAndSet(false, true);
    boolean firstOfMuch =
        lsn - force.durableLsn() >= distanceBytes
            && !toldOfMuch.get()
            && toldOfMuch.compareAndSet(false, true);
    TaskExecutor.Handle running = handle;
    if ((first || firstOfMuch) && running != null) {
      running.wake();
    }
  }

  @Override
  public String name() {
    return "varve-log-force";
  }

  @Override
  public int doWork() {
    if (!force.begun() && force.failure() == null) {
      force.begin(first);
      return 1;
    }
    told.set(false);
    toldOfMuch.set(false);
    long lsn = endLsn.getAsLong() - 1;
    long distance = lsn + 1 - force.durableLsn();
    if (distance <= 0 || force.failure() != null) {
      napping = false;
      return 0;
    }
    told.set(true);
    if (distance < distanceBytes && !napping) {
      napping = true;
      return 0;
    }
    napping = false;
    try {
      force.force(lsn);
    } catch (OutcomeUnknownException e) {
      // Every later append and wait reports the same failure to its caller.
      LOGGER.error("the log failed while it was forced in the background", e);
    }
    return 1;
  }

  @Override
  public long napNanos() {
    return napping ? napNanos : Signal.FOREVER;
  }

  @Override
  public void failed(Throwable cause) {
    // Without it, records that are promised to be forced soon never would be: stop promising.
    force.fail(new DiskException("log", "force in the background", cause));
    LOGGER.error("the background force of the log stopped", cause);
  }

  void close() {
    TaskExecutor.Handle running = handle;
    if (running != null) {
      running.close();
    }
  }
}
