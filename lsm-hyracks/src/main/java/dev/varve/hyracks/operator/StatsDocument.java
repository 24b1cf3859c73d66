package dev.varve.hyracks.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineStats;
import java.io.IOException;

/** What an engine holds, on its way from a node to who asked: JSON. No state. */
final class StatsDocument {
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private StatsDocument() {}

  static Slice encode(EngineStats stats) throws StorageException {
    try {
      Slice document = new Slice(JSON.writeValueAsBytes(stats));
      assert decode(document).equals(stats) : stats;
      return document;
    } catch (JsonProcessingException unwritable) {
      throw new IllegalStateException("statistics are values, which can be written", unwritable);
    }
  }

  static EngineStats decode(Slice document) throws CorruptionException {
    try {
      return JSON.readValue(
          document.bytes(), document.offset(), document.length(), EngineStats.class);
    } catch (IOException other) {
      throw new CorruptionException(
          "statistics of a node", -1, "cannot be read: " + other.getMessage());
    }
  }
}
