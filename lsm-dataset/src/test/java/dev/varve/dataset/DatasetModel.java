package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.kind.MergePatch;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.dataset.options.TimeToLive;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** What a dataset with secondary indexes of every kind must hold, as a sorted map. */
final class DatasetModel {
  static final String NAME = "model";
  private static final int NAMES = 7;
  private static final int CITIES = 4;

  final TreeMap<Long, String> records = new TreeMap<>();

  /** Which ids belong to the dataset's node: any other is refused. */
  LongPredicate own = id -> true;

  DatasetModel() {}

  DatasetModel(DatasetModel other) {
    records.putAll(other.records);
  }

  static DatasetOptions options(int partitions) {
    return DatasetOptions.of(NAME, "id")
        .withPartitions(partitions)
        .withIndexes(
            List.of(
                IndexDefinition.on("name"),
                new IndexDefinition(
                    "home", List.of(FieldPath.parse("place.city"), FieldPath.parse("age"))),
                IndexDefinition.parse("rtree:spot"),
                IndexDefinition.parse("rtree-deleted-keys:spot"),
                IndexDefinition.parse("keyword:words"),
                IndexDefinition.parse("ngram3:words")))
        .withMemoryBytes(4 << 20)
        .withMergePolicy(MergePolicyOptions.constant(3));
  }

  /** The same with records that say when they end, and all live longer than a test. */
  static DatasetOptions mortal(DatasetOptions options) {
    return options.withTimeToLive(Optional.of(TimeToLive.sinceWrite(Duration.ofDays(365))));
  }

  /** A record of a random shape; some lack the indexed fields, some are long. */
  static String record(long id, RandomGenerator random) {
    StringBuilder json = new StringBuilder("{\"id\":").append(id);
    if (random.nextInt(10) > 0) {
      json.append(",\"name\":\"n").append(random.nextInt(NAMES)).append('"');
    }
    if (random.nextInt(10) > 0) {
      json.append(",\"place\":{\"city\":\"c").append(random.nextInt(CITIES)).append("\"}");
    }
    json.append(",\"age\":").append(random.nextInt(10) == 0 ? "null" : "" + random.nextInt(5));
    json.append(Spots.field(random)).append(Texts.field(random));
    int length = random.nextInt(20) == 0 ? random.nextInt(20_000) : random.nextInt(200);
    return json.append(",\"text\":\"").append("x".repeat(length)).append("\"}").toString();
  }

  /** A patch of some fields, which may take indexed ones out or put them in. */
  static String patch(RandomGenerator random) {
    StringBuilder json = new StringBuilder("{\"text\":null");
    if (random.nextBoolean()) {
      json.append(",\"name\":")
          .append(random.nextInt(4) == 0 ? "null" : "\"n" + random.nextInt(NAMES) + "\"");
    }
    if (random.nextBoolean()) {
      json.append(",\"place\":{\"city\":\"c").append(random.nextInt(CITIES)).append("\"}");
    }
    if (random.nextBoolean()) {
      json.append(",\"age\":").append(random.nextInt(5));
    }
    if (random.nextBoolean()) {
      json.append(Spots.field(random)).append(Texts.field(random));
    }
    return json.append('}').toString();
  }

  /** Patches the record of an id, if there is one; says whether there was. */
  WriteOutcome patch(long id, String patch) throws StorageException {
    String before = records.get(id);
    if (before == null) {
      return WriteOutcome.ABSENT;
    }
    MergePatch merge = MergePatch.read(new Slice(TestStore.bytes(patch)), RecordLimits.DEFAULTS);
    byte[] after = merge.applyTo(new Slice(TestStore.bytes(before)));
    records.put(id, new String(after, StandardCharsets.UTF_8));
    return WriteOutcome.PRESENT;
  }

  /** Checks that a dataset holds exactly this, by every way in. */
  void check(Dataset dataset) throws StorageException {
    List<String> expected = new ArrayList<>(records.values());
    assertEquals(expected, TestStore.records(dataset.scan(ValueRange.all())), "scan");
    java.util.Collections.reverse(expected);
    assertEquals(
        expected, TestStore.records(dataset.scan(ValueRange.all().descending())), "scan back");
    assertEquals(records.size(), dataset.count(ValueRange.all()), "count");
    assertEquals(
        records.tailMap(30L).size(),
        dataset.count(ValueRange.atLeast(Key.of(30)).descending()),
        "count of 30 and above");
    for (int name = 0; name < NAMES; name++) {
      String wanted = "\"name\":\"n" + name + "\"";
      assertEquals(
          ids(wanted),
          sorted(Counted.search(dataset, "name", ValueRange.exactly(Key.of("n" + name)))),
          wanted);
    }
    for (int city = 0; city < CITIES; city++) {
      List<Long> ids = new ArrayList<>();
      for (Map.Entry<Long, String> record : records.entrySet()) {
        String json = record.getValue();
        if (json.contains("\"city\":\"c" + city + "\"")
            && (json.contains("\"age\":1") || json.contains("\"age\":2"))) {
          ids.add(record.getKey());
        }
      }
      Key low = Key.of("c" + city, 1);
      Key high = Key.of("c" + city, 2);
      assertEquals(
          ids, sorted(Counted.search(dataset, "home", ValueRange.closed(low, high))), "c" + city);
    }
    for (long id : LongStream.of(0, 1, 2, 50).filter(own).toArray()) {
      assertEquals(records.containsKey(id), dataset.exists(Key.of(id)), "exists");
      assertEquals(
          records.get(id),
          dataset
              .get(Key.of(id))
              .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
              .orElse(null),
          "get");
    }
    checkAtOnce(dataset);
    for (IndexDefinition index : dataset.options().indexes()) {
      if (index.text().startsWith("rtree")) {
        Spots.check(records, dataset, index.name());
      } else if (index.text().startsWith("keyword")) {
        Texts.checkWords(records, dataset, index.name());
      } else if (index.text().startsWith("ngram")) {
        Texts.checkNGrams(records, dataset, index.name());
      }
    }
    VerifyReport report = dataset.verify();
    assertEquals(List.of(), report.problems());
    assertEquals(records.size(), report.records());
  }

  /** Reads many records at once, some of them twice, and some that are not there. */
  private void checkAtOnce(Dataset dataset) throws StorageException {
    List<Long> ids =
        new ArrayList<>(
            LongStream.range(0, 200).map(i -> i * 37 % 101).filter(own).boxed().toList());
    List<Optional<byte[]>> found = dataset.getAll(ids.stream().map(Key::of).toList());
    for (int i = 0; i < ids.size(); i++) {
      assertEquals(
          records.get(ids.get(i)),
          found.get(i).map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse(null),
          "record " + ids.get(i) + " among many");
    }
  }

  private List<Long> ids(String wanted) {
    return records.entrySet().stream()
        .filter(record -> record.getValue().contains(wanted))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The id of the record at a cursor. */
  static long id(KeyCursor cursor) {
    return Long.parseLong(Key.ofSlice(cursor.key()).toString().replaceAll("[<>]", ""));
  }

  static List<Long> sorted(RecordCursor cursor) throws StorageException {
    List<Long> ids = new ArrayList<>();
    for (String json : TestStore.records(cursor)) {
      ids.add(Long.parseLong(json.substring(6, json.indexOf(',', 6))));
    }
    ids.sort(null);
    return ids;
  }
}
