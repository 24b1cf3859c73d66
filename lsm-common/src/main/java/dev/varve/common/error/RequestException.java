package dev.varve.common.error;

/** The request itself is wrong: repeating it unchanged cannot succeed. */
public final class RequestException extends StorageException {
  private static final long serialVersionUID = 1L;

  /** What is wrong with the request. */
  public enum Reason {
    /** The record is not well-formed, or lacks its primary key. */
    MALFORMED_RECORD,
    /** No dataset has this name. */
    UNKNOWN_DATASET,
    /** No index has this name. */
    UNKNOWN_INDEX,
    /** The name is empty, too long or not valid text. */
    INVALID_NAME,
    /** The primary key belongs to another partition, or to another node of the cluster. */
    WRONG_PARTITION,
    /** Bulk-load input is not in strictly ascending key order. */
    UNSORTED_INPUT,
    /** The kind of index does not answer this, or is not there yet. */
    UNSUPPORTED,
    /** The store has an index of a kind that no plug-in on the class path offers. */
    MISSING_PLUG_IN,
    /** What says where a query goes on is damaged, or of another query. */
    INVALID_TOKEN
  }

  private final Reason reason;

  /** Says what is wrong, where, and what would be right. */
  public RequestException(Reason reason, String message) {
    super(message, null);
    this.reason = reason;
  }

  /** What is wrong with the request. */
  public Reason reason() {
    return reason;
  }
}
