package dev.varve.dataset.kind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.RecordLimits;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a patch does to a record what RFC 7396 says, and to nothing else in it anything. Method:
 * the examples of the RFC whose patch and result are objects, random trees against the RFC's
 * algorithm over maps, and patches that are none.
 */
final class MergePatchTest {
  private static String patched(String record, String patch) throws StorageException {
    byte[] after = read(patch).applyTo(slice(record));
    return new String(after, StandardCharsets.UTF_8);
  }

  private static MergePatch read(String patch) throws StorageException {
    return MergePatch.read(slice(patch), new RecordLimits(200, 4, 64, 64));
  }

  /** In the middle of an array, as records are. */
  private static Slice slice(String text) {
    byte[] bytes = ("xx" + text + "xx").getBytes(StandardCharsets.UTF_8);
    return new Slice().set(bytes, 2, bytes.length - 4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'a':'b'}             | {'a':'c'}             | {'a':'c'}",
        "{'a':'b'}             | {'b':'c'}             | {'a':'b','b':'c'}",
        "{'a':'b'}             | {'a':null}            | {}",
        "{'a':'b','b':'c'}     | {'a':null}            | {'b':'c'}",
        "{'a':['b']}           | {'a':'c'}             | {'a':'c'}",
        "{'a':'c'}             | {'a':['b']}           | {'a':['b']}",
        "{'a':{'b':'c'}}       | {'a':{'b':'d','c':null}} | {'a':{'b':'d'}}",
        "{'a':[{'b':'c'}]}     | {'a':[1]}             | {'a':[1]}",
        "{'e':null}            | {'a':1}               | {'e':null,'a':1}",
        "{}                    | {'a':{'bb':{'ccc':null}}} | {'a':{'bb':{}}}",
        "{'a':1}               | {'a':{'b':null,'c':2}}| {'a':{'c':2}}",
        "{'a':{'b':1}}         | {}                    | {'a':{'b':1}}",
        "{'a':[null,{'b':null}]} | {'c':[null]}        | {'a':[null,{'b':null}],'c':[null]}",
      })
  void doesWhatTheExamplesSay(String record, String patch, String expected) throws Exception {
    assertEquals(
        expected.replace('\'', '"'), patched(record.replace('\'', '"'), patch.replace('\'', '"')));
  }

  @Test
  void keepsTheTextOfWhatItDoesNotName() throws StorageException {
    assertEquals(
        "{\"n\" : 1.50e+2,\"s\":\"\\u0041\\\"}\",\"ä\": [ 2 ],\"\\u0078\":true}",
        patched(
            "{ \"n\" : 1.50e+2 , \"gone\": [{}], \"s\":\"\\u0041\\\"}\", \"ä\": [1] }",
            "{\"\\u0078\" : true, \"gone\":null, \"\\u00e4\":[ 2 ]}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "[]",
        "null",
        "{",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1",
        "{\"a\":1}}",
        "{\"a\":1} 2",
        "{\"a\":1,\"a\":2}",
        "{\"a\":{\"b\":1,\"\\u0062\":null}}",
        "{\"a\":tru}",
        "{\"a\":\"\\x\"}"
      })
  void refusesWhatIsNoPatch(String patch) {
    RequestException refused = assertThrows(RequestException.class, () -> read(patch));
    assertEquals(RequestException.Reason.MALFORMED_RECORD, refused.reason());
    assertTrue(refused.getMessage().contains("merge patch at byte "), refused.getMessage());
  }

  @Test
  void refusesBytesThatAreNoText() {
    byte[] bytes = "{\"a\":\"b\"}".getBytes(StandardCharsets.UTF_8);
    bytes[6] = (byte) 0xFF;
    assertThrows(
        RequestException.class, () -> MergePatch.read(new Slice(bytes), RecordLimits.DEFAULTS));
  }

  @Test
  void refusesWhatIsOverALimit() throws StorageException {
    read("{\"a\":{\"b\":{\"c\":{}}}}");
    assertThrows(LimitException.class, () -> read("{\"a\":{\"b\":{\"c\":{\"d\":{}}}}}"));
    assertThrows(LimitException.class, () -> read("{\"a\":\"" + "x".repeat(200) + "\"}"));
  }

  @Test
  void doesToRandomTreesWhatTheAlgorithmDoes() throws Exception {
    Seeds.run(
        300,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          Map<String, Object> record = tree(random, 3);
          Map<String, Object> patch = tree(random, 3);
          String text = json(record);
          String changes = json(patch);
          byte[] after =
              MergePatch.read(slice(changes), RecordLimits.DEFAULTS).applyTo(slice(text));
          assertEquals(
              json(merged(record, patch)),
              new String(after, StandardCharsets.UTF_8),
              text + " with " + changes);
        });
  }

  private static Map<String, Object> tree(RandomGenerator random, int depth) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      String name = "f" + random.nextInt(5);
      switch (random.nextInt(depth == 0 ? 4 : 7)) {
        case 0 -> fields.put(name, "null");
        case 1 -> fields.put(name, "[" + random.nextInt(3) + ",{\"f1\":null}]");
        case 2 -> fields.put(name, "\"}\\\"{" + random.nextInt(3) + "\"");
        case 3 -> fields.put(name, random.nextInt() + ".5e1");
        default -> fields.put(name, tree(random, depth - 1));
      }
    }
    return fields;
  }

  /** The algorithm of section 2 of the RFC. */
  @SuppressWarnings("unchecked")
  private static Map<String, Object> merged(@Nullable Object target, Map<String, Object> patch) {
    Map<String, Object> result =
        new LinkedHashMap<>(target instanceof Map ? (Map<String, Object>) target : Map.of());
    patch.forEach(
        (name, value) -> {
          if (value.equals("null")) {
            result.remove(name);
          } else if (value instanceof Map) {
            result.put(name, merged(result.get(name), (Map<String, Object>) value));
          } else {
            result.put(name, value);
          }
        });
    return result;
  }

  @SuppressWarnings("unchecked")
  private static String json(Object value) {
    return value instanceof Map
        ? ((Map<String, Object>) value)
            .entrySet().stream()
                .map(field -> "\"" + field.getKey() + "\":" + json(field.getValue()))
                .collect(Collectors.joining(",", "{", "}"))
        : (String) value;
  }
}
