package dev.varve.hyracks.feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.varve.common.bytes.Slice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of separated values (RFC 4180) under a header that names their fields, as JSON objects. A
 * value without quotes is a number if JSON would read it as one, a truth value if it is {@code
 * true} or {@code false}, and not there if it is empty; every other value, and every one in quotes,
 * is text; where types of columns are given, a column of text has only texts. A value that is not
 * of its column's type, given or inferred from the first rows, is refused. A row with more or fewer
 * values than the header has names, or with a quote that is never closed, is handed on as it is, to
 * be refused. Confined to one thread.
 */
final class ValuesParser implements RecordParser {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int QUOTE = '"';
  private static final String MARK = "\uFEFF";

  /** A value, whether it stood in quotes, and what it looks like. */
  private record Value(String text, boolean quoted, ColumnType looks) {
    Value(String text, boolean quoted) {
      this(text, quoted, ColumnType.of(text));
    }
  }

  private final InputStream input;
  private final char separator;
  private final ColumnTypes types;
  private final ByteArrayOutputStream raw = new ByteArrayOutputStream();
  private List<String> header = List.of();
  private int ahead = -2;
  private long line = 1;
  private long rowLine;
  private @Nullable String problem;
  private long bytesRead;

  /** Whether lines are counted from the first one. */
  private boolean counting = true;

  ValuesParser(InputStream input, char separator, ColumnTypes types) {
    this.input = input;
    this.separator = separator;
    this.types = types;
  }

  @Override
  public boolean next(Slice record) throws IOException {
    if (header.isEmpty()) {
      List<Value> names = row();
      if (names == null) {
        return false;
      }
      header = names.stream().map(name -> name.text.replace(MARK, "")).toList();
    }
    List<Value> values = row();
    if (values == null) {
      return false;
    }
    problem = problem(values);
    byte[] bytes = problem == null ? object(values) : raw.toByteArray();
    record.set(bytes, 0, bytes.length);
    return true;
  }

  /** Why a row is no record; null where it is one. */
  private @Nullable String problem(List<Value> values) {
    if (values.isEmpty()) {
      return "the row is over the limit of " + MOST_BYTES + " bytes";
    }
    if (values.size() != header.size()) {
      return "the row has %d values, and the header %d names"
          .formatted(values.size(), header.size());
    }
    types.nextRow();
    for (int i = 0; i < values.size(); i++) {
      Value value = values.get(i);
      if (value.quoted || !value.text.isEmpty()) {
        String wrong = types.problem(header.get(i), value.text, value.looks, value.quoted);
        if (wrong != null) {
          return wrong;
        }
      }
    }
    return null;
  }

  private byte[] object(List<Value> values) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      for (int i = 0; i < values.size(); i++) {
        Value value = values.get(i);
        if (value.quoted || !value.text.isEmpty()) {
          json.writeFieldName(header.get(i));
          write(json, value.text, types.of(header.get(i), value.looks, value.quoted));
        }
      }
      json.writeEndObject();
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator json, String text, ColumnType type) throws IOException {
    switch (type) {
      case INTEGER, DECIMAL -> json.writeNumber(text);
      case BOOLEAN -> json.writeBoolean(text.equals("true"));
      case TEXT -> json.writeString(text);
    }
  }

  /** The values of the next row that is not empty; null at the end. */
  private @Nullable List<Value> row() throws IOException {
    int first = read();
    while (first == '\n' || first == '\r') {
      first = read();
    }
    if (first < 0) {
      return null;
    }
    ahead = first;
    bytesRead--;
    rowLine = line;
    raw.reset();
    List<Value> values = new ArrayList<>();
    int end = separator;
    while (end == separator) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      boolean quoted = peek() == QUOTE;
      end = quoted ? quoted(text) : plain(text);
      values.add(new Value(text.toString(StandardCharsets.UTF_8), quoted));
    }
    return raw.size() < MOST_BYTES ? values : List.of();
  }

  /** Reads a value without quotes and returns what ended it. */
  private int plain(ByteArrayOutputStream text) throws IOException {
    int next = read();
    while (next >= 0 && next != separator && next != '\n') {
      if (next != '\r' || peek() != '\n') {
        keep(text, next);
      }
      next = read();
    }
    return next;
  }

  /** Reads a value in quotes, of which two stand for one, and returns what ended it. */
  private int quoted(ByteArrayOutputStream text) throws IOException {
    int open = read();
    assert open == QUOTE : open;
    int next = read();
    while (next >= 0) {
      if (next == QUOTE) {
        if (peek() != QUOTE) {
          return plain(text);
        }
        next = read();
      }
      keep(text, next);
      next = read();
    }
    return next;
  }

  private void keep(ByteArrayOutputStream text, int value) {
    if (raw.size() < MOST_BYTES) {
      text.write(value);
    }
  }

  private int peek() throws IOException {
    if (ahead == -2) {
      ahead = input.read();
    }
    return ahead;
  }

  private int read() throws IOException {
    int next = peek();
    ahead = -2;
    bytesRead += next < 0 ? 0 : 1;
    if (next == '\n') {
      line++;
    }
    if (next >= 0 && raw.size() < MOST_BYTES) {
      raw.write(next);
    }
    return next;
  }

  @Override
  public @Nullable String problem() {
    return problem;
  }

  @Override
  public long line() {
    return counting ? rowLine : 0;
  }

  @Override
  public long offset() {
    return bytesRead;
  }

  /** The header and the rows that types are inferred from are read in any case. */
  @Override
  public boolean resume(long end) throws IOException {
    Slice passed = new Slice();
    while (bytesRead < end && !types.areKnown()) {
      if (!next(passed)) {
        return false;
      }
    }
    if (bytesRead < end) {
      counting = false;
      long peeked = ahead == -2 ? 0 : 1;
      input.skipNBytes(end - 1 - bytesRead - peeked);
      bytesRead = end;
      ahead = -2;
      return input.read() == '\n';
    }
    return bytesRead == end;
  }
}
