package dev.varve.hyracks.operator;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.KeyType;
import dev.varve.common.bytes.Slice;
import org.jspecify.annotations.Nullable;

/**
 * Why a record can't be one, as its parser has said it, in the place of the primary key in a feed's
 * tuple: behind a null, which no primary key has. Confined to one task.
 */
final class FeedProblem {
  private final KeyEncoder encoder = new KeyEncoder();
  private final KeyDecoder decoder = new KeyDecoder();

  /** The field; holds until the next call. */
  Slice key(String problem) {
    return encoder.reset().addNull().addString(problem).toSlice();
  }

  /** What a field says; null for a key, or none. */
  @Nullable String of(Slice key) {
    if (key.length() == 0 || decoder.reset(key).type() != KeyType.NULL) {
      return null;
    }
    decoder.readNull();
    return decoder.readString();
  }
}
