package dev.varve.dataset;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.LeftOpen;
import dev.varve.dataset.internal.partition.PartitionIndexes;
import dev.varve.dataset.internal.partition.PartitionLifecycle;
import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Closes an engine: everybody out, flush, checkpoint, workers, files, lock. A failure is remembered
 * and the rest is closed all the same: what was acknowledged is in the log. Used by one thread at a
 * time, and again after it threw.
 *
 * <p>Implementation note. What is left open in one partition keeps nothing else from being saved. A
 * cursor is no obstacle at all: it pins the files that it reads, which are closed with it. A
 * transaction is one, because a memory component with an uncommitted writer is not flushed; so is a
 * bulk load, which writes files. Both are ended by force after the time-out, unless a thread is in
 * a call of them that does not return. Only then the engine stays half open, its log and lock with
 * it, and is closed by a later call.
 *
 * <p>An interrupt of the closing thread shortens nothing; the flag is set again at the end.
 */
final class EngineClosing {
  private static final Logger LOGGER = LogManager.getLogger(EngineClosing.class);

  /** How much of what is left open a message names. */
  private static final int MOST_NAMED = 20;

  private final EngineParts parts;
  private List<ManagedDataset> datasets = List.of();
  private boolean begun;
  private boolean ended;
  private boolean interrupted;
  private @Nullable Throwable failure;

  EngineClosing(EngineParts parts) {
    this.parts = parts;
  }

  /** Something to be done on the way. */
  @FunctionalInterface
  private interface Step {
    void run() throws StorageException;
  }

