package dev.varve.dataset.options;

import dev.varve.common.error.OptionProblems;
import dev.varve.transaction.log.Durability;
import java.util.concurrent.TimeUnit;

/**
 * What operations, sessions and transactions promise and how long they wait.
 *
 * @param durability what an acknowledged write survives, unless a session says otherwise; behaviour
 * @param lockTimeoutMillis how long an operation waits for a lock on a primary key; behaviour
 * @param stallTimeoutMillis how long a write waits at the gate for memory; behaviour
 * @param closeTimeoutMillis how long closing waits for cursors, transactions and bulk loads that
 *     are still open, and for calls under way; then it ends transactions and bulk loads by force;
 *     behaviour
 * @param transactionTimeoutMillis how long a transaction over several records may be open, which
 *     keeps the log, its locks and its memory, before the engine aborts it; 0 for as long as it
 *     likes; behaviour
 * @param leakTracking whether the stack is kept of each opening of a cursor, session, transaction
 *     or bulk load, for the exception that closing throws when one is left open; costs some
 *     microseconds for each opening; behaviour
 */
public record SessionOptions(
    Durability durability,
    long lockTimeoutMillis,
    long stallTimeoutMillis,
    long closeTimeoutMillis,
    long transactionTimeoutMillis,
    boolean leakTracking) {
  /** Survives a power loss; 10 seconds for locks and closing, 5 minutes for the rest. */
  public static final SessionOptions DEFAULTS =
      new SessionOptions(Durability.POWER_LOSS, 10_000, 300_000, 10_000, 300_000, false);

  /** Reports all problems at once. */
  public SessionOptions {
    OptionProblems problems = new OptionProblems();
    problems.atLeast("lockTimeoutMillis", lockTimeoutMillis, 0);
    problems.atLeast("stallTimeoutMillis", stallTimeoutMillis, 0);
    problems.atLeast("closeTimeoutMillis", closeTimeoutMillis, 0);
    problems.atLeast("transactionTimeoutMillis", transactionTimeoutMillis, 0);
    problems.report();
  }

  /** Longest wait for a lock, in nanoseconds. */
  public long lockTimeoutNanos() {
    return TimeUnit.MILLISECONDS.toNanos(lockTimeoutMillis);
  }

  /** Longest wait at the gate, in nanoseconds. */
  public long stallTimeoutNanos() {
    return TimeUnit.MILLISECONDS.toNanos(stallTimeoutMillis);
  }
}
