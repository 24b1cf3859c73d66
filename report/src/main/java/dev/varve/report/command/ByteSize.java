package dev.varve.report.command;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes as an argument: {@code 4096}, {@code 512k}, {@code 64m}, {@code 2g}; powers of
 * 1,024.
 *
 * @param bytes how many
 */
public record ByteSize(long bytes) {
  /** Reads the argument. */
  public static final class Converter implements ITypeConverter<ByteSize> {
    @Override
    public ByteSize convert(String text) {
      return parse(text);
    }
  }

  /** Reads the argument with its unit written out too: {@code 128MB}, {@code 100MB/s}. */
  public static final class RateConverter implements ITypeConverter<ByteSize> {
    @Override
    public ByteSize convert(String text) {
      return parse(text.replaceFirst("(?i)(?<=[0-9kmgt])b?(/s)?$", ""));
    }
  }

  static ByteSize parse(String text) {
    String digits = text.toLowerCase(Locale.ROOT);
    int shift = 0;
    if (!digits.isEmpty()) {
      shift = 10 * (1 + "kmgt".indexOf(digits.charAt(digits.length() - 1)));
    }
    if (shift > 0) {
      digits = digits.substring(0, digits.length() - 1);
    }
    try {
      long number = Long.parseLong(digits);
      if (number >= 0 && number <= Long.MAX_VALUE >> shift) {
        return new ByteSize(number << shift);
      }
    } catch (NumberFormatException notANumber) {
      // Told below, with what would be right.
      assert notANumber != null;
    }
    throw new TypeConversionException(
        "'" + text + "' is no number of bytes; write 4096, 512k, 64m or 2g");
  }
}
