package dev.varve.dataset.kind;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * JSON text that is read token by token, of which parts are taken as they are written. Confined to
 * one thread.
 */
final class JsonText implements AutoCloseable {
  private final String what;
  private final byte[] bytes;
  private final JsonParser parser;

  JsonText(String what, Slice json) throws StorageException {
    this.what = what;
    this.bytes = json.toByteArray();
    try {
      this.parser = RecordReader.JSON.createParser(bytes);
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  /** Moves to the next token; null at the end. */
  @Nullable JsonToken next() throws StorageException {
    try {
      return parser.nextToken();
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  /** Name of the field that it is at. */
  String name() throws StorageException {
    try {
      return parser.currentName();
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  /** The text or number that it is at. */
  String value() throws StorageException {
    try {
      return parser.getText();
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  /** Where the present token begins. */
  int at() {
    return Math.toIntExact(parser.currentTokenLocation().getByteOffset());
  }

  Slice part(int from, int to) {
    assert from < to : "no text from " + from + " to " + to;
    return new Slice().set(bytes, from, to - from);
  }

  int endOfString(int from) {
    assert bytes[from] == '"' : "no text at " + from;
    int at = from + 1;
    while (bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    return at + 1;
  }

  /** Goes over the value that it is at; returns where that ends. */
  int skip() throws StorageException {
    JsonToken token = parser.currentToken();
    int from = at();
    try {
      if (token.isStructStart()) {
        parser.skipChildren();
        return at() + 1;
      }
      parser.finishToken();
      return token == JsonToken.VALUE_STRING ? endOfString(from) : from + parser.getTextLength();
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  RequestException malformed(long position, String reason) {
    return new RequestException(
        RequestException.Reason.MALFORMED_RECORD, what + " at byte " + position + ": " + reason);
  }

  /** The parser reads an array; it has no other cause to fail than what it read. */
  private RequestException malformed(IOException e) {
    boolean located = e instanceof JsonProcessingException json && json.getLocation() != null;
    long position =
        located ? ((JsonProcessingException) e).getLocation().getByteOffset() : bytes.length;
    return malformed(position, Objects.toString(e.getMessage()));
  }

  @Override
  public void close() throws StorageException {
    try {
      parser.close();
    } catch (IOException e) {
      throw malformed(e);
    }
  }
}
