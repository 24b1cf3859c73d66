package dev.varve.hyracks.adapter;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import java.io.Serializable;
import java.util.Optional;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;

/**
 * Translates the engine's exceptions into those that Hyracks' operators look for, and back: the
 * engine's exception travels as the cause, to the client too. Thread-safe: no state.
 */
public final class StorageFailures {
  private StorageFailures() {}

  /** What Hyracks calls this failure, with the engine's exception as its cause. */
  public static HyracksDataException toHyracks(StorageException failure) {
    if (failure instanceof ConflictException conflict) {
      return switch (conflict.reason()) {
        case DUPLICATE_KEY -> coded(ErrorCode.DUPLICATE_KEY, failure);
        case NOT_EMPTY -> coded(ErrorCode.LOAD_NON_EMPTY_INDEX, failure);
        case NAME_EXISTS -> coded(ErrorCode.CANNOT_CREATE_EXISTING_INDEX, failure);
        case LOCK_TIMEOUT,
            DEADLOCK,
            WRITE_CONFLICT,
            SNAPSHOT_GIVEN_UP,
            ABORTED,
            DIRECTORY_IN_USE,
            OWNERSHIP_LOST,
            NO_STORE,
            FOREIGN_FILES,
            OPTIONS_MISMATCH,
            STALLED,
            LEFT_OPEN,
            TRANSACTION_TIMED_OUT,
            INTERRUPTED ->
            HyracksDataException.create(failure);
      };
    }
    if (failure instanceof RequestException request) {
      return switch (request.reason()) {
        case UNSORTED_INPUT -> coded(ErrorCode.UNSORTED_LOAD_INPUT, failure);
        case UNKNOWN_DATASET, UNKNOWN_INDEX -> coded(ErrorCode.INDEX_DOES_NOT_EXIST, failure);
        case MALFORMED_RECORD,
            INVALID_NAME,
            WRONG_PARTITION,
            UNSUPPORTED,
            MISSING_PLUG_IN,
            INVALID_TOKEN ->
            HyracksDataException.create(failure);
      };
    }
    return HyracksDataException.create(failure);
  }

  /** The engine's exception inside whatever a job or an operator threw. */
  public static Optional<StorageException> fromHyracks(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 32; depth++) {
      if (cause instanceof StorageException storage) {
        return Optional.of(storage);
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  /** A refusal by the adapter itself, for which the engine has no exception. */
  static HyracksDataException refused(String message) {
    return HyracksDataException.create(ErrorCode.ILLEGAL_STATE, message);
  }

  private static HyracksDataException coded(ErrorCode code, StorageException failure) {
    return HyracksDataException.create(code, failure, (Serializable) failure.getMessage());
  }
}
