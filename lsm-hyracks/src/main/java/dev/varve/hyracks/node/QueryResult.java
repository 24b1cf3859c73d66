package dev.varve.hyracks.node;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;

/** The records that a query found. Confined to one thread; the caller closes it. */
public final class QueryResult implements AutoCloseable {
  private final ResultFrames frames;
  private boolean ended;

  QueryResult(ResultFrames frames) {
    this.frames = frames;
  }

  /** Moves to the next record; false at the end, and from then on. */
  public boolean next() throws StorageException, JobFailedException {
    ended = ended || !frames.next();
    return !ended;
  }

  /** The encoded primary key; valid until the next call of {@link #next}. */
  public Slice key() {
    return frames.key();
  }

  /** The record's JSON bytes; valid until the next call of {@link #next}. */
  public Slice record() {
    return frames.record();
  }

  /** Reads no further; idempotent. What wasn't read is dropped when the cluster stops. */
  @Override
  public void close() {
    ended = true;
  }
}
