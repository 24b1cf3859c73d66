package dev.varve.cli.command;

import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.options.TimeToLive;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How long what goes into a new store can be read. Filled by picocli. */
final class LifeOption {
  @Option(
      names = "--ttl",
      paramLabel = "LIFE",
      converter = Life.class,
      description =
          "How long what is in a new store can be read: 90s, 15m, 12h, 30d, or as ISO 8601 has it:"
              + " PT36H. From when they were written last, or records from the time in"
              + " --ttl-field.")
  @Nullable Duration life;

  @Option(
      names = "--ttl-field",
      paramLabel = "FIELD",
      description =
          "Where a record of a new dataset says when its life begins: milliseconds since 1970, or"
              + " text as 2026-11-27T08:00:00Z. Without --ttl it says when it ends.")
  @Nullable String field;

  /** Whether there is one. */
  boolean given() {
    return life != null || field != null;
  }

  /**
   * Of records, empty where nothing is given.
   *
   * @throws IllegalArgumentException when the life is none
   */
  Optional<TimeToLive> ofRecords() {
    String begin = field;
    if (begin == null) {
      return ofPairs().map(TimeToLive::sinceWrite);
    }
    return Optional.of(
        TimeToLive.since(FieldPath.parse(begin), life == null ? Duration.ZERO : life));
  }

  /**
   * Of pairs, empty where nothing is given.
   *
   * @throws IllegalArgumentException when a field is given
   */
  Optional<Duration> ofPairs() {
    if (field != null) {
      throw new IllegalArgumentException("pairs have no fields: --ttl-field is for datasets");
    }
    return Optional.ofNullable(life);
  }

  /** Reads a life. */
  static final class Life implements ITypeConverter<Duration> {
    private static final Pattern SHORT = Pattern.compile("([0-9]{1,9})([smhd])");

    @Override
    public Duration convert(String text) {
      Matcher matcher = SHORT.matcher(text.toLowerCase(Locale.ROOT));
      if (matcher.matches()) {
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
          case "s" -> Duration.ofSeconds(count);
          case "m" -> Duration.ofMinutes(count);
          case "h" -> Duration.ofHours(count);
          default -> Duration.ofDays(count);
        };
      }
      try {
        return Duration.parse(text);
      } catch (DateTimeParseException unreadable) {
        throw new TypeConversionException("'" + text + "' is no time like 90s, 15m, 12h or 30d");
      }
    }
  }
}
