package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A disk in memory, a clock by hand and one thread: an engine on them does the same every time. */
final class TestStore {
  static final Path ROOT = Path.of("/node");

  final MemoryFileSystem files;

  /** The same disk, with faults on demand; what engines are opened on. */
  final FaultyFileSystem faults;

  final ManualClock clock = new ManualClock();
  final SteppedExecutor executor;
  final long seed;

  TestStore(MemoryFileSystem files, long seed) {
    this.files = files;
    this.faults = new FaultyFileSystem(files);
    this.seed = seed;
    this.executor = new SteppedExecutor(clock, seed);
  }

  static TestStore empty(long seed) {
    return new TestStore(new MemoryFileSystem(), seed);
  }

  /** Small in everything, so that a few records flush and merge. */
  static EngineOptions.Builder options() {
    return options(ROOT);
  }

  static EngineOptions.Builder options(Path directory) {
    return EngineOptions.builder(directory)
        .pageBytes(4096)
        .cacheBytes(1 << 20)
        .directMergeBytes(32 << 10)
        .activeDatasetBytes(64 << 20)
        .logSegmentBytes(128 << 10)
        .logRetentionBytes(1 << 20)
        .lockTimeoutMillis(1000)
        .stallTimeoutMillis(60_000)
        .recordLimits(new RecordLimits(32 << 10, 32, 32, 256));
  }

  static final List<Path> ROOTS = List.of(Path.of("/disk-0/varve"), Path.of("/disk-1/varve"));
  static final Path LOG_ROOT = Path.of("/disk-2/log");

  /** The same, with partitions on two devices of their own, and the log on a third. */
  static EngineOptions placed() {
    return options().storeDirectories(ROOTS).logDirectory(LOG_ROOT).build();
  }

  StorageEngine open() throws StorageException {
    return open(options().build());
  }

  StorageEngine open(EngineOptions options) throws StorageException {
    return StorageEngine.open(
        options,
        new EngineSeams(faults, clock, executor, Seeds.random(seed))
            .withLimits(ProcessLimits.NONE));
  }

  /** Records with an id, indexed by {@code name} and by {@code place.city, age}. */
  static DatasetOptions people() {
    return DatasetOptions.of("people", "id")
        .withIndexes(
            List.of(
                IndexDefinition.on("name"),
                new IndexDefinition(
                    "home", List.of(FieldPath.parse("place.city"), FieldPath.parse("age")))))
        .withMemoryBytes(1 << 20)
        .withMergePolicy(MergePolicyOptions.constant(3));
  }

  static byte[] person(long id, String name, String city, long age) {
    return bytes(
        "{\"id\":"
            + id
            + ",\"name\":\""
            + name
            + "\",\"place\":{\"city\":\""
            + city
            + "\"},\"age\":"
            + age
            + "}");
  }

  static byte[] bytes(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }

  /** A kilobyte under the key of a number. */
  static void put(KeyValueSession session, int key) throws StorageException {
    session.put(new Slice(bytes("key " + key)), new Slice(new byte[1000]));
  }

  /** The index of a store that has one partition. */
  static IndexStats index(Store store) throws StorageException {
    return store.stats().partitions().get(0).indexes().get(0);
  }

  /** What writers waited for. */
  static List<String> causes(StorageEngine engine) throws StorageException {
    return engine.stats().stalls().stream().map(EngineStats.StallSummary::cause).toList();
  }

  static List<String> records(RecordCursor cursor) throws StorageException {
    List<String> found = new ArrayList<>();
    try (cursor) {
      while (cursor.next()) {
        found.add(new String(cursor.value().toByteArray(), StandardCharsets.UTF_8));
      }
    }
    return found;
  }

  static List<Key> keys(RecordCursor cursor) throws StorageException {
    List<Key> found = new ArrayList<>();
    try (cursor) {
      while (cursor.next()) {
        found.add(Key.ofSlice(cursor.key()));
      }
    }
    return found;
  }
}
