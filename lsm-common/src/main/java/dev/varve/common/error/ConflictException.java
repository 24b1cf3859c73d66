package dev.varve.common.error;

/** Someone or something else is in the way; the operation left nothing behind. */
public final class ConflictException extends StorageException {
  private static final long serialVersionUID = 1L;

  /** What stood in the way. */
  public enum Reason {
    /** A record with this primary key exists. */
    DUPLICATE_KEY,
    /** A lock on a primary key was not granted in time. */
    LOCK_TIMEOUT,
    /** The transaction was chosen as the victim of a deadlock. */
    DEADLOCK,
    /**
     * Another has changed the record since the moment as of which the transaction reads; it was
     * aborted and may be tried again.
     */
    WRITE_CONFLICT,
    /** The snapshot was given up, since what had to be kept for it grew beyond its limit. */
    SNAPSHOT_GIVEN_UP,
    /** The transaction was aborted before. */
    ABORTED,
    /** Another engine, in this process or another, has the directory open. */
    DIRECTORY_IN_USE,
    /**
     * The directory, or the lock file in it, was removed or replaced while an engine was open; or a
     * feed was begun again elsewhere.
     */
    OWNERSHIP_LOST,
    /** There is no store in the directory, and the options do not let one be made. */
    NO_STORE,
    /** The directory holds files of something else, of which none is touched. */
    FOREIGN_FILES,
    /** The options contradict those that the files were written with. */
    OPTIONS_MISMATCH,
    /** A dataset or index with this name exists. */
    NAME_EXISTS,
    /** A bulk load found entries in the index. */
    NOT_EMPTY,
    /** The write gate stayed closed for longer than the caller would wait. */
    STALLED,
    /**
     * An engine was closed while cursors, transactions, bulk loads or calls of others were open:
     * what was committed is durable unless the message says otherwise.
     */
    LEFT_OPEN,
    /** The transaction was open for longer than the engine allows, and was aborted. */
    TRANSACTION_TIMED_OUT,
    /** The caller's thread was interrupted while it waited; its flag is still set. */
    INTERRUPTED
  }

  private final Reason reason;

  /** Says what stood in the way, and where. */
  public ConflictException(Reason reason, String message) {
    super(message, null);
    this.reason = reason;
  }

  /**
   * What a wait is refused with that did not come to its end: {@code INTERRUPTED} when the caller's
   * thread was, else what the wait was for.
   */
  public static ConflictException afterWait(Reason reason, String message) {
    return Thread.currentThread().isInterrupted()
        ? new ConflictException(Reason.INTERRUPTED, "interrupted while waiting: " + message)
        : new ConflictException(reason, message);
  }

  /** What stood in the way. */
  public Reason reason() {
    return reason;
  }
}
