package dev.varve.transaction.checkpoint;

import dev.varve.transaction.log.LogPosition;

/**
 * What recovery starts from.
 *
 * @param kind how the engine was left when the checkpoint was written
 * @param lowWaterMark no record below this LSN is needed for recovery
 * @param nextTransaction no transaction below the low-water mark has this id or a higher one
 * @param position where reading the log starts
 */
public record Checkpoint(Kind kind, long lowWaterMark, long nextTransaction, LogPosition position) {
  /** How the engine was left. */
  public enum Kind {
    /** It was being created: there is no log yet, and whatever is found of one holds nothing. */
    CREATING(1),
    /** It was running, or had just recovered. */
    RUNNING(2),
    /** It was closed in order: the low-water mark is the end of the log. */
    CLOSED(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }
  }

  /** Checks that the numbers fit together. */
  public Checkpoint {
    if (lowWaterMark < 0 || nextTransaction < 1 || position.durableLsn() < lowWaterMark) {
      throw new IllegalArgumentException(
          "checkpoint: low-water mark "
              + lowWaterMark
              + ", next transaction "
              + nextTransaction
              + ", "
              + position);
    }
    if (kind == Kind.CREATING ? position.segment() != 0 : position.segment() < 1) {
      throw new IllegalArgumentException("checkpoint: " + kind + " with " + position);
    }
  }

  /** The checkpoint of an engine whose log does not exist yet. */
  public static Checkpoint creating() {
    return new Checkpoint(Kind.CREATING, 0, 1, LogPosition.NONE);
  }
}
