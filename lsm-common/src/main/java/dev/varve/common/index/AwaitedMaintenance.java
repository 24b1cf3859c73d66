package dev.varve.common.index;

import dev.varve.common.component.ComponentState;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Maintenance that a caller wants done now and waits for: it sets tasks off, which the queue runs
 * as any others, and watches the index until they are through. Confined to one call.
 */
final class AwaitedMaintenance<Q> {
  private final IndexVersions<Q> versions;
  private final String index;

  AwaitedMaintenance(IndexVersions<Q> versions, String index) {
    this.versions = versions;
    this.index = index;
  }

  /** See {@link LsmIndex#flush}. */
  void flush() throws StorageException {
    List<MemoryComponent<Q>> wanted = versions.components().memory();
    MemoryComponent<Q> newest = wanted.get(0);
    seal(newest);
    if (newest.state() != ComponentState.WRITABLE) {
      awaitFlush(() -> newest.state() == ComponentState.RETIRED);
    } else if (wanted.size() > 1) {
      // Nothing was written since the last seal, but what was sealed may still be on its way.
      MemoryComponent<Q> sealed = wanted.get(1);
      awaitFlush(() -> sealed.state() == ComponentState.RETIRED);
    }
  }

  /** Returns when a component is sealed, if something is in it, and another takes writers. */
  void seal(MemoryComponent<Q> newest) throws StorageException {
    while (newest.state() == ComponentState.WRITABLE
        && newest.holdsOperations()
        && !versions.seal()) {
      // As many components as allowed wait already: once one is on disk there is room to seal. That
      // may have come about since, and a later flush need not follow.
      awaitFlush(() -> newest.state() != ComponentState.WRITABLE || versions.canSeal());
    }
  }

  private void awaitFlush(BooleanSupplier reached) throws StorageException {
    Signal.Outcome outcome =
        await(() -> reached.getAsBoolean() || versions.flushFailure() != null || versions.closed);
    versions.requireOpen();
    Throwable failure = versions.flushFailure();
    if (reached.getAsBoolean() || (outcome == Signal.Outcome.DONE && failure == null)) {
      // Or it was reached for a moment: room for a component is taken again by the next seal.
      return;
    }
    throwFailure("flush of " + index, outcome, failure);
  }

  /**
   * See {@link LsmIndex#compact}.
   *
   * @param submit begins and submits a merge of everything; gives null when one is under way, or
   *     there is nothing to merge
   */
  void compact(Supplier<@Nullable MergeTask<Q>> submit) throws StorageException {
    flush();
    String what = "compaction of " + index;
    MergeTask<Q> task = null;
    while (task == null) {
      Signal.Outcome outcome = await(() -> !versions.isMerging() || versions.closed);
      versions.requireOpen();
      if (outcome != Signal.Outcome.DONE) {
        throwFailure(what, outcome, null);
      }
      if (versions.components().disk().isCompact()) {
        return;
      }
      task = submit.get();
    }
    MergeTask<Q> submitted = task;
    Signal.Outcome outcome = await(() -> submitted.done() || versions.closed);
    if (!submitted.done() || submitted.failure() != null) {
      versions.requireOpen();
      throwFailure(what, outcome, submitted.failure());
    }
  }

  /**
   * See {@link LsmIndex#repair}.
   *
   * @param tasks what runs repairs
   */
  void repair(IndexTasks<Q> tasks) throws StorageException {
    String what = "repair of " + index;
    for (DiskComponent<Q> component : versions.components().disk().all()) {
      RepairTask<Q> submitted = null;
      boolean waiting = true;
      while (waiting) {
        // A merge of it checks what it reads, unless it fails.
        Signal.Outcome outcome =
            await(
                () ->
                    versions.closed
                        || (component.state() != ComponentState.MERGING && !tasks.isRepairing()));
        versions.requireOpen();
        if (outcome != Signal.Outcome.DONE) {
          throwFailure(what, outcome, null);
        }
        submitted = tasks.submitRepair(component);
        waiting =
            submitted == null
                && (component.state() == ComponentState.MERGING || tasks.isRepairing());
      }
      awaitRepair(what, submitted);
    }
  }

  private void awaitRepair(String what, @Nullable RepairTask<Q> submitted) throws StorageException {
    if (submitted != null) {
      Signal.Outcome outcome = await(() -> submitted.done() || versions.closed);
      if (!submitted.done() || submitted.failure() != null) {
        versions.requireOpen();
        throwFailure(what, outcome, submitted.failure());
      }
    }
  }

  private Signal.Outcome await(BooleanSupplier condition) {
    return versions.changed().await(condition, Signal.FOREVER);
  }

  private static void throwFailure(String what, Signal.Outcome outcome, @Nullable Throwable failure)
      throws StorageException {
    if (failure instanceof StorageException cause) {
      throw cause;
    }
    if (outcome == Signal.Outcome.INTERRUPTED) {
      throw new ConflictException(
          ConflictException.Reason.INTERRUPTED,
          what + ": interrupted, it goes on in the background");
    }
    throw new IllegalStateException(what + " failed", failure);
  }
}
