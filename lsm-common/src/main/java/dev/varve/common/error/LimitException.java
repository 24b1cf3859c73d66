package dev.varve.common.error;

/** A key, a record or a count is over its documented bound. */
public final class LimitException extends StorageException {
  private static final long serialVersionUID = 1L;

  /**
   * Names what was bounded.
   *
   * @param what what was measured, with its unit: {@code key bytes}
   * @param found the value that was refused
   * @param limit the largest value allowed
   */
  public LimitException(String what, long found, long limit) {
    super(what + ": " + found + ", at most " + limit, null);
  }

  /**
   * The same with what else is to be known.
   *
   * @param advice sentences behind it: what is as it was, and what may be done
   */
  public LimitException(String what, long found, long limit, String advice) {
    super(what + ": " + found + ", at most " + limit + "; " + advice, null);
  }
}
