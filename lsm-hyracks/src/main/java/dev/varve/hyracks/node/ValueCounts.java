package dev.varve.hyracks.node;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Key;
import dev.varve.hyracks.operator.Aggregate;
import java.util.Optional;

/**
 * What values a field has in the records of a read, and how many have each: in the order of the
 * values, those without one first; or the lowest or highest value only. What the partitions have
 * gathered is added up here. Confined to one thread; the caller closes it.
 */
public final class ValueCounts implements AutoCloseable {
  private final ResultFrames frames;
  private final boolean all;
  private final KeyDecoder number = new KeyDecoder();
  private Slice value = new Slice();
  private long records;
  private boolean ahead;
  private boolean ended;

  ValueCounts(ResultFrames frames, Aggregate.Kind kind) {
    this.frames = frames;
    this.all = kind == Aggregate.Kind.EACH;
  }

  /** Moves to the next value; false at the end, and from then on. */
  public boolean next() throws StorageException, JobFailedException {
    if (ended || !(ahead || frames.next())) {
      ended = true;
      return false;
    }
    value = new Slice(frames.key().toByteArray());
    records = 0;
    do {
      records += number.reset(frames.record()).readLong();
      ahead = frames.next();
    } while (ahead && frames.key().sameBytes(value));
    assert records > 0 : value;
    ended = !all;
    return true;
  }

  /** The value, encoded; empty for the records that have none. */
  public Optional<Key> value() {
    return value.length() == 0 ? Optional.empty() : Optional.of(Key.ofSlice(value));
  }

  /** How many records have it. */
  public long records() {
    return records;
  }

  /** Reads no further; idempotent. */
  @Override
  public void close() {
    ended = true;
    frames.close();
  }
}
