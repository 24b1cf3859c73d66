package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Every bound of a search by value means what its name says, whatever the keys of the index hold
 * behind the value. Method: every form of range, between values and composites that are there or
 * not, over a primary key and secondary B+-trees of one and two fields in three partitions, with
 * changes in memory and on disk, against records in a map whose values are compared themselves.
 */
class SearchBoundsTest {
  private static final List<String> A = List.of("-1", "0", "2.5", "3", "5", "5.5", "\"\"", "\"x\"");
  private static final List<String> B = List.of("0", "1", "7");

  /** A form of range, in words and as a predicate over the values of as many fields. */
  private record Form(String words, KeyRange range, Predicate<Key> wanted) {}

  private final TestStore store = TestStore.empty(1);

  /** By the primary key ⟨p, q⟩ the values p, q, a and b. */
  private final TreeMap<Key, List<Object>> records = new TreeMap<>();

  @Test
  void everyFormOfRangeFindsWhatItSays() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(20261125));
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options());
      write(dataset, random, 150);
      dataset.flush();
      write(dataset, random, 80);
      dataset.flush();
      write(dataset, random, 40);
      check(dataset);
      dataset.compact();
      check(dataset);
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private static DatasetOptions options() {
    FieldPath a = FieldPath.parse("a");
    return DatasetOptions.of("d", "id")
        .withPrimaryKey(List.of(FieldPath.parse("p"), FieldPath.parse("q")))
        .withPartitions(3)
        .withIndexes(
            List.of(
                IndexDefinition.on("a"),
                new IndexDefinition("ab", List.of(a, FieldPath.parse("b")))))
        .withMemoryBytes(1 << 20)
        .withMergePolicy(MergePolicyOptions.constant(3));
  }

  private void write(Dataset dataset, RandomGenerator random, int count) throws StorageException {
    for (int i = 0; i < count; i++) {
      String p = A.get(random.nextInt(A.size()));
      int q = random.nextInt(30);
      String a = A.get(random.nextInt(A.size()));
      String b = B.get(random.nextInt(B.size()));
      dataset.upsert(
          TestStore.bytes("{\"p\":" + p + ",\"q\":" + q + ",\"a\":" + a + ",\"b\":" + b + "}"));
      records.put(Key.of(value(p), q), List.of(value(p), q, value(a), value(b)));
    }
  }

  private static Object value(String json) {
    return json.startsWith("\"") ? json.substring(1, json.length() - 1) : Double.valueOf(json);
  }

  private void check(Dataset dataset) throws StorageException {
    int found = 0;
    for (Form form : forms()) {
      List<Key> primary = expected(form, 0, 1);
      assertEquals(primary, TestStore.keys(dataset.scan(form.range)), form.words);
      Collections.reverse(primary);
      assertEquals(
          primary, TestStore.keys(dataset.scan(form.range.descending())), form.words + " back");
      assertEquals(
          expected(form, 2, 0, 1), sorted(dataset, "a", form.range), () -> "a " + form.words);
      List<Key> both = expected(form, 2, 3, 0, 1);
      assertEquals(both, sorted(dataset, "ab", form.range), () -> "ab " + form.words);
      found += both.size();
    }
    assertTrue(found > 10_000, found + " found");
  }

  /** The primary keys of the records whose entry, made of these values, is wanted. */
  private List<Key> expected(Form form, int... entry) {
    List<Key> expected = new ArrayList<>();
    records.forEach(
        (key, values) -> {
          if (form.wanted.test(Key.of(Arrays.stream(entry).mapToObj(values::get).toArray()))) {
            expected.add(key);
          }
        });
    return expected;
  }

  private static List<Key> sorted(Dataset dataset, String index, KeyRange range)
      throws StorageException {
    List<Key> found = new ArrayList<>(TestStore.keys(Counted.search(dataset, index, range)));
    Collections.sort(found);
    return found;
  }

  private static List<Form> forms() {
    List<Key> bounds = new ArrayList<>(List.of(Key.of(), Key.of(4), Key.of(5, 0.5)));
    for (String a : A) {
      bounds.add(Key.of(value(a)));
      bounds.add(Key.of(value(a), 1));
    }
    List<Form> forms = new ArrayList<>();
    forms.add(new Form("all", ValueRange.all(), key -> true));
    for (Key low : bounds) {
      oneBound(forms, low);
      for (Key high : bounds) {
        twoBounds(forms, low, high);
      }
    }
    return forms;
  }

  private static void oneBound(List<Form> forms, Key key) {
    Predicate<Key> above = value -> order(value, key) > 0;
    Predicate<Key> below = value -> order(value, key) < 0;
    byte[] bytes = key.toBytes();
    forms.add(new Form("exactly " + key, ValueRange.exactly(key), above.or(below).negate()));
    forms.add(new Form("above " + key, ValueRange.above(key), above));
    forms.add(new Form("at least " + key, ValueRange.atLeast(key), below.negate()));
    forms.add(new Form("at most " + key, ValueRange.atMost(key), above.negate()));
    forms.add(new Form("below " + key, ValueRange.below(key), below));
    // The same in the words of key ranges, which know nothing of what stands behind a value.
    forms.add(new Form("> " + key, KeyRange.greaterThan(bytes), above));
    forms.add(new Form(">= " + key, KeyRange.atLeast(bytes), below.negate()));
    forms.add(new Form("<= " + key, KeyRange.atMost(bytes), above.negate()));
    forms.add(new Form("< " + key, KeyRange.lessThan(bytes), below));
    forms.add(new Form("= " + key, KeyRange.exactly(bytes), above.or(below).negate()));
    forms.add(
        new Form(
            "after " + key,
            KeyRange.between(KeyBound.afterPrefix(bytes), KeyBound.unbounded()),
            above));
  }

  private static void twoBounds(List<Form> forms, Key low, Key high) {
    Predicate<Key> atLeast = value -> order(value, low) >= 0;
    Predicate<Key> above = value -> order(value, low) > 0;
    Predicate<Key> atMost = value -> order(value, high) <= 0;
    Predicate<Key> below = value -> order(value, high) < 0;
    String ends = " " + low + " " + high;
    forms.add(new Form("[ ]" + ends, ValueRange.closed(low, high), atLeast.and(atMost)));
    forms.add(new Form("[ )" + ends, ValueRange.closedOpen(low, high), atLeast.and(below)));
    forms.add(new Form("( ]" + ends, ValueRange.openClosed(low, high), above.and(atMost)));
    forms.add(new Form("( )" + ends, ValueRange.open(low, high), above.and(below)));
    forms.add(
        new Form(
            "> <=" + ends,
            KeyRange.between(KeyBound.exclusive(low.toBytes()), KeyBound.inclusive(high.toBytes())),
            above.and(atMost)));
  }

  /** The order of an entry's first values and a bound of as many. */
  private static int order(Key entry, Key bound) {
    KeyDecoder decoder = new KeyDecoder().reset(bound.toSlice());
    int fields = 0;
    for (; decoder.hasNext(); fields++) {
      decoder.skip();
    }
    decoder.reset(entry.toSlice());
    for (int i = 0; i < fields; i++) {
      decoder.skip();
    }
    return Key.ofBytes(Arrays.copyOf(entry.toBytes(), decoder.position())).compareTo(bound);
  }

  @Test
  void anOrderThatASearchByValueDoesNotGiveIsRefused() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options());
      KeyRange descending = ValueRange.above(Key.of(1)).descending();
      assertThrows(IllegalArgumentException.class, () -> new KeySearch(descending));
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class, () -> dataset.search("a", descending).close());
      assertTrue(refused.getMessage().contains("descending"), refused.getMessage());
      assertThrows(
          IllegalArgumentException.class,
          () -> dataset.partition(0).search("a", descending).close());
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void aPointThatIsNoneIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new NearestSearch(Double.NaN, 0));
    assertThrows(
        IllegalArgumentException.class, () -> new NearestSearch(0, Double.NEGATIVE_INFINITY));
  }
}
