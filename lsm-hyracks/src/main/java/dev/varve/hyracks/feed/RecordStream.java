package dev.varve.hyracks.feed;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import org.jspecify.annotations.Nullable;

/**
 * A share of a source's records, read once from front to back. Confined to one thread, but for
 * {@link #close}, which may come from another one and ends a read if its input can; the caller
 * closes it.
 */
public interface RecordStream extends AutoCloseable {
  /**
   * Moves to the next record.
   *
   * @param record set to a view of the record's JSON bytes, valid until the next call; untouched
   *     when the result is false
   * @return false at the end, and from then on
   */
  boolean next(Slice record) throws StorageException;

  /** Where the record read last stands, for messages: an input and a line; empty if unknown. */
  default String place() {
    return "";
  }

  /** Name of the input that the record read last is of; the same in every run of a feed. */
  default String input() {
    return "";
  }

  /**
   * Which record of its input the one read last is, from 1, and the same one in every run of a
   * feed; 0 where an input can't be read again.
   */
  default long number() {
    return 0;
  }

  /** As {@link RecordParser#offset}, of the record read last. */
  default long offset() {
    return FeedPosition.NO_OFFSET;
  }

  /** As {@link RecordParser#problem}, of the record read last. */
  default @Nullable String problem() {
    return null;
  }

  /** Gives files and buffers back; idempotent. */
  @Override
  void close();
}
