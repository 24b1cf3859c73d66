package dev.varve.dataset.model;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import java.util.ArrayList;
import java.util.List;

/**
 * Bounds on what a record may be; what is over one is refused with a {@code LimitException} and
 * leaves nothing behind.
 *
 * @param maxRecordBytes longest record
 * @param maxDepth deepest nesting of objects and arrays
 * @param maxNumberCharacters longest number, in characters of its text
 * @param maxKeyBytes longest encoded key of an index, a secondary's primary key included
 */
public record RecordLimits(
    int maxRecordBytes, int maxDepth, int maxNumberCharacters, int maxKeyBytes) {
  /** One MiB, 64 levels, 64 characters, keys of 1,024 bytes. */
  public static final RecordLimits DEFAULTS = new RecordLimits(1 << 20, 64, 64, 1024);

  /** The widest bounds: what was stored under any others is read with these. */
  public static final RecordLimits WIDEST = new RecordLimits(1 << 21, 1000, 1000, 2048);

  /** Reports all problems at once. */
  public RecordLimits {
    List<String> problems = new ArrayList<>();
    check(problems, "maxRecordBytes", maxRecordBytes, 1 << 21);
    check(problems, "maxDepth", maxDepth, 1000);
    check(problems, "maxNumberCharacters", maxNumberCharacters, 1000);
    check(problems, "maxKeyBytes", maxKeyBytes, 2048);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  /** Refuses a pair of a key-value store that is over a bound. */
  public void requirePair(Slice key, Slice value) throws LimitException {
    if (value.length() > maxRecordBytes) {
      throw new LimitException("value bytes", value.length(), maxRecordBytes);
    }
    if (key.length() > maxKeyBytes) {
      throw new LimitException("primary key bytes", key.length(), maxKeyBytes);
    }
  }

  private static void check(List<String> problems, String name, int value, int most) {
    if (value < 1 || value > most) {
      problems.add(name + " " + value + " is not between 1 and " + most);
    }
  }
}
