package dev.varve.hyracks.node;

import dev.varve.common.error.StorageException;
import dev.varve.hyracks.adapter.StorageFailures;
import java.util.concurrent.Callable;

/**
 * Calls Hyracks, whose methods may throw anything, and says what went wrong in the two exceptions
 * of this package. No state.
 */
final class ErrorTranslator {
  private ErrorTranslator() {}

  /**
   * Makes a call.
   *
   * @param what what has failed if the call fails
   * @throws StorageException the engine's own exception, when that is what went wrong
   */
  static <T> T call(String what, Callable<T> call) throws StorageException, JobFailedException {
    try {
      return call.call();
    } catch (Exception failure) {
      StorageException storage = StorageFailures.fromHyracks(failure).orElse(null);
      if (storage != null) {
        throw storage;
      }
      if (failure instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new JobFailedException(what + ": " + failure.getMessage(), failure);
    }
  }
}
