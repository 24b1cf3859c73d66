package dev.varve.transaction.checkpoint;

import dev.varve.transaction.log.LogPosition;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What recovery starts from.
 *
 * @param kind how the engine was left when the checkpoint was written
 * @param lowWaterMark no record below this LSN is needed for recovery
 * @param nextTransaction no transaction below the low-water mark has this id or a higher one
 * @param position where reading the log starts
 * @param newestFlushes by index, the sequence number of the newest flush that must be on disk: the
 *     low-water mark may rely on it, so without it acknowledged records are lost
 */
public record Checkpoint(
    Kind kind,
    long lowWaterMark,
    long nextTransaction,
    LogPosition position,
    SortedMap<Integer, Long> newestFlushes) {
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
    newestFlushes = Collections.unmodifiableSortedMap(new TreeMap<>(newestFlushes));
    if (lowWaterMark < 0 || nextTransaction < 1 || position.boundaryLsn() > lowWaterMark) {
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

  /** A checkpoint that relies on no component. */
  public Checkpoint(Kind kind, long lowWaterMark, long nextTransaction, LogPosition position) {
    this(kind, lowWaterMark, nextTransaction, position, Collections.emptySortedMap());
  }

  /** The checkpoint of an engine whose log does not exist yet. */
  public static Checkpoint creating() {
    return new Checkpoint(Kind.CREATING, 0, 1, LogPosition.NONE);
  }
}
