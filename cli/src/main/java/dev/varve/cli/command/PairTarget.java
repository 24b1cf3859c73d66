package dev.varve.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.KeyValueSession;
import dev.varve.dataset.KeyValueStore;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.TypeConversionException;

/**
 * Puts into a key-value store, forced together some at a time. A kill leaves those up to some pair;
 * the same import again makes it whole. Confined to one thread.
 */
final class PairTarget implements ImportTarget {
  /** How many puts share a force. */
  private static final int FORCED_TOGETHER = 1_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final KeyValueSession session;
  private long durable;

  /** Opens a session, which is closed with this. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the target
  PairTarget(KeyValueStore store) throws StorageException {
    this.session = store.openSession();
  }

  @Override
  public String method() {
    return "puts";
  }

  @Override
  public long durable() {
    return durable;
  }

  @Override
  public void add(Slice record, Supplier<String> place) throws StorageException {
    List<byte[]> pair = pair(record);
    session.put(pair.get(0), pair.get(1));
    if (session.unforced() >= FORCED_TOGETHER) {
      force();
    }
  }

  private void force() throws StorageException {
    int unforced = session.unforced();
    session.force();
    durable += unforced;
  }

  /**
   * Key and value of a record.
   *
   * @throws RequestException with {@code MALFORMED_RECORD} when it has not both
   */
  static List<byte[]> pair(Slice record) throws RequestException {
    JsonNode pair = parse(record);
    return List.of(bytes(pair, "key"), bytes(pair, "value"));
  }

  private static JsonNode parse(Slice record) throws RequestException {
    try {
      return JSON.readTree(record.bytes(), record.offset(), record.length());
    } catch (IOException noJson) {
      throw malformed(String.valueOf(noJson.getMessage()));
    }
  }

  private static byte[] bytes(JsonNode pair, String field) throws RequestException {
    JsonNode value = pair.path(field);
    if (!value.isTextual()) {
      throw malformed("a pair has the texts 'key' and 'value', and this has no '" + field + "'");
    }
    try {
      return StoredEntry.bytes(value.textValue());
    } catch (TypeConversionException noBytes) {
      throw malformed(field + ": " + noBytes.getMessage());
    }
  }

  private static RequestException malformed(String why) {
    return new RequestException(RequestException.Reason.MALFORMED_RECORD, why);
  }

  /** Puts look nothing up, so that nobody knows what they replaced. */
  @Override
  public long finish() throws StorageException {
    force();
    return 0;
  }

  @Override
  public void close() throws StorageException {
    session.close();
  }
}
