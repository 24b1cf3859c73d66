package dev.varve.dataset.kind;

import com.fasterxml.jackson.core.JsonToken;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.FieldPath;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.OptionalLong;

/**
 * The time that a field of a record says: a number of milliseconds since 1970, or text as {@code
 * 2026-11-27T08:00:00Z} with any offset (ISO 8601). Anything else is no time. No state.
 */
public final class RecordTime {
  /** No time is further from 1970, in milliseconds; up to here doubles are exact. */
  private static final double MOST = 1L << 53;

  private RecordTime() {}

  /**
   * Reads it.
   *
   * @param record a JSON object
   * @return in milliseconds since 1970, rounded down; empty when the field says none
   * @throws dev.varve.common.error.RequestException with {@code MALFORMED_RECORD} when the record
   *     is none
   */
  public static OptionalLong millis(Slice record, FieldPath field) throws StorageException {
    int step = 0;
    try (JsonText text = new JsonText("record", record)) {
      if (text.next() != JsonToken.START_OBJECT) {
        throw text.malformed(0, "a record is an object");
      }
      while (text.next() == JsonToken.FIELD_NAME) {
        boolean onPath = text.name().equals(field.steps().get(step));
        JsonToken token = text.next();
        if (!onPath) {
          text.skip();
        } else if (++step == field.steps().size()) {
          return time(text, token);
        } else if (token != JsonToken.START_OBJECT) {
          return OptionalLong.empty();
        }
      }
    }
    return OptionalLong.empty();
  }

  private static OptionalLong time(JsonText text, JsonToken token) throws StorageException {
    if (token == JsonToken.VALUE_STRING) {
      try {
        return OptionalLong.of(OffsetDateTime.parse(text.value()).toInstant().toEpochMilli());
      } catch (DateTimeException | ArithmeticException noTime) {
        return OptionalLong.empty();
      }
    }
    if (!token.isNumeric()) {
      return OptionalLong.empty();
    }
    double number = Math.floor(Double.parseDouble(text.value()));
    return Math.abs(number) > MOST ? OptionalLong.empty() : OptionalLong.of((long) number);
  }
}
