package dev.varve.hyracks.feed;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import java.util.Optional;

/** Why a feed left a record out and went on. */
public enum RefusalReason {
  /** A record with its primary key was there. */
  DUPLICATE_KEY,
  /** It is not well-formed, or lacks its primary key. */
  MALFORMED_RECORD,
  /** The record, or one of its keys, is over a documented bound. */
  OVER_LIMIT;

  /** The reason that a failure to write one record gives; none when it concerns more than that. */
  public static Optional<RefusalReason> of(StorageException failure) {
    if (failure instanceof ConflictException conflict
        && conflict.reason() == ConflictException.Reason.DUPLICATE_KEY) {
      return Optional.of(DUPLICATE_KEY);
    }
    if (failure instanceof RequestException request
        && request.reason() == RequestException.Reason.MALFORMED_RECORD) {
      return Optional.of(MALFORMED_RECORD);
    }
    return failure instanceof LimitException ? Optional.of(OVER_LIMIT) : Optional.empty();
  }
}
