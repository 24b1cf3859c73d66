package dev.varve.dataset.kind;

import com.fasterxml.jackson.core.JsonToken;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordLimits;
import java.io.ByteArrayOutputStream;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A change of some fields of a JSON record (RFC 7396, JSON Merge Patch): a field that is null in
 * the patch goes, an object is merged into the object at its place, and any other value replaces
 * what is there. What the patch does not name keeps its bytes, so that numbers and texts stay as
 * they were written. A patch of a record is an object. Immutable.
 */
public final class MergePatch {
  /**
   * What becomes of a field. With neither a value nor fields it goes.
   *
   * @param name as it stands in the patch, with its quotes
   * @param value its JSON text; null for an object
   * @param fields those of an object; null for any other value
   */
  private record Change(Slice name, @Nullable Slice value, @Nullable Map<String, Change> fields) {
    boolean removes() {
      return value == null && fields == null;
    }
  }

  private final Map<String, Change> fields;

  private MergePatch(Map<String, Change> fields) {
    this.fields = fields;
  }

  /**
   * Reads a patch; its bytes are the caller's again.
   *
   * @throws RequestException with {@code MALFORMED_RECORD} when it is no object in valid UTF-8, or
   *     names a field twice
   * @throws LimitException when the patch or its nesting is over the bound of a record
   */
  public static MergePatch read(Slice json, RecordLimits limits) throws StorageException {
    if (json.length() > limits.maxRecordBytes()) {
      throw new LimitException("bytes of a merge patch", json.length(), limits.maxRecordBytes());
    }
    int invalid = Utf8.firstInvalid(json.bytes(), json.offset(), json.length());
    if (invalid >= 0) {
      throw new RequestException(
          RequestException.Reason.MALFORMED_RECORD,
          "merge patch at byte " + (invalid - json.offset()) + ": not valid UTF-8");
    }
    try (JsonText text = new JsonText("merge patch", json)) {
      if (text.next() != JsonToken.START_OBJECT) {
        throw text.malformed(0, "a merge patch of a record is an object");
      }
      Map<String, Change> fields = readObject(text, limits, 1);
      if (text.next() != null) {
        throw text.malformed(text.at(), "something follows the object");
      }
      return new MergePatch(fields);
    }
  }

  private static Map<String, Change> readObject(JsonText text, RecordLimits limits, int depth)
      throws StorageException {
    if (depth > limits.maxDepth()) {
      throw new LimitException("levels of nesting in a merge patch", depth, limits.maxDepth());
    }
    Map<String, Change> fields = new LinkedHashMap<>();
    while (text.next() == JsonToken.FIELD_NAME) {
      String name = text.name();
      int nameAt = text.at();
      Slice written = text.part(nameAt, text.endOfString(nameAt));
      JsonToken token = text.next();
      Change change;
      if (token == JsonToken.START_OBJECT) {
        change = new Change(written, null, readObject(text, limits, depth + 1));
      } else if (token == JsonToken.VALUE_NULL) {
        change = new Change(written, null, null);
      } else {
        change = new Change(written, text.part(text.at(), text.skip()), null);
      }
      if (fields.put(name, change) != null) {
        throw text.malformed(nameAt, "a second field '" + name + "'");
      }
    }
    return fields;
  }

  /**
   * The record that a record becomes.
   *
   * @param record a JSON object
   * @throws RequestException with {@code MALFORMED_RECORD} when the record is none
   */
  public byte[] applyTo(Slice record) throws StorageException {
    ByteArrayOutputStream merged = new ByteArrayOutputStream(2 * record.length());
    try (JsonText text = new JsonText("record", record)) {
      if (text.next() != JsonToken.START_OBJECT) {
        throw text.malformed(0, "a record is an object");
      }
      merge(text, fields, merged);
    }
    return merged.toByteArray();
  }

  private static void merge(
      JsonText text, Map<String, Change> changes, ByteArrayOutputStream merged)
      throws StorageException {
    Set<String> met = new HashSet<>();
    merged.write('{');
    int first = merged.size();
    while (text.next() == JsonToken.FIELD_NAME) {
      String name = text.name();
      int nameAt = text.at();
      JsonToken token = text.next();
      int valueAt = text.at();
      Change change = changes.get(name);
      met.add(name);
      if (change == null) {
        separate(merged, first);
        write(text.part(nameAt, text.skip()), merged);
      } else if (change.removes()) {
        text.skip();
      } else {
        separate(merged, first);
        write(text.part(nameAt, valueAt), merged);
        if (change.fields() != null && token == JsonToken.START_OBJECT) {
          merge(text, change.fields(), merged);
        } else {
          text.skip();
          writeNew(change, merged);
        }
      }
    }
    for (Map.Entry<String, Change> change : changes.entrySet()) {
      if (!met.contains(change.getKey())) {
        writeField(change.getValue(), merged, first);
      }
    }
    merged.write('}');
  }

  private static void writeField(Change change, ByteArrayOutputStream merged, int first) {
    if (!change.removes()) {
      separate(merged, first);
      write(change.name(), merged);
      merged.write(':');
      writeNew(change, merged);
    }
  }

  /** Into nothing an object is merged without the fields that it would remove. */
  private static void writeNew(Change change, ByteArrayOutputStream merged) {
    Map<String, Change> inside = change.fields();
    if (inside == null) {
      write(Objects.requireNonNull(change.value()), merged);
      return;
    }
    merged.write('{');
    int first = merged.size();
    inside.values().forEach(field -> writeField(field, merged, first));
    merged.write('}');
  }

  private static void separate(ByteArrayOutputStream merged, int first) {
    if (merged.size() > first) {
      merged.write(',');
    }
  }

  private static void write(Slice text, ByteArrayOutputStream merged) {
    merged.write(text.bytes(), text.offset(), text.length());
  }
}
