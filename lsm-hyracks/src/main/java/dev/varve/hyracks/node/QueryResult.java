package dev.varve.hyracks.node;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.operator.ReadRequest;

/**
 * The records that a query finds, read while it runs, frame by frame. Confined to one thread; the
 * caller closes it.
 */
public final class QueryResult implements AutoCloseable {
  private final ResultFrames frames;
  private final KeyDecoder decoder = new KeyDecoder();
  private final Slice key = new Slice();

  /** How many records are still to be given at most. */
  private long left;

  /** Distances or values that come before the keys. */
  private final int ranks;

  private QueryResult(ResultFrames frames, long most, int ranks) {
    this.frames = frames;
    this.left = most;
    this.ranks = ranks;
  }

  /** The first records that a read finds: each partition may send as many. */
  static QueryResult of(ReadRequest request, ResultFrames frames) {
    return new QueryResult(frames, request.limit(), request.hasRanks() ? 1 : 0);
  }

  /** Moves to the next record; false at the end, and from then on. */
  public boolean next() throws StorageException, JobFailedException {
    if (left == 0 || !frames.next()) {
      left = 0;
      return false;
    }
    left--;
    return true;
  }

  /** The encoded primary key; valid until the next call of {@link #next}. */
  public Slice key() {
    Slice field = frames.key();
    decoder.reset(field);
    for (int rank = 0; rank < ranks; rank++) {
      decoder.skip();
    }
    int before = decoder.position();
    return key.set(field.bytes(), field.offset() + before, field.length() - before);
  }

  /** The record's JSON bytes; valid until the next call of {@link #next}. */
  public Slice record() {
    return frames.record();
  }

  /** Reads no further: ends the job if it still runs, and drops what was not read; idempotent. */
  @Override
  public void close() {
    left = 0;
    frames.close();
  }
}
