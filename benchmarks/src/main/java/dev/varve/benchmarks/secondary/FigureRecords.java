package dev.varve.benchmarks.secondary;

import dev.varve.common.bytes.Slice;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.ValueRange;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/**
 * Records with two fields whose values are uniform over the number of records, as the paper's are.
 * Confined to one thread.
 */
final class FigureRecords {
  /** Near the golden section: numbers that follow each other lie far apart. */
  private static final double STEP = 0.6180339887;

  private final int count;
  private final int recordBytes;
  private final long step;
  private final RandomGenerator random;
  private final StringBuilder json = new StringBuilder();

  FigureRecords(FigureJob.Scale scale, RandomGenerator random) {
    this.count = scale.records();
    this.recordBytes = scale.recordBytes();
    this.step = coprime(scale.records());
    this.random = random;
  }

  private static long coprime(int records) {
    long step = Math.max(1, Math.round(records * STEP));
    while (gcd(records, step) != 1) {
      step++;
    }
    return step;
  }

  private static long gcd(long one, long other) {
    return other == 0 ? one : gcd(other, one % other);
  }

  /** The number-th record of a load, which meets every key once. */
  Slice loaded(int number) {
    return record((number * step) % count);
  }

  /** A new version of any record. */
  Slice updated() {
    return record(random.nextInt(count));
  }

  /** Finds about so many records, anywhere: values are uniform. */
  KeySearch search(int results) {
    long low = random.nextInt(count);
    return new KeySearch(ValueRange.closedOpen(Key.of(low), Key.of(low + results)));
  }

  private Slice record(long id) {
    json.setLength(0);
    json.append("{\"id\":").append(id);
    json.append(",\"a\":").append(random.nextInt(count));
    json.append(",\"b\":").append(random.nextInt(count)).append(",\"pad\":\"");
    json.append("x".repeat(Math.max(0, recordBytes - json.length() - 2))).append("\"}");
    return new Slice(json.toString().getBytes(StandardCharsets.US_ASCII));
  }
}
