package dev.varve.dataset.engine;

/**
 * What an engine may do when it is opened.
 *
 * @param mustExist whether a directory without a store is refused, with {@code NO_STORE}, instead
 *     of getting a new one: a disk that is not mounted looks like an empty directory; behaviour
 * @param acceptLogLoss whether a log that lacks records which were forced is opened all the same,
 *     without them and with a report of what was dropped; they are lost for good, so the answer is
 *     no unless somebody has decided it for this one opening; behaviour
 */
public record OpeningOptions(boolean mustExist, boolean acceptLogLoss) {
  /** Makes a new store where there is none, and accepts no loss. */
  public static final OpeningOptions DEFAULTS = new OpeningOptions(false, false);

  /** The same, for a store that must be there. */
  public OpeningOptions withMustExist() {
    return new OpeningOptions(true, acceptLogLoss);
  }

  /** The same, for a log whose loss somebody has looked at and accepts. */
  public OpeningOptions withAcceptLogLoss() {
    return new OpeningOptions(mustExist, true);
  }
}
