package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueChange;
import dev.varve.dataset.model.WriteBatch;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.KeyValueOptions.Operator;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a key-value store must hold, as a sorted map. A byte is a character, so that texts sort as
 * they, and tell all of counters.
 */
final class KeyValueModel {
  static final String NAME = "pairs";
  private static final int KEYS = 40;

  /** Cuts components by key range that the tests' few pairs are several of. */
  static final MergePolicyOptions CUT =
      new MergePolicyOptions("partitioned-leveling(2, 16k, 4k, 2, concurrent)");

  final TreeMap<String, String> pairs = new TreeMap<>();

  /** What operands do to values; null where there are none. */
  private final @Nullable Operator operator;

  KeyValueModel() {
    this(KeyValueOptions.DEFAULTS);
  }

  KeyValueModel(KeyValueOptions options) {
    this.operator = options.operator().orElse(null);
  }

  KeyValueModel(KeyValueModel other) {
    this.operator = other.operator;
    pairs.putAll(other.pairs);
  }

  boolean hasOperator() {
    return operator != null;
  }

  /** A value, or an operand, of this kind of store. */
  String newValue(RandomGenerator random, long unique) {
    return operator == Operator.ADD_LONG
        ? text(counter(random.nextInt(3) == 0 ? -unique : unique << 40))
        : value(random, unique);
  }

  private static Slice counter(long count) {
    byte[] bytes = new byte[Long.BYTES];
    Bytes.putLongBigEndian(bytes, 0, count);
    return new Slice(bytes);
  }

  /** Has an operand change a value. */
  void merge(String key, String operand) {
    ValueChange change = Objects.requireNonNull(operator).change(slice(operand).toByteArray());
    Optional<byte[]> before = Optional.ofNullable(pairs.get(key)).map(v -> slice(v).toByteArray());
    pairs.put(key, text(new Slice(change.of(before).orElseThrow())));
  }

  static KeyValueOptions options() {
    return KeyValueOptions.DEFAULTS
        .withMemoryBytes(256 << 10)
        .withMergePolicy(MergePolicyOptions.constant(3));
  }

  static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String text(Slice slice) {
    return new String(slice.toByteArray(), StandardCharsets.ISO_8859_1);
  }

  /** One of few keys; some are empty, some share long beginnings. */
  static String key(RandomGenerator random) {
    return key(random.nextInt(KEYS));
  }

  private static String key(int number) {
    return number == 0 ? "" : number % 3 == 0 ? "a long beginning " + number : "k" + number;
  }

  /** A value that no other call returns; some are empty but for that, some long. */
  static String value(RandomGenerator random, long unique) {
    int length = random.nextInt(15) == 0 ? random.nextInt(12_000) : random.nextInt(100);
    return unique + "v".repeat(length);
  }

  /** A batch of random changes, which this has by now. */
  WriteBatch batch(RandomGenerator random, LongSupplier unique) {
    WriteBatch batch = new WriteBatch();
    for (int i = random.nextInt(6); i >= 0; i--) {
      String key = key(random);
      byte[] bytes = slice(key).toByteArray();
      String value = newValue(random, unique.getAsLong());
      if (random.nextInt(4) == 0) {
        batch.remove(bytes);
        pairs.remove(key);
      } else if (hasOperator() && random.nextInt(3) > 0) {
        batch.merge(bytes, slice(value).toByteArray());
        merge(key, value);
      } else {
        batch.put(bytes, slice(value).toByteArray());
        pairs.put(key, value);
      }
    }
    return batch;
  }

  /** The value under a key, or null. */
  static @Nullable String get(KeyValueStore store, String key) throws StorageException {
    KeyValue found = new KeyValue();
    return store.get(slice(key), found) ? text(found.value()) : null;
  }

  /** All pairs of a cursor, which is closed, as text. */
  static List<String> texts(RecordCursor cursor) throws StorageException {
    List<String> texts = new ArrayList<>();
    try (cursor) {
      while (cursor.next()) {
        texts.add(text(cursor.key()) + "=" + text(cursor.value()));
      }
    }
    return texts;
  }

  static List<String> texts(Map<String, String> map) {
    List<String> texts = new ArrayList<>();
    map.forEach((key, value) -> texts.add(key + "=" + value));
    return texts;
  }

  /** Checks a random range in a random direction. */
  void checkRange(KeyValueStore store, RandomGenerator random) throws StorageException {
    String one = key(random);
    String other = key(random);
    String low = one.compareTo(other) <= 0 ? one : other;
    String high = one.compareTo(other) <= 0 ? other : one;
    boolean closed = random.nextBoolean();
    NavigableMap<String, String> part = pairs.subMap(low, true, high, closed);
    KeyRange range =
        closed
            ? KeyRange.closed(slice(low).toByteArray(), slice(high).toByteArray())
            : KeyRange.closedOpen(slice(low).toByteArray(), slice(high).toByteArray());
    if (random.nextBoolean()) {
      part = part.descendingMap();
      range = range.descending();
    }
    assertEquals(texts(part), texts(store.scan(range)), low + " to " + high);
    assertEquals(part.size(), store.count(range), low + " to " + high);
  }

  /** Checks that a store holds exactly this, by every way in, and keeps every rule. */
  void check(KeyValueStore store) throws StorageException {
    List<String> expected = texts(pairs);
    assertEquals(expected, texts(store.scan(KeyRange.all())), "scan");
    Collections.reverse(expected);
    assertEquals(expected, texts(store.scan(KeyRange.all().descending())), "scan back");
    for (int number = 0; number < KEYS; number++) {
      assertEquals(pairs.get(key(number)), get(store, key(number)), key(number));
      assertEquals(pairs.containsKey(key(number)), store.exists(slice(key(number))), key(number));
    }
    checkAtOnce(store);
    assertEquals(List.of(), store.verify().problems());
  }

  /** Reads all keys, each twice, and some that are not there, at once and in no order. */
  private void checkAtOnce(KeyValueStore store) throws StorageException {
    List<String> keys = new ArrayList<>();
    for (int number = 0; number < 2 * KEYS; number++) {
      keys.add(key(number % KEYS));
      keys.add("absent " + number);
    }
    Collections.shuffle(keys, new Random(pairs.size()));
    List<Optional<byte[]>> found =
        store.getAll(keys.stream().map(key -> slice(key).toByteArray()).toList());
    assertEquals(keys.size(), found.size());
    for (int i = 0; i < keys.size(); i++) {
      String value = found.get(i).map(bytes -> text(new Slice(bytes))).orElse(null);
      assertEquals(pairs.get(keys.get(i)), value, keys.get(i));
    }
  }
}
