package dev.varve.benchmarks.child;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Records as lines of JSON. Thread-safe. */
final class Wire {
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private Wire() {}

  static String write(Object message) {
    try {
      return JSON.writeValueAsString(message);
    } catch (JsonProcessingException impossible) {
      // Messages are records of numbers, texts and lists; one that Jackson refuses is a bug here.
      throw new IllegalStateException(impossible);
    }
  }

  static JsonNode tree(Object message) {
    return JSON.valueToTree(message);
  }

  static <T> T read(String line, Class<T> type) throws BenchmarkException {
    try {
      return JSON.readValue(line, type);
    } catch (JsonProcessingException problem) {
      throw new BenchmarkException("not a message: " + line, problem);
    }
  }

  static <T> T read(JsonNode tree, Class<T> type) throws BenchmarkException {
    try {
      return JSON.treeToValue(tree, type);
    } catch (JsonProcessingException problem) {
      throw new BenchmarkException("no " + type.getSimpleName() + ": " + tree, problem);
    }
  }
}
