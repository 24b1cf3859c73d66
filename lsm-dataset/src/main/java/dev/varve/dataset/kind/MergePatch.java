package dev.varve.dataset.kind;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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
      throw malformed("merge patch", invalid - json.offset(), "not valid UTF-8");
    }
    Text text = new Text("merge patch", json.toByteArray());
    try (JsonParser parser = text.parser()) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw malformed("merge patch", 0, "a merge patch of a record is an object");
      }
      Map<String, Change> fields = readObject(parser, text, limits, 1);
      if (parser.nextToken() != null) {
        throw malformed("merge patch", at(parser), "something follows the object");
      }
      return new MergePatch(fields);
    } catch (IOException e) {
      throw text.malformed(e);
    }
  }

  private static Map<String, Change> readObject(
      JsonParser parser, Text text, RecordLimits limits, int depth)
      throws IOException, StorageException {
    if (depth > limits.maxDepth()) {
      throw new LimitException("levels of nesting in a merge patch", depth, limits.maxDepth());
    }
    Map<String, Change> fields = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      int nameAt = at(parser);
      Slice written = text.part(nameAt, text.endOfString(nameAt));
      Change change =
          switch (parser.nextToken()) {
            case START_OBJECT ->
                new Change(written, null, readObject(parser, text, limits, depth + 1));
            case VALUE_NULL -> new Change(written, null, null);
            default -> new Change(written, text.part(at(parser), text.skip(parser)), null);
          };
      if (fields.put(name, change) != null) {
        throw malformed("merge patch", nameAt, "a second field '" + name + "'");
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
    Text text = new Text("record", record.toByteArray());
    ByteArrayOutputStream merged = new ByteArrayOutputStream(2 * record.length());
    try (JsonParser parser = text.parser()) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw malformed("record", 0, "a record is an object");
      }
      merge(parser, text, fields, merged);
    } catch (IOException e) {
      throw text.malformed(e);
    }
    return merged.toByteArray();
  }

  private static void merge(
      JsonParser parser, Text text, Map<String, Change> changes, ByteArrayOutputStream merged)
      throws IOException {
    Set<String> met = new HashSet<>();
    merged.write('{');
    int first = merged.size();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      int nameAt = at(parser);
      JsonToken token = parser.nextToken();
      int valueAt = at(parser);
      Change change = changes.get(name);
      met.add(name);
      if (change == null) {
        separate(merged, first);
        text.copy(nameAt, text.skip(parser), merged);
      } else if (change.removes()) {
        text.skip(parser);
      } else {
        separate(merged, first);
        text.copy(nameAt, valueAt, merged);
        if (change.fields() != null && token == JsonToken.START_OBJECT) {
          merge(parser, text, change.fields(), merged);
        } else {
          text.skip(parser);
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

  private static int at(JsonParser parser) {
    return Math.toIntExact(parser.currentTokenLocation().getByteOffset());
  }

  private static RequestException malformed(String what, long position, String reason) {
    return new RequestException(
        RequestException.Reason.MALFORMED_RECORD, what + " at byte " + position + ": " + reason);
  }

  /** JSON text, of which parts are taken as they are written. */
  private static final class Text {
    private final String what;
    private final byte[] bytes;

    Text(String what, byte[] bytes) {
      this.what = what;
      this.bytes = bytes;
    }

    JsonParser parser() throws IOException {
      return RecordReader.JSON.createParser(bytes);
    }

    Slice part(int from, int to) {
      return new Slice().set(bytes, from, to - from);
    }

    void copy(int from, int to, ByteArrayOutputStream merged) {
      merged.write(bytes, from, to - from);
    }

    int endOfString(int from) {
      assert bytes[from] == '"' : "no text at " + from;
      int at = from + 1;
      while (bytes[at] != '"') {
        at += bytes[at] == '\\' ? 2 : 1;
      }
      return at + 1;
    }

    /** Goes over the value that the parser is at; returns where it ends. */
    int skip(JsonParser parser) throws IOException {
      JsonToken token = parser.currentToken();
      int from = at(parser);
      if (token.isStructStart()) {
        parser.skipChildren();
        return at(parser) + 1;
      }
      parser.finishToken();
      return token == JsonToken.VALUE_STRING ? endOfString(from) : from + parser.getTextLength();
    }

    RequestException malformed(IOException e) {
      boolean located = e instanceof JsonProcessingException json && json.getLocation() != null;
      long position =
          located ? ((JsonProcessingException) e).getLocation().getByteOffset() : bytes.length;
      return MergePatch.malformed(what, position, Objects.toString(e.getMessage()));
    }
  }
}
