package dev.varve.cli.command;

import dev.varve.btree.KeyRange;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A closed range as an argument: {@code LOW:HIGH}, either side of which may be left out. A colon
 * inside of double quotes does not divide.
 *
 * @param text as it was written
 * @param low smallest value in the range; null when there is no bound
 * @param high largest value in the range; null when there is no bound
 */
record RangeArgument(String text, @Nullable Key low, @Nullable Key high) {
  /** Reads the argument. */
  static final class Converter implements ITypeConverter<RangeArgument> {
    @Override
    public RangeArgument convert(String text) {
      return parse(text);
    }
  }

  static RangeArgument parse(String text) {
    int colon = colon(text);
    if (colon < 0) {
      throw new TypeConversionException(
          "'" + text + "' is no range; write LOW:HIGH, LOW: or :HIGH");
    }
    return new RangeArgument(
        text, bound(text.substring(0, colon)), bound(text.substring(colon + 1)));
  }

  private static @Nullable Key bound(String text) {
    return text.isEmpty() ? null : KeyArgument.parse(text);
  }

  private static int colon(String text) {
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ':' && !quoted) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The range over the keys of a key-value store: its bounds are text, or hexadecimal.
   *
   * @throws TypeConversionException when it is no hexadecimal
   */
  KeyRange toRawRange() {
    int colon = colon(text);
    String from = text.substring(0, colon);
    String to = text.substring(colon + 1);
    if (from.isEmpty()) {
      return to.isEmpty() ? KeyRange.all() : KeyRange.atMost(StoredEntry.bytes(to));
    }
    return to.isEmpty()
        ? KeyRange.atLeast(StoredEntry.bytes(from))
        : KeyRange.closed(StoredEntry.bytes(from), StoredEntry.bytes(to));
  }

  /** The range over encoded keys. */
  KeyRange toKeyRange() {
    if (low == null) {
      return high == null ? ValueRange.all() : ValueRange.atMost(high);
    }
    return high == null ? ValueRange.atLeast(low) : ValueRange.closed(low, high);
  }
}
