package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.rtree.query.RegionQuery;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * The life of a small engine, with every version that any of its files had: stores under several
 * policies, and a dataset with an index of each kind, come, are written, flushed, merged, loaded in
 * bulk and dropped. Confined to a test.
 */
final class StoreHistory {
  private static final String RECORDS = "records";

  /** A search for each index of the records that finds all. */
  private static final Map<String, IndexSearch> SEARCHES =
      Map.of(
          "n", new KeySearch(ValueRange.all()),
          "rtree:at", new SpatialSearch(RegionQuery.everything()),
          "rtree-deleted-keys:at", new SpatialSearch(RegionQuery.everything()),
          "keyword:text", TextSearch.allWords("tree"));

  private final TestStore store;
  private final RandomGenerator random;
  private final Map<String, TreeMap<String, String>> model = new TreeMap<>();
  private final TreeMap<Integer, String> records = new TreeMap<>();
  private final Map<Path, List<byte[]>> versions = new TreeMap<>();
  private StorageEngine engine;
  private int values;

  StoreHistory(long seed) throws StorageException {
    this.store = TestStore.empty(seed);
    this.random = Seeds.random(seed);
    this.engine = store.open();
    remember();
  }

  /** Lives through it; the engine stays open. */
  void live() throws StorageException {
    create("tiered", new MergePolicyOptions("tiering(2)"));
    create("cut", KeyValueModel.CUT);
    create("gone", new MergePolicyOptions("tiering(2)"));
    engine.createDataset(
        DatasetOptions.of(RECORDS, "id")
            .withIndexes(SEARCHES.keySet().stream().sorted().map(IndexDefinition::parse).toList())
            .withMemoryBytes(1 << 20)
            .withMergePolicy(new MergePolicyOptions("tiering(2)")));
    remember();
    for (int round = 0; round < 4; round++) {
      writeRecords(10);
      engine.dataset(RECORDS).flush();
      for (String name : List.copyOf(model.keySet())) {
        write(name, 10 + random.nextInt(20));
        engine.keyValueStore(name).flush();
        store.executor.runUntilIdle();
        remember();
      }
    }
    engine.drop("gone");
    model.remove("gone");
    remember();
    create("loaded", MergePolicyOptions.none());
    load("loaded");
    remember();
    engine.close();
    remember();
    engine = store.open();
    remember();
    create("late", MergePolicyOptions.none());
    for (String name : model.keySet()) {
      write(name, 10);
    }
    writeRecords(5);
    engine.keyValueStore("cut").flush();
    store.executor.runUntilIdle();
    remember();
    write("late", 3);
    writeRecords(3);
  }

  StorageEngine engine() {
    return engine;
  }

  private void create(String name, MergePolicyOptions policy) throws StorageException {
    engine.createKeyValueStore(
        name, new KeyValueOptions(1 << 20, policy, 0.01, Optional.empty(), Optional.empty(), 0));
    model.put(name, new TreeMap<>());
    remember();
  }

  private void write(String name, int count) throws StorageException {
    try (KeyValueSession session = engine.keyValueStore(name).openSession()) {
      for (int i = 0; i < count; i++) {
        String key = "key " + random.nextInt(60);
        String value = "value " + values++ + "x".repeat(300);
        session.put(slice(key), slice(value));
        model.get(name).put(key, value);
      }
    }
  }

  private void writeRecords(int count) throws StorageException {
    Dataset dataset = engine.dataset(RECORDS);
    for (int i = 0; i < count; i++) {
      int id = random.nextInt(40);
      if (random.nextInt(4) == 0) {
        dataset.delete(Key.of(id));
        records.remove(id);
      } else {
        int n = values++;
        String json =
            "{\"id\":%d,\"n\":%d,\"at\":[%d,%d],\"text\":\"tree w%d\"}".formatted(id, n, n, id, n);
        dataset.upsert(TestStore.bytes(json));
        records.put(id, json);
      }
    }
  }

  private void load(String name) throws StorageException {
    try (KeyValueLoader loader = engine.keyValueStore(name).bulkLoad()) {
      for (int i = 10; i < 40; i++) {
        loader.add(slice("key " + i), slice("loaded " + i));
        model.get(name).put("key " + i, "loaded " + i);
      }
      loader.finish();
    }
  }

  private static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Keeps what the files hold now. */
  void remember() throws StorageException {
    for (Path path : filesOf(store.files, TestStore.ROOT)) {
      byte[] now = store.files.content(path);
      List<byte[]> known = versions.computeIfAbsent(path, absent -> new ArrayList<>());
      if (known.stream().noneMatch(each -> Arrays.equals(each, now))) {
        known.add(now);
      }
    }
  }

  /** Every version that a file has had. */
  Map<Path, List<byte[]>> versions() {
    return versions;
  }

  /** What a killed process leaves now. */
  MemoryFileSystem killed() {
    return store.files.crash(1, Seeds.random(1));
  }

  /** What is left after an orderly close. */
  MemoryFileSystem closed() throws StorageException {
    engine.close();
    remember();
    return store.files.crash(1, Seeds.random(1));
  }

  /** Opens a disk; what was there must be there, and nothing else. */
  void expectEverything(MemoryFileSystem files, String after) throws StorageException {
    TestStore other = new TestStore(files, 4);
    try (StorageEngine opened = other.open()) {
      List<String> names = new ArrayList<>(model.keySet());
      names.add(RECORDS);
      Collections.sort(names);
      assertEquals(names, opened.names(), after);
      expectRecords(opened.dataset(RECORDS), after);
      for (Map.Entry<String, TreeMap<String, String>> expected : model.entrySet()) {
        assertEquals(
            expected.getValue(),
            pairs(opened.keyValueStore(expected.getKey())),
            after + ": " + expected.getKey());
      }
      assertEquals(List.of(), opened.verify().problems(), after);
    }
    other.faults.assertNothingOpen();
  }

  private void expectRecords(Dataset dataset, String after) throws StorageException {
    List<String> all = List.copyOf(records.values());
    assertEquals(all, TestStore.records(dataset.scan(KeyRange.all())), after);
    for (Map.Entry<String, IndexSearch> search : SEARCHES.entrySet()) {
      // One partition and one batch: in the order of primary keys.
      assertEquals(
          all,
          TestStore.records(dataset.search(search.getKey(), search.getValue())),
          () -> after + ": " + search.getKey());
    }
  }

  private static Map<String, String> pairs(KeyValueStore store) throws StorageException {
    TreeMap<String, String> pairs = new TreeMap<>();
    try (RecordCursor cursor = store.scan(KeyRange.all())) {
      while (cursor.next()) {
        pairs.put(text(cursor.key()), text(cursor.value()));
      }
    }
    return pairs;
  }

  private static String text(Slice slice) {
    return new String(slice.toByteArray(), StandardCharsets.UTF_8);
  }

  /** Every file in a directory but {@code LOCK}. */
  static List<Path> filesOf(MemoryFileSystem files, Path directory) throws StorageException {
    List<Path> found = new ArrayList<>();
    for (Path path : files.list(directory)) {
      if (files.isDirectory(path)) {
        found.addAll(filesOf(files, path));
      } else if (!path.endsWith("LOCK")) {
        found.add(path);
      }
    }
    return found;
  }

  /** Puts bytes in the place of what a file holds, or makes it. */
  static void replace(MemoryFileSystem files, Path path, byte[] bytes) throws StorageException {
    if (files.exists(path)) {
      files.delete(path);
    }
    files.createDirectories(path.getParent());
    try (StorageFile file = files.open(path, FileSystem.OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
    }
  }
}
