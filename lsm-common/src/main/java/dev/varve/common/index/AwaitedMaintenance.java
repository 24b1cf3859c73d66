package dev.varve.common.index;

import dev.varve.common.component.ComponentState;
import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Maintenance that a caller wants done now and waits for: it sets tasks off, which the queue runs
 * as any others, and watches the index until they are through. Confined to one call.
 */
final class AwaitedMaintenance<Q> {
  private final LsmIndex<Q> index;

  AwaitedMaintenance(LsmIndex<Q> index) {
    this.index = index;
  }

  /** See {@link LsmIndex#flush}. */
  void flush() throws StorageException {
    List<MemoryComponent<Q>> wanted = index.components().memory();
    MemoryComponent<Q> newest = wanted.get(0);
    while (newest.state() == ComponentState.WRITABLE && newest.holdsOperations() && !index.seal()) {
      // As many components as allowed wait already: once one is on disk there is room to seal. That
      // may have come about since, and a later flush need not follow.
      awaitFlush(() -> newest.state() != ComponentState.WRITABLE || index.canSeal());
    }
    if (newest.state() != ComponentState.WRITABLE) {
      awaitFlush(() -> newest.state() == ComponentState.RETIRED);
    } else if (wanted.size() > 1) {
      // Nothing was written since the last seal, but what was sealed may still be on its way.
      MemoryComponent<Q> sealed = wanted.get(1);
      awaitFlush(() -> sealed.state() == ComponentState.RETIRED);
    }
  }

  private void awaitFlush(BooleanSupplier reached) throws StorageException {
    Signal.Outcome outcome =
        await(() -> reached.getAsBoolean() || index.flushFailure() != null || index.isClosed());
    index.requireOpen();
    Throwable failure = index.flushFailure();
    if (reached.getAsBoolean() || (outcome == Signal.Outcome.DONE && failure == null)) {
      // Or it was reached for a moment: room for a component is taken again by the next seal.
      return;
    }
    throwFailure("flush of " + index.describe(), outcome, failure);
  }

  /** See {@link LsmIndex#compact}. */
  void compact() throws StorageException {
    flush();
    String what = "compaction of " + index.describe();
    MergeTask<Q> task = null;
    while (task == null) {
      Signal.Outcome outcome = await(() -> !index.merges().isMerging() || index.isClosed());
      index.requireOpen();
      if (outcome != Signal.Outcome.DONE) {
        throwFailure(what, outcome, null);
      }
      if (index.components().disk().isCompact()) {
        return;
      }
      task = index.submitCompaction();
    }
    MergeTask<Q> submitted = task;
    Signal.Outcome outcome = await(() -> submitted.done() || index.isClosed());
    if (!submitted.done() || submitted.failure() != null) {
      index.requireOpen();
      throwFailure(what, outcome, submitted.failure());
    }
  }

  private Signal.Outcome await(BooleanSupplier condition) {
    return index.changed().await(condition, Signal.FOREVER);
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
