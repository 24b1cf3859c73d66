package dev.varve.transaction.log;

import dev.varve.common.error.DiskException;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Group commit. A thread that needs durability and finds no force under way leads: it forces
 * everything that is appended by then, for all. One that comes while a force runs waits and shares
 * the next. After the first failure nothing is forced any more. Thread-safe.
 */
final class GroupForce {
  /** Makes everything durable that was appended before the call. */
  interface Round {
    /**
     * Forces.
     *
     * @return the LSN below which all records are durable now
     */
    long run() throws StorageException;
  }

  /** The durable LSN before the first round is over; below all others. */
  static final long NOT_BEGUN = -1;

  private final String directory;
  private final Round round;
  private final ForceWaiters waiters;

  /** Whoever begins leads first. */
  private final AtomicBoolean leading = new AtomicBoolean(true);

  private final AtomicReference<@Nullable StorageException> failure = new AtomicReference<>();
  private final AtomicLong rounds = new AtomicLong();
  private final AtomicLong shared = new AtomicLong();
  private volatile long durableLsn = NOT_BEGUN;

  /**
   * A log of which it is not known yet how far it is durable.
   *
   * @param directory named in errors
   * @param waiters for this log alone
   */
  GroupForce(String directory, ForceWaiters waiters, Round round) {
    this.directory = directory;
    this.waiters = waiters;
    this.round = round;
  }

  /** Records below it are durable; {@link #NOT_BEGUN} at first. */
  long durableLsn() {
    return durableLsn;
  }

  /** Whether the first round has ended well. */
  boolean begun() {
    return durableLsn != NOT_BEGUN;
  }

  /** Runs the first round, for which all others wait; once. */
  void begin(Round first) {
    try {
      durableLsn = first.run();
    } catch (StorageException e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      fail(new DiskException(directory, "make the end durable of the log in", e));
      throw e;
    } finally {
      leading.set(false);
      wake();
    }
  }

  /** Returns when the first round is over, however it ended. */
  void awaitBegun() {
    if (!begun()) {
      waiters.await(NOT_BEGUN, () -> begun() || failure.get() != null);
    }
  }

  /** Returns once the durable LSN is above an LSN that was appended. */
  void force(long lsn) throws OutcomeUnknownException {
    boolean waited = false;
    while (durableLsn <= lsn) {
      checkForWait();
      waited = !leading.compareAndSet(false, true);
      if (waited) {
        waiters.await(lsn, () -> durableLsn > lsn || failure.get() != null || !leading.get());
      } else {
        lead(lsn);
      }
    }
    if (waited) {
      shared.incrementAndGet();
    }
  }

  /** Runs something while no force runs; its result counts as the durable LSN from then on. */
  void alone(Round other) throws OutcomeUnknownException {
    checkForWait();
    while (!leading.compareAndSet(false, true)) {
      waiters.await(Long.MAX_VALUE, () -> !leading.get());
      checkForWait();
    }
    run(other);
  }

  /** Waits for a running round to end and lets no other begin; only when no thread needs one. */
  void close() {
    while (!leading.compareAndSet(false, true)) {
      waiters.await(Long.MAX_VALUE, () -> !leading.get());
    }
  }

  private void lead(long lsn) throws OutcomeUnknownException {
    run(
        () -> {
          if (durableLsn > lsn) {
            return durableLsn;
          }
          rounds.incrementAndGet();
          return round.run();
        });
  }

  /** Runs something as the leader, and gives leadership up. */
  private void run(Round led) throws OutcomeUnknownException {
    try {
      checkForWait();
      long durable = led.run();
      assert durable >= durableLsn;
      durableLsn = durable;
    } catch (StorageException e) {
      throw new OutcomeUnknownException(fail(e));
    } finally {
      leading.set(false);
      wake();
    }
  }

  private void wake() {
    if (failure.get() == null) {
      waiters.wakeServed(durableLsn);
    } else {
      // There will be no leader any more to wake the next.
      waiters.wakeAll();
    }
  }

  /** Remembers the first failure, after which nothing is appended or forced; returns the first. */
  StorageException fail(StorageException cause) {
    StorageException first = failure.compareAndExchange(null, cause);
    wake();
    return first == null ? cause : first;
  }

  /** Refuses work of which nothing is in the log yet. */
  void checkForAppend() throws DiskException {
    StorageException first = failure.get();
    if (first != null) {
      throw new DiskException(directory, "append to the log, which failed before, in", first);
    }
  }

  private void checkForWait() throws OutcomeUnknownException {
    StorageException first = failure.get();
    if (first != null) {
      throw new OutcomeUnknownException(first);
    }
  }

  /** The first failure, or null. */
  @Nullable StorageException failure() {
    return failure.get();
  }

  /** Rounds run. */
  long rounds() {
    return rounds.get();
  }

  /** Waits that another's round ended. */
  long shared() {
    return shared.get();
  }
}
