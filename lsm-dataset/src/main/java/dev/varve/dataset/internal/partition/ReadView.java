package dev.varve.dataset.internal.partition;

import dev.varve.common.error.ConflictException;
import dev.varve.transaction.lock.LockOwner;
import org.jspecify.annotations.Nullable;

/**
 * What of the records a reader sees.
 *
 * @param owner whose own changes are seen, and whose locks are no obstacle; null for a reader that
 *     has none
 * @param moment as of when others' changes are seen; null for what is committed when it is read
 */
public record ReadView(@Nullable LockOwner owner, Snapshots.@Nullable Moment moment) {
  /** What is committed when it is read. */
  public static final ReadView COMMITTED = new ReadView(null, null);

  /** Throws for a moment that is open no more: an end that was found may be none. */
  void requireOpen() throws ConflictException {
    if (moment != null) {
      moment.requireOpen();
    }
  }

  /** What was committed at a moment. */
  public static ReadView asOf(Snapshots.Moment moment) {
    return new ReadView(null, moment);
  }
}