  /**
   * Closes what is not closed yet.
   *
   * @param all the datasets of the engine; asked once none is created or dropped any more
   * @throws ConflictException with {@code LEFT_OPEN} when something was left open by others
   */
  void run(Supplier<List<ManagedDataset>> all) throws StorageException {
    interrupted = Thread.interrupted();
    failure = null;
    try {
      List<LeftOpen> left = begun ? inUse() : begin(all);
      if (!ended) {
        revoke();
        if (save()) {
          end();
          ended = true;
        }
      }
      complain(left);
    } finally {
      interrupted |= Thread.interrupted();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    rethrow();
  }

  /** Refuses every new call, waits for those inside, and says who has stayed. */
  private List<LeftOpen> begin(Supplier<List<ManagedDataset>> all) {
    begun = true;
    parts.node().health().close();
    parts.workers().warmer().close();
    parts.node().admission().close();
    // Whoever opens, closes or drops a dataset is waited for; others find the engine closed.
    parts.mutex().acquireUninterruptibly();
    parts.mutex().release();
    datasets = all.get();
    datasets.forEach(ManagedDataset::shut);
    List<LeftOpen> users = inUse();
    if (!users.isEmpty()) {
      LOGGER.warn(
          "closing {} waits up to {} ms for what is open: {}",
          parts.options().directory(),
          parts.options().sessions().closeTimeoutMillis(),
          describe(users));
      await(PartitionLifecycle::empty, PartitionLifecycle::awaitEmpty);
    }
    return inUse();
  }

  private List<LeftOpen> inUse() {
    List<LeftOpen> users = new ArrayList<>();
    lifecycles().forEach(lifecycle -> users.addAll(lifecycle.inUse()));
    return users;
  }

  private List<PartitionLifecycle> lifecycles() {
    return datasets.stream().flatMap(dataset -> dataset.lifecycles().stream()).toList();
  }

  /** Waits for every partition until something holds of it, all of them together the time-out. */
  private void await(
      Predicate<PartitionLifecycle> holds, BiConsumer<PartitionLifecycle, Long> wait) {
    long timeout = TimeUnit.MILLISECONDS.toNanos(parts.options().sessions().closeTimeoutMillis());
    long begin = parts.node().clock().nanoTime();
    for (PartitionLifecycle lifecycle : lifecycles()) {
      long left = timeout;
      while (!holds.test(lifecycle) && left > 0) {
        left = timeout - (parts.node().clock().nanoTime() - begin);
        wait.accept(lifecycle, Math.max(0, left));
        interrupted |= Thread.interrupted();
      }
    }
  }

  /** Ends transactions and bulk loads by force, so that what else is in memory can be saved. */
  private void revoke() {
    List<PartitionLifecycle> unsettled =
        lifecycles().stream().filter(lifecycle -> !lifecycle.settled()).toList();
    unsettled.forEach(PartitionLifecycle::revoke);
    if (!unsettled.stream().allMatch(PartitionLifecycle::settled)) {
      // Calls that waited for a lock of theirs go on now.
      await(PartitionLifecycle::settled, PartitionLifecycle::awaitSettled);
    }
  }

  /** Flushes what can be; whether nobody is left who may change something. */
  private boolean save() {
    boolean settled = true;
    boolean well = parts.node().health().well();
    for (ManagedDataset dataset : parts.active().list()) {
      if (well) {
        dataset.writeBuffer().seal();
      }
    }
    for (PartitionLifecycle lifecycle : lifecycles()) {
      PartitionIndexes indexes = lifecycle.openIndexes();
      if (!lifecycle.settled()) {
        settled = false;
      } else if (indexes != null && well) {
        attempt(() -> flush(indexes));
      } else if (indexes != null && lostWith(indexes)) {
        attempt(parts.node().health()::requireWell);
      }
    }
    return settled;
  }

  /** Whether the indexes hold in memory what is nowhere else. */
  private boolean lostWith(PartitionIndexes indexes) {
    return parts.node().durability() == Durability.NONE
        && indexes.all().stream().anyMatch(index -> !index.state().memoryIsEmpty());
  }

  private void flush(PartitionIndexes indexes) throws StorageException {
    while (true) {
      try {
        indexes.flush();
        return;
      } catch (ConflictException e) {
        if (!Thread.interrupted()) {
          throw e;
        }
        interrupted = true;
      }
    }
  }

  private void end() {
    boolean saved = parts.node().health().well() && failure == null;
    parts.workers().loops().forEach(loop -> attempt(loop::close));
    attempt(parts.workers().queue()::close);
    attempt(parts.workers().reports()::deleteFile);
    attempt(parts.workers().maintenance()::close);
    attempt(parts.workers().device().budget()::close);
    attempt(parts.workers().device().spaces()::close);
    if (saved && failure == null) {
      attempt(
          () ->
              parts
                  .workers()
                  .keeper()
                  .checkpoint(Checkpoint.Kind.CLOSED, parts.workers().keeper().mark()));
      if (failure == null) {
        parts.workers().warmer().listAtEnd();
        attempt(parts.files().quarantine()::deleteSuperfluous);
      }
    }
    for (ManagedDataset dataset : datasets) {
      attempt(dataset::abandon);
    }
    attempt(parts.node().log()::close);
    attempt(parts.node().environment().unforced()::close);
    attempt(parts.files().lock()::close);
    attempt(parts.heap()::close);
    if (parts.options().sessions().leakTracking()) {
      lifecycles().forEach(EngineClosing::warnOfSessions);
    }
  }

  /** A session that is in no call holds nothing up, but is a leak all the same. */
  private static void warnOfSessions(PartitionLifecycle lifecycle) {
    lifecycle
        .sessions()
        .forEach(
            left ->
                LOGGER.warn("the engine was closed with {}", left.description(), left.opening()));
  }

  private void complain(List<LeftOpen> left) {
    if (left.isEmpty()) {
      return;
    }
    String what =
        ended
            ? "was closed, and all that was committed is saved; what was left open was ended, and"
                + " files that a cursor reads stay open until it is closed: "
            : "is not closed: calls of others are under way, and what was committed is saved as far"
                + " as they let it; close it again when they have returned: ";
    ConflictException leftOpen =
        new ConflictException(
            ConflictException.Reason.LEFT_OPEN,
            "the engine of " + parts.options().directory() + " " + what + describe(left));
    left.forEach(
        user -> {
          if (user.opening() != null) {
            leftOpen.addSuppressed(user.opening());
          }
        });
    attempt(
        () -> {
          throw leftOpen;
        });
  }

  private static String describe(List<LeftOpen> users) {
    String named =
        users.stream()
            .limit(MOST_NAMED)
            .map(LeftOpen::description)
            .collect(Collectors.joining("; "));
    return users.size() <= MOST_NAMED
        ? named
        : named + "; and " + (users.size() - MOST_NAMED) + " more";
  }

  private void attempt(Step step) {
    try {
      step.run();
    } catch (StorageException | RuntimeException e) {
      if (failure == null) {
        failure = e;
      } else {
        failure.addSuppressed(e);
      }
    }
  }

  private void rethrow() throws StorageException {
    Throwable first = failure;
    if (first instanceof StorageException storage) {
      throw storage;
    }
    if (first instanceof RuntimeException runtime) {
      throw runtime;
    }
  }
}
