package dev.varve.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.common.bytes.Slice;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which fields the first records of an import have, and of which types. Confined to one thread. */
final class FieldTypes {
  /** How many records are looked at. */
  static final int RECORDS = 1_000;

  /** Most fields that are told. */
  private static final int MOST_FIELDS = 64;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, Set<String>> types = new LinkedHashMap<>();
  private int seen;

  /** Looks at a record that was taken, if it is one of the first. */
  void see(Slice record) {
    if (seen >= RECORDS) {
      return;
    }
    seen++;
    try {
      JsonNode json = JSON.readTree(record.bytes(), record.offset(), record.length());
      json.fields()
          .forEachRemaining(
              field -> {
                if (types.size() < MOST_FIELDS || types.containsKey(field.getKey())) {
                  types
                      .computeIfAbsent(field.getKey(), name -> new TreeSet<>())
                      .add(type(field.getValue()));
                }
              });
    } catch (IOException unlikely) {
      // The dataset took it for a record, and that is what counts.
      assert !types.isEmpty() || seen > 0 : unlikely;
    }
  }

  private static String type(JsonNode value) {
    if (value.isNumber()) {
      return value.isIntegralNumber() ? "integer" : "decimal";
    }
    return value.isTextual() ? "text" : value.getNodeType().name().toLowerCase(Locale.ROOT);
  }

  /** By name, in the order of their appearance: the types, with {@code or} between. */
  Map<String, String> byName() {
    Map<String, String> named = new LinkedHashMap<>();
    types.forEach((name, each) -> named.put(name, String.join(" or ", each)));
    return named;
  }
}
