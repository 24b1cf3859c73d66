package dev.varve.common.error;

/**
 * The log failed while a commit was on its way to disk: whether the transaction survives is known
 * only after the engine is closed and opened again. The engine refuses every later write with the
 * same first cause.
 */
public final class OutcomeUnknownException extends StorageException {
  private static final long serialVersionUID = 1L;

  /** Wraps the first failure of the log. */
  public OutcomeUnknownException(StorageException firstCause) {
    super(
        "the log failed, close and reopen the engine to learn what survived: "
            + firstCause.getMessage(),
        firstCause);
  }
}
