package dev.varve.hyracks.feed;

import dev.varve.common.bytes.Slice;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads records out of one input, front to back. Confined to one thread. */
public interface RecordParser {
  /**
   * Longest record that is handed on whole: one byte more than any dataset takes. What is longer is
   * cut there, and so refused by the dataset as over its limit.
   */
  int MOST_BYTES = (1 << 21) + 1;

  /**
   * Reads the next record.
   *
   * @param record set to a view of its bytes, valid until the next call; what is no record is
   *     handed on as it is, for the dataset to refuse
   * @return false at the end of the input
   * @throws IOException when the input can't be read, or nothing behind this place can be told
   *     apart any more
   */
  boolean next(Slice record) throws IOException;

  /** Number of the line that the record read last begins in, from 1; 0 where nobody counts. */
  default long line() {
    return 0;
  }

  /**
   * What is wrong with the record read last, in a sentence, where the parser knows better than a
   * dataset would, which sees what was read as it is; null for all others.
   */
  default @Nullable String problem() {
    return null;
  }

  /**
   * How many bytes of the input, unpacked, end with the record read last; {@link
   * FeedPosition#NO_OFFSET} where nobody counts.
   */
  default long offset() {
    return FeedPosition.NO_OFFSET;
  }

  /**
   * Moves behind a record that was read in an earlier run, without reading those before it. Called
   * before anything was read.
   *
   * @param end its {@link #offset} then
   * @return false when that can't be done, or no record ends there; then the parser is at no
   *     certain place
   * @throws IOException when the input can't be read
   */
  default boolean resume(long end) throws IOException {
    return false;
  }
}
