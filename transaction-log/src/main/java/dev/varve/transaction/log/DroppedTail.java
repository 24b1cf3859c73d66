package dev.varve.transaction.log;

import org.jspecify.annotations.Nullable;

/**
 * What lay behind the accepted end of a log when it was opened, and was dropped.
 *
 * @param file the file in which the log ends
 * @param offset byte position in it
 * @param fromLsn the end of the log
 * @param toLsn no LSN from here on was seen
 * @param forcedToLsn the log had been forced up to here; above {@code fromLsn} only when the loss
 *     was accepted
 * @param records whole records that were found between the two LSNs
 * @param damage why records that had been forced are lost; null when no forced one is known to be,
 *     so that the end is that of writes which a crash cut short
 */
public record DroppedTail(
    String file,
    long offset,
    long fromLsn,
    long toLsn,
    long forcedToLsn,
    long records,
    @Nullable String damage) {
  /** Bytes of the stream that were dropped. */
  public long bytes() {
    return toLsn - fromLsn;
  }

  /** Whether records are lost that had been forced, or may have been. */
  public boolean loss() {
    return damage != null;
  }

  @Override
  public String toString() {
    String what =
        file
            + " at byte "
            + offset
            + ": the log ends at LSN "
            + fromLsn
            + "; "
            + bytes()
            + " bytes up to LSN "
            + toLsn
            + " are dropped, in them "
            + records
            + " whole records";
    return damage == null
        ? what + ", none of which was ever forced"
        : what + "; " + Math.max(0, forcedToLsn - fromLsn) + " bytes had been forced: " + damage;
  }
}
