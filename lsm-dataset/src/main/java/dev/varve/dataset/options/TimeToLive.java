package dev.varve.dataset.options;

import dev.varve.dataset.model.FieldPath;
import java.time.Duration;
import java.util.Optional;

/**
 * How long what is stored can be read. At the end of its life a record or pair is gone for all
 * readers, by the wall clock of the engine; the space that it takes is given back later, when
 * components merge.
 *
 * @param field where a record says when its life begins: milliseconds since 1970, or text as {@code
 *     2026-11-27T08:00:00Z} with any offset. A record that has neither there lives for ever. Empty
 *     where the life of a record or pair begins when it is written: eight bytes behind it say when
 *     it ends
 * @param life in whole milliseconds, up to {@link #LONGEST}; 0 only where a field says when it
 *     begins
 */
public record TimeToLive(Optional<FieldPath> field, Duration life) {
  /** A thousand years of 365 days. */
  public static final Duration LONGEST = Duration.ofDays(365_000);

  /** Refuses a life that is none. */
  public TimeToLive {
    Duration shortest = field.isPresent() ? Duration.ZERO : Duration.ofMillis(1);
    if (life.compareTo(shortest) < 0
        || life.compareTo(LONGEST) > 0
        || !life.equals(Duration.ofMillis(life.toMillis()))) {
      throw new IllegalArgumentException(
          "time to live "
              + life
              + " is not whole milliseconds from "
              + shortest
              + " to "
              + LONGEST);
    }
  }

  /** Of pairs or records, from when they were written last. */
  public static TimeToLive sinceWrite(Duration life) {
    return new TimeToLive(Optional.empty(), life);
  }

  /** Of records, from the time in a field of theirs. */
  public static TimeToLive since(FieldPath field, Duration life) {
    return new TimeToLive(Optional.of(field), life);
  }
}
