package dev.varve.dataset.engine;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.partition.PartitionHost;
import dev.varve.transaction.checkpoint.Checkpoint;
import org.jspecify.annotations.Nullable;

/**
 * Closes an engine: everybody out, flush, checkpoint, workers, files, lock. A failure is remembered
 * and the rest is closed all the same: what was acknowledged is in the log. Used once.
 */
final class EngineClosing {
  private final EngineParts parts;
  private @Nullable Throwable failure;

  EngineClosing(EngineParts parts) {
    this.parts = parts;
  }

  /** Something to be done on the way. */
  @FunctionalInterface
  private interface Step {
    void run() throws StorageException;
  }

  void run(Iterable<ManagedDataset> datasets) throws StorageException {
    parts.services().health().close();
    parts.services().progress().raise();
    boolean well = parts.services().health().well();
    boolean quiet = true;
    for (ManagedDataset dataset : datasets) {
      quiet &= keepOut(dataset);
    }
    if (well && quiet) {
      for (ManagedDataset dataset : parts.active().list()) {
        attempt(dataset::flush);
      }
    }
    attempt(parts.keeperHandle()::close);
    attempt(parts.queue()::close);
    attempt(parts.reports()::deleteFile);
    attempt(parts.maintenance()::close);
    attempt(parts.budget()::close);
    attempt(parts.space()::close);
    if (well && quiet && failure == null) {
      attempt(() -> parts.keeper().checkpoint(Checkpoint.Kind.CLOSED, parts.keeper().mark()));
    }
    for (ManagedDataset dataset : datasets) {
      attempt(dataset::abandon);
    }
    attempt(parts.services().log()::close);
    attempt(parts.lock()::close);
    rethrow();
  }

  /** A session or cursor that was never closed must not keep the engine open for ever. */
  private boolean keepOut(ManagedDataset dataset) {
    boolean out = true;
    for (PartitionHost host : dataset.hosts()) {
      out &= host.keepOut(parts.services().settings().lockTimeoutNanos());
    }
    return out;
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
