package dev.varve.hyracks.feed;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;

/**
 * A record that a named feed left out, as it is kept until somebody looks at it. Immutable.
 *
 * @param input where it comes from
 * @param number which record of the input it is, from 1; 0 where the input can't be read again
 * @param reason why it was left out
 * @param message the same in a sentence
 * @param record its beginning, as text, at most {@link FeedLedger#MOST_CHARACTERS}
 */
public record FeedReject(
    String input, long number, RefusalReason reason, String message, String record) {
  /** As a value of the store that keeps it, and as a field of a tuple. */
  public Slice encode() {
    return new KeyEncoder()
        .addString(input)
        .addLong(number)
        .addString(reason.name())
        .addString(message)
        .addString(record)
        .toSlice();
  }

  /** Reads what {@link #encode} gave. */
  public static FeedReject read(Slice encoded) {
    KeyDecoder values = new KeyDecoder().reset(encoded);
    return new FeedReject(
        values.readString(),
        values.readLong(),
        RefusalReason.valueOf(values.readString()),
        values.readString(),
        values.readString());
  }

  /** The same with texts that are not too long to be kept. */
  FeedReject shortened() {
    return new FeedReject(input, number, reason, shortened(message), shortened(record));
  }

  /** The beginning of a text, not cut within a character. */
  private static String shortened(String text) {
    return text.codePointCount(0, text.length()) <= FeedLedger.MOST_CHARACTERS
        ? text
        : text.substring(0, text.offsetByCodePoints(0, FeedLedger.MOST_CHARACTERS));
  }
}
