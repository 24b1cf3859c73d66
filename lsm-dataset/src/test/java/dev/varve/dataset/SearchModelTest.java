package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.RankedCursor;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.rtree.geometry.Distances;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.RegionQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Every search of every kind of index finds what it says at the ends of what can be stored: empty
 * texts, zero bytes, bytes of FF, the longest keys and words, the largest and smallest coordinates.
 * Method: all searches between such values, in memory, in several components that hide each other
 * and in one, against a map of records whose values are looked at one after the other.
 */
class SearchModelTest {
  private final TestStore store = TestStore.empty(1);

  /** By number, the indexed value of a record, as JSON; {@code null} for one without. */
  private final TreeMap<Integer, String> records = new TreeMap<>();

  /** What is checked whenever the records have moved on. */
  @FunctionalInterface
  private interface Check {
    void run(Dataset dataset) throws StorageException;
  }

  /** Writes values, some twice and some to be deleted, and checks in each state of the index. */
  private void live(List<String> values, List<String> indexes, Check check)
      throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(20261125));
    try (StorageEngine engine = store.open()) {
      Dataset dataset =
          engine.createDataset(
              DatasetOptions.of("d", "id")
                  .withPartitions(2)
                  .withIndexes(indexes.stream().map(IndexDefinition::parse).toList())
                  .withMemoryBytes(1 << 20)
                  .withMergePolicy(MergePolicyOptions.none()));
      for (int round = 0; round < 3; round++) {
        for (int id = 0; id < values.size(); id++) {
          if (round == 0 || random.nextInt(3) == 0) {
            put(dataset, id, values.get(round == 0 ? id : random.nextInt(values.size())));
          } else if (random.nextInt(6) == 0) {
            dataset.delete(Key.of(id));
            records.remove(id);
          }
        }
        check.run(dataset);
        dataset.flush();
        check.run(dataset);
      }
      dataset.compact();
      check.run(dataset);
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private void put(Dataset dataset, int id, String value) throws StorageException {
    dataset.upsert(TestStore.bytes("{\"id\":" + id + ",\"v\":" + value + "}"));
    records.put(id, value);
  }

  private List<Integer> expected(Predicate<String> wanted) {
    return records.entrySet().stream()
        .filter(record -> wanted.test(record.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The keys of the records that a cursor returns, ascending. */
  static List<Integer> found(RecordCursor opened) throws StorageException {
    List<Integer> ids = new ArrayList<>();
    try (RecordCursor cursor = opened) {
      while (cursor.next()) {
        ids.add((int) DatasetModel.id(cursor));
      }
    }
    Collections.sort(ids);
    return ids;
  }

  // ---- Values of a B+-tree

  /** In the order of their bytes: empty, zero, FF and characters of every length. */
  private static List<String> texts() {
    return List.of(
        "",
        "\0",
        "\0\0",
        "\0a",
        "\1",
        "a",
        "a\0",
        "a\0\0",
        "a\0b",
        "aa",
        "b",
        "\u007f",
        "\u0080",
        "\u00fe",
        "\u00ff",
        "\u00ff\u00ff",
        "\u07ff",
        "\u0800",
        "\ud7ff",
        "\ue000",
        "\uffff",
        "\uffff\uffff",
        "\ud800\udc00",
        "\udbff\udfff");
  }

  private static String json(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      json.append(String.format(Locale.ROOT, "\\u%04x", (int) text.charAt(i)));
    }
    return json.append('"').toString();
  }

  private static String text(String json) {
    StringBuilder text = new StringBuilder();
    for (int at = 1; at < json.length() - 1; at += 6) {
      text.append((char) Integer.parseInt(json.substring(at + 2, at + 6), 16));
    }
    return text.toString();
  }

  private static int order(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  /** The longest text of a character that an index takes beside any primary key of the test. */
  private String longest(Dataset dataset, char character) throws StorageException {
    String longest = "";
    for (int length = 1; ; length++) {
      String longer = String.valueOf(character).repeat(length);
      try {
        put(dataset, 999, json(longer));
        longest = longer;
      } catch (LimitException tooLong) {
        dataset.delete(Key.of(999));
        records.remove(999);
        assertTrue(length > 50, "only " + length);
        return longest;
      }
    }
  }

  @Test
  void rangesOfTextsFindWhatTheySay() throws StorageException {
    List<String> texts = new ArrayList<>(texts());
    try (StorageEngine engine = TestStore.empty(2).open()) {
      Dataset probe =
          engine.createDataset(
              DatasetOptions.of("d", "id").withIndexes(List.of(IndexDefinition.on("v"))));
      for (char character : new char[] {'\0', 'a', '\u00ff', '\uffff'}) {
        String longest = longest(probe, character);
        texts.add(longest);
        texts.add(longest.substring(1));
      }
    }
    texts.sort(SearchModelTest::order);
    live(
        texts.stream().map(SearchModelTest::json).toList(),
        List.of("v"),
        dataset -> {
          int count = 0;
          for (String low : texts) {
            for (String high : texts) {
              count += checkRanges(dataset, low, high);
            }
          }
          assertTrue(count > 5_000, count + " found");
        });
  }

  private int checkRanges(Dataset dataset, String low, String high) throws StorageException {
    Key from = Key.of(low);
    Key to = Key.of(high);
    int count = 0;
    for (int form = 0; form < 4; form++) {
      boolean withLow = (form & 1) == 0;
      boolean withHigh = (form & 2) == 0;
      KeyRange range =
          withLow
              ? withHigh ? ValueRange.closed(from, to) : ValueRange.closedOpen(from, to)
              : withHigh ? ValueRange.openClosed(from, to) : ValueRange.open(from, to);
      List<Integer> expected =
          expected(
              json -> {
                int above = order(text(json), low);
                int below = order(text(json), high);
                return (withLow ? above >= 0 : above > 0) && (withHigh ? below <= 0 : below < 0);
              });
      assertEquals(
          expected,
          found(Counted.search(dataset, "v", range)),
          () -> json(low) + " to " + json(high));
      count += expected.size();
    }
    return count;
  }

  @Test
  void scansOverTextsGoBothWays() throws StorageException {
    List<String> texts = texts();
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(DatasetOptions.of("d", "v").withPartitions(3));
      List<Key> there = new ArrayList<>();
      for (int i = 0; i < texts.size(); i += 2) {
        dataset.upsert(TestStore.bytes("{\"v\":" + json(texts.get(i)) + "}"));
        there.add(Key.of(texts.get(i)));
        if (i == texts.size() / 2) {
          dataset.flush();
        }
      }
      for (String low : texts) {
        for (String high : texts) {
          KeyRange range = ValueRange.openClosed(Key.of(low), Key.of(high));
          List<Key> expected =
              new ArrayList<>(
                  there.stream()
                      .filter(key -> key.compareTo(Key.of(low)) > 0)
                      .filter(key -> key.compareTo(Key.of(high)) <= 0)
                      .toList());
          assertEquals(expected, TestStore.keys(dataset.scan(range)));
          Collections.reverse(expected);
          assertEquals(expected, TestStore.keys(dataset.scan(range.descending())));
        }
      }
    }
  }

  // ---- Places

  private static final double[] COORDINATES = {
    -Double.MAX_VALUE,
    -1e200,
    -1.5,
    -Double.MIN_VALUE,
    -0.0,
    0.0,
    Double.MIN_VALUE,
    1,
    Math.nextUp(1.0),
    1.5,
    1e200,
    Double.MAX_VALUE
  };

  private static Rectangle rectangle(String json) {
    String[] numbers = json.substring(1, json.length() - 1).split(",");
    double[] n = Arrays.stream(numbers).mapToDouble(Double::parseDouble).toArray();
    return new Rectangle(n[0], n[1], n[n.length - 2], n[n.length - 1]);
  }

  private static Rectangle random(RandomGenerator random) {
    double[] n = new double[4];
    Arrays.setAll(n, i -> COORDINATES[random.nextInt(COORDINATES.length)]);
    boolean point = random.nextBoolean();
    return new Rectangle(
        Math.min(n[0], point ? n[0] : n[2]),
        Math.min(n[1], point ? n[1] : n[3]),
        Math.max(n[0], point ? n[0] : n[2]),
        Math.max(n[1], point ? n[1] : n[3]));
  }

  private static List<String> places(RandomGenerator random) {
    List<String> places = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      Rectangle r = random(random);
      places.add(
          r.minX() == r.maxX() && r.minY() == r.maxY()
              ? "[" + r.minX() + "," + r.minY() + "]"
              : "[" + r.minX() + "," + r.minY() + "," + r.maxX() + "," + r.maxY() + "]");
    }
    return places;
  }

  private static double distance(Rectangle r, double x, double y) {
    return Distances.of(
        Distances.outside(x, r.minX(), r.maxX()), Distances.outside(y, r.minY(), r.maxY()));
  }

  @Test
  void regionsFindWhatLiesInThem() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(1125));
    List<String> indexes = List.of("rtree:v", "rtree-deleted-keys:v");
    live(
        places(random),
        indexes,
        dataset -> {
          int count = 0;
          for (String index : indexes) {
            count += checkRegion(dataset, index, RegionQuery.everything(), place -> true);
            for (int i = 0; i < 40; i++) {
              count += checkRegions(dataset, index, random(random));
            }
          }
          assertTrue(count > 1_000, count + " found");
        });
  }

  private int checkRegions(Dataset dataset, String index, Rectangle window)
      throws StorageException {
    double x = window.minX();
    double y = window.maxY();
    double radius = window.maxX() - window.minX();
    int count = 0;
    count +=
        checkRegion(
            dataset,
            index,
            RegionQuery.intersecting(window),
            r ->
                r.minX() <= window.maxX()
                    && r.maxX() >= window.minX()
                    && r.minY() <= window.maxY()
                    && r.maxY() >= window.minY());
    count +=
        checkRegion(
            dataset,
            index,
            RegionQuery.containedIn(window),
            r ->
                r.minX() >= window.minX()
                    && r.maxX() <= window.maxX()
                    && r.minY() >= window.minY()
                    && r.maxY() <= window.maxY());
    count +=
        checkRegion(
            dataset,
            index,
            RegionQuery.containing(x, y),
            r -> r.minX() <= x && x <= r.maxX() && r.minY() <= y && y <= r.maxY());
    if (Math.max(Math.max(Math.abs(x), Math.abs(y)), radius) < 10) {
      // Elsewhere distances are rounded by more than what is between most of the places.
      count +=
          checkRegion(
              dataset, index, RegionQuery.within(radius, x, y), r -> distance(r, x, y) <= radius);
    }
    return count;
  }

  private int checkRegion(
      Dataset dataset, String index, RegionQuery region, Predicate<Rectangle> inside)
      throws StorageException {
    List<Integer> expected = expected(json -> inside.test(rectangle(json)));
    assertEquals(
        expected,
        found(Counted.search(dataset, index, new SpatialSearch(region))),
        index + " " + region);
    return expected.size();
  }

  @Test
  void theNearestComeFirstHoweverManyAreTaken() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(1126));
    List<String> indexes = List.of("rtree:v", "rtree-deleted-keys:v");
    live(
        places(random),
        indexes,
        dataset -> {
          for (String index : indexes) {
            for (double x : COORDINATES) {
              double y = COORDINATES[random.nextInt(COORDINATES.length)];
              checkNearest(dataset, index, x, y);
            }
          }
        });
  }

  private void checkNearest(Dataset dataset, String index, double x, double y)
      throws StorageException {
    List<Double> all =
        records.values().stream().map(json -> distance(rectangle(json), x, y)).sorted().toList();
    for (int limit : new int[] {0, 1, 7, all.size() + 1}) {
      List<Double> distances = new ArrayList<>();
      HashSet<Integer> ids = new HashSet<>();
      try (RecordCursor cursor = Counted.search(dataset, index, new NearestSearch(x, y))) {
        while (distances.size() < limit && cursor.next()) {
          int id = (int) DatasetModel.id(cursor);
          double distance = ((RankedCursor) cursor).distance();
          assertEquals(distance(rectangle(records.get(id)), x, y), distance);
          distances.add(distance);
          assertTrue(ids.add(id), id + " twice");
        }
      }
      assertEquals(
          all.subList(0, Math.min(limit, all.size())), distances, index + " " + x + ", " + y);
    }
  }

  /**
   * An index that remembers where records were answers as one that never knew, also the records
   * that are equally far: in its order of places and keys.
   */
  @Test
  void recordsThatAreEquallyFarComeInOneOrder() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(751));
    List<String> circle = List.of("[0,2]", "[3,4]", "[-4,3]", "[4,-3]", "[-3,-4]", "[5,0]");
    try (StorageEngine engine = store.open()) {
      Dataset moved = spots(engine, "moved");
      for (int round = 0; round < 3; round++) {
        for (int id = 0; id < 100; id++) {
          put(moved, id, circle.get(random.nextInt(circle.size())));
        }
        Dataset unmoved = spots(engine, "unmoved" + round);
        for (Map.Entry<Integer, String> record : records.entrySet()) {
          put(unmoved, record.getKey(), record.getValue());
        }
        NearestSearch nearest = new NearestSearch(0, 0);
        List<Key> expected = Counted.keys(Counted.search(unmoved, "rtree:v", nearest));
        assertEquals(100, expected.size());
        assertEquals(expected, Counted.keys(Counted.search(moved, "rtree:v", nearest)));
        moved.flush();
        assertEquals(expected, Counted.keys(Counted.search(moved, "rtree:v", nearest)));
      }
    }
  }

  private static Dataset spots(StorageEngine engine, String name) throws StorageException {
    return engine.createDataset(
        DatasetOptions.of(name, "id")
            .withPartitions(2)
            .withIndexes(List.of(IndexDefinition.parse("rtree:v")))
            .withMaintenance(IndexMaintenance.LAZY)
            .withMergePolicy(MergePolicyOptions.none()));
  }

  // ---- Words

  /** Of a longer word so many bytes count. */
  private static final int LONGEST_WORD = 255;

  /** Words at the limit and over it; no word; a word twice. */
  private static List<String> documents(RandomGenerator random) {
    List<String> words = new ArrayList<>(List.of("a", "b", "ab", "0"));
    for (int length : new int[] {LONGEST_WORD - 1, LONGEST_WORD, LONGEST_WORD + 1}) {
      words.add("w".repeat(length));
      words.add("w".repeat(length - 1) + "x");
    }
    List<String> documents = new ArrayList<>(List.of("", " ", "a", "a a", "a  a b"));
    for (int i = 0; i < 60; i++) {
      List<String> some = new ArrayList<>();
      for (int count = random.nextInt(5); count > 0; count--) {
        some.add(words.get(random.nextInt(words.size())));
      }
      documents.add(String.join(" ", some));
    }
    return documents.stream().map(document -> "\"" + document + "\"").toList();
  }

  private static List<String> words(String json) {
    return Arrays.stream(json.substring(1, json.length() - 1).split(" +"))
        .filter(word -> !word.isEmpty())
        .map(word -> word.substring(0, Math.min(word.length(), LONGEST_WORD)))
        .toList();
  }

  @Test
  void textSearchesFindWhatTheySay() throws StorageException {
    List<String> documents = documents(Seeds.random(Seeds.one(1127)));
    live(
        documents,
        List.of("keyword:v", "ngram3:v"),
        dataset -> {
          int count = 0;
          for (String document : documents.subList(2, documents.size())) {
            List<String> wanted = words(document);
            if (!wanted.isEmpty()) {
              count += checkWords(dataset, wanted);
            }
          }
          assertTrue(count > 500, count + " found");
        });
  }

  private int checkWords(Dataset dataset, List<String> wanted) throws StorageException {
    String text = String.join(" ", wanted);
    HashSet<String> distinct = new HashSet<>(wanted);
    int count = 0;
    count +=
        checkText(
            dataset, "keyword:v", TextSearch.allWords(text), w -> words(w).containsAll(distinct));
    count +=
        checkText(
            dataset,
            "keyword:v",
            TextSearch.anyWord(text),
            w -> words(w).stream().anyMatch(distinct::contains));
    for (int least = 1; least <= distinct.size() + 1; least++) {
      int bound = least;
      count +=
          checkText(
              dataset,
              "keyword:v",
              TextSearch.someWords(text, bound),
              w -> words(w).stream().distinct().filter(distinct::contains).count() >= bound);
    }
    count +=
        checkText(
            dataset,
            "keyword:v",
            TextSearch.phrase(text),
            w -> (" " + String.join(" ", words(w)) + " ").contains(" " + text + " "));
    if (text.length() >= 3) {
      count +=
          checkText(
              dataset,
              "ngram3:v",
              TextSearch.containing(text),
              w -> w.substring(1, w.length() - 1).contains(text));
    }
    return count;
  }

  private int checkText(Dataset dataset, String index, IndexSearch search, Predicate<String> wanted)
      throws StorageException {
    List<Integer> expected = expected(wanted);
    assertEquals(expected, found(Counted.search(dataset, index, search)), search::toString);
    return expected.size();
  }
}
