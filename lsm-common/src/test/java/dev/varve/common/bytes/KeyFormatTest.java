package dev.varve.common.bytes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The bytes of encoded keys are those of docs/format/keys.md, and those of every release. */
final class KeyFormatTest {
  @Test
  void keysHaveTheBytesOfTheFormatPage() {
    Map<String, Consumer<KeyEncoder>> keys = new LinkedHashMap<>();
    keys.put("null", KeyEncoder::addNull);
    keys.put("false", key -> key.addBoolean(false));
    keys.put("true", key -> key.addBoolean(true));
    keys.put("-infinity", key -> key.addDouble(Double.NEGATIVE_INFINITY));
    keys.put("-2^63", key -> key.addLong(Long.MIN_VALUE));
    keys.put("-2^53 - 1", key -> key.addLong(-(1L << 53) - 1));
    keys.put("-1", key -> key.addLong(-1));
    keys.put("0, -0.0", key -> key.addDouble(-0.0));
    keys.put("0.5", key -> key.addDouble(0.5));
    keys.put("1, 1.0", key -> key.addLong(1));
    keys.put("1000000", key -> key.addLong(1_000_000));
    keys.put("2^53", key -> key.addLong(1L << 53));
    keys.put("2^53 + 1", key -> key.addLong((1L << 53) + 1));
    keys.put("2^63 - 1", key -> key.addLong(Long.MAX_VALUE));
    keys.put("2^63", key -> key.addDouble(0x1p63));
    keys.put("2^64", key -> key.addDouble(0x1p64));
    keys.put("\"\"", key -> key.addString(""));
    keys.put("\"a\"", key -> key.addString("a"));
    keys.put("\"a\", null", key -> key.addString("a").addNull());
    keys.put("\"a\\0b\"", key -> key.addString("a\0b"));
    keys.put("\"z\u00fc\"", key -> key.addString("z\u00fc"));
    keys.put("bytes 00 01", key -> key.addBytes(new byte[] {0, 1}));
    StringBuilder rows = new StringBuilder();
    byte[] before = {};
    for (Map.Entry<String, Consumer<KeyEncoder>> named : keys.entrySet()) {
      KeyEncoder encoder = new KeyEncoder();
      named.getValue().accept(encoder);
      byte[] bytes = encoder.toByteArray();
      assertTrue(Arrays.compareUnsigned(before, bytes) < 0, named.getKey());
      before = bytes;
      row(rows, named.getKey(), bytes);
    }
    row(rows, "1 descending", new KeyEncoder().descending().addLong(1).toByteArray());
    row(
        rows,
        "\"a\" descending, 1",
        new KeyEncoder().descending().addString("a").addLong(1).toByteArray());
    Golden.requireSame("v1/keys.txt", "keys.md", rows.toString());
  }

  private static void row(StringBuilder rows, String name, byte[] bytes) {
    rows.append("| `").append(name).append("` | `");
    rows.append(HexFormat.ofDelimiter(" ").formatHex(bytes)).append("` |\n");
  }
}
