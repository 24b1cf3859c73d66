package dev.varve.benchmarks.secondary;

import dev.varve.benchmarks.index.Digest;
import java.nio.charset.StandardCharsets;

/**
 * Records of a kilobyte with numbers to index. Keys come in random order, and each version of a
 * record has other values. Immutable.
 *
 * @param count how many were inserted first, and how many values a field has
 * @param seed of what is random
 */
record SecondaryRecords(int count, long seed) {
  private static final int FIELDS = 8;
  private static final String PAD = "x".repeat(820);

  /** Bytes of a record, about. */
  static final int BYTES = PAD.length() + 180;

  /** One of the records that were inserted first. */
  int old(int number) {
    return (int) Math.floorMod(Digest.mix(number + seed), (long) count);
  }

  /** One that was inserted first, and the next time a new one. */
  int again(int number) {
    return number % 2 == 0 ? old(number) : count + number;
  }

  /** The same with other new ones. */
  int upserted(int number) {
    return number % 2 == 0 ? old(number) : 2 * count + number;
  }

  /** A version of a record, as JSON. */
  byte[] record(int number, int version) {
    StringBuilder json = new StringBuilder(BYTES);
    json.append("{\"id\":").append(id(number)).append(",\"time\":").append(number);
    for (int field = 0; field < FIELDS; field++) {
      json.append(",\"a").append(field).append("\":").append(value(number, version, field));
    }
    return json.append(",\"pad\":\"")
        .append(PAD)
        .append("\"}")
        .toString()
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** The key of a record. */
  static long id(int number) {
    return number * 0x9E37_79B1L & 0x7FFF_FFFFL;
  }

  /** What a version of a record has in a field. */
  long value(int number, int version, int field) {
    return Math.floorMod(Digest.mix(((long) number * 4 + version) * FIELDS + field), (long) count);
  }

  /** The lowest value that a query asks for. */
  long lowest(int query) {
    return Math.floorMod(Digest.mix(query), (long) count);
  }
}
