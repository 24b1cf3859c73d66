package dev.varve.hyracks.node;

import dev.varve.common.error.StorageException;
import dev.varve.hyracks.adapter.StorageFailures;

/** Says what went wrong in Hyracks in the two exceptions of this package. No state. */
final class JobFailures {
  private JobFailures() {}

  /**
   * Wraps a failure that is not the engine's.
   *
   * @throws StorageException the engine's own exception, when that is what went wrong
   */
  static JobFailedException of(String what, Exception failure) throws StorageException {
    StorageException storage = StorageFailures.fromHyracks(failure).orElse(null);
    if (storage != null) {
      throw storage;
    }
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new JobFailedException(what + ": " + failure.getMessage(), failure);
  }
}
