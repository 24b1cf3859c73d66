package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: what is deleted gives its space back without anybody asking, under every policy and in
 * every kind of index, and what is scanned often is merged. Method: load, delete or scan, let a
 * minute pass in which nothing is written.
 */
class SpaceReturnsTest {
  private static final long MINUTE = 60_000_000_000L;
  private static final int RECORDS = 600;

  private final TestStore store = TestStore.empty(15);

  private static List<IndexStats> indexes(List<PartitionStats> partitions) {
    return partitions.stream().flatMap(partition -> partition.indexes().stream()).toList();
  }

  private static long bytes(List<IndexStats> indexes) {
    return indexes.stream()
        .flatMap(index -> index.components().stream())
        .mapToLong(ComponentStats::bytes)
        .sum();
  }

  /** What a scan would have to walk over. */
  private static long entries(List<IndexStats> indexes) {
    long entries = 0;
    for (IndexStats index : indexes) {
      entries += index.memoryEntries();
      for (ComponentStats component : index.components()) {
        entries += component.entries() + component.antimatter();
      }
    }
    return entries;
  }

  private static KeyValueStore load(StorageEngine engine, String policy) throws StorageException {
    return load(engine, policy, 128 << 10);
  }

  private static KeyValueStore load(StorageEngine engine, String policy, long memoryBytes)
      throws StorageException {
    KeyValueStore pairs =
        engine.createKeyValueStore(
            "pairs",
            KeyValueOptions.DEFAULTS
                .withMemoryBytes(memoryBytes)
                .withMergePolicy(new MergePolicyOptions(policy)));
    List<Integer> keys = new ArrayList<>(IntStream.range(0, RECORDS).boxed().toList());
    Collections.shuffle(keys, new Random(1));
    try (KeyValueSession session = pairs.openSession()) {
      for (int key : keys) {
        TestStore.put(session, key);
      }
    }
    assertTrue(engine.awaitQuiet(60_000));
    pairs.flush();
    assertTrue(engine.awaitQuiet(60_000));
    return pairs;
  }

  private static void delete(KeyValueStore pairs, int from, int to) throws StorageException {
    try (KeyValueSession session = pairs.openSession()) {
      for (int key = from; key < to; key++) {
        session.remove(new Slice(TestStore.bytes("key " + key)));
      }
    }
  }

  private static int count(KeyValueStore pairs) throws StorageException {
    return TestStore.records(pairs.scan(KeyRange.all())).size();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "constant(3)",
        "constant(40)",
        "prefix(1g, 5, 1.2)",
        "prefix(64k, 5)",
        "tiering(5)",
        "tiering(3) limit local",
        "leveling(4)",
        "size-tiered(1.2, 2, 10)",
        "size-bounded(1.2, 2, 10, 64k)",
        "binomial(4)",
        "blsm(4)",
        "partitioned-leveling(4, 64k, 16k, 2)",
        "partitioned-leveling(10, 1m, 64k, 4, best, exact, concurrent)",
        "correlated(tiering(3))",
        "none reclaim 0.5"
      })
  void aStoreThatIsEmptiedShrinksToATwentiethWithinAMinuteOfQuiet(String policy)
      throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = load(engine, policy);
      long loaded = bytes(indexes(pairs.stats().partitions()));
      delete(pairs, 0, RECORDS);
      store.executor.runForNanos(MINUTE);
      List<IndexStats> left = indexes(pairs.stats().partitions());
      assertTrue(bytes(left) * 20 <= loaded, loaded + " bytes loaded, left " + left);
      assertEquals(0, entries(left), left.toString());
      assertEquals(0, count(pairs));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private static final List<String> KINDS =
      List.of("n", "rtree:at", "rtree-deleted-keys:at", "keyword:text", "ngram3:text");

  private static byte[] record(int id) {
    StringBuilder words = new StringBuilder();
    Random random = new Random(id);
    for (int word = 0; word < 20; word++) {
      words.append(Integer.toString(random.nextInt(1000, 30000), 36)).append(' ');
    }
    return TestStore.bytes(
        "{\"id\":%d,\"n\":%d,\"at\":[%d,%d],\"text\":\"%s\"}".formatted(id, id, id, id, words));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prefix(1g, 5, 1.2)",
        "tiering(5)",
        "correlated(tiering(3))",
        "partitioned-leveling(4, 64k, 16k, 2)",
        "none reclaim 0.5"
      })
  void everyKindOfIndexGivesItsSpaceBack(String policy) throws StorageException {
    EngineOptions options =
        TestStore.options().recordLimits(new RecordLimits(32 << 10, 32, 32, 512)).build();
    try (StorageEngine engine = store.open(options)) {
      Dataset mix =
          engine.createDataset(
              DatasetOptions.of("mix", "id")
                  .withIndexes(KINDS.stream().map(IndexDefinition::parse).toList())
                  .withMemoryBytes(1 << 20)
                  .withMergePolicy(new MergePolicyOptions(policy)));
      for (int id = 0; id < 1200; id++) {
        mix.insert(record(id));
      }
      mix.flush();
      assertTrue(engine.awaitQuiet(60_000));
      long loaded = bytes(indexes(mix.stats().partitions()));
      for (int id = 0; id < 1200; id++) {
        mix.delete(Key.of(id));
      }
      store.executor.runForNanos(MINUTE);
      List<IndexStats> left = indexes(mix.stats().partitions());
      assertEquals(0, entries(left), left.toString());
      assertTrue(bytes(left) * 20 <= loaded, loaded + " bytes loaded, left " + left);
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"prefix(1g, 5, 1.2)", "tiering(5)", "partitioned-leveling(4, 64k, 16k, 2)"})
  void whatIsLeftOfAHalfTakesAboutAHalf(String policy) throws StorageException {
    for (int from : new int[] {0, RECORDS / 4, RECORDS / 2}) {
      TestStore other = TestStore.empty(from);
      try (StorageEngine engine = other.open()) {
        KeyValueStore pairs = load(engine, policy);
        long loaded = bytes(indexes(pairs.stats().partitions()));
        delete(pairs, from, from + RECORDS / 2);
        other.executor.runForNanos(MINUTE);
        List<IndexStats> left = indexes(pairs.stats().partitions());
        assertTrue(bytes(left) <= 0.65 * loaded, loaded + " bytes loaded, left " + left);
        assertEquals(RECORDS / 2, count(pairs));
        assertEquals(List.of(), engine.verify().problems());
      }
    }
  }

  @Test
  void aQueueTakesTheSpaceOfWhatIsInItWhileItIsWritten() throws StorageException {
    for (String policy : List.of("prefix(256k, 5)", "tiering(5)", "leveling(4)")) {
      TestStore other = TestStore.empty(3);
      try (StorageEngine engine = other.open()) {
        KeyValueStore pairs = load(engine, policy);
        long loaded = bytes(indexes(pairs.stats().partitions()));
        for (int head = 0; head < 5 * RECORDS; head += 50) {
          try (KeyValueSession session = pairs.openSession()) {
            for (int key = head; key < head + 50; key++) {
              TestStore.put(session, RECORDS + key);
            }
          }
          delete(pairs, head, head + 50);
          assertTrue(engine.awaitQuiet(60_000));
          long now = bytes(indexes(pairs.stats().partitions()));
          assertTrue(now <= 3 * loaded, policy + " takes " + now + ", the queue " + loaded);
        }
      }
    }
  }

  @Test
  void fewDeletionsRewriteNothing() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = load(engine, "tiering(5)");
      long merged = TestStore.index(pairs).mergedBytes();
      delete(pairs, 0, RECORDS / 20);
      store.executor.runForNanos(10 * MINUTE);
      assertEquals(merged, TestStore.index(pairs).mergedBytes());
      assertTrue(TestStore.index(pairs).memoryEntries() > 0, "they stay in memory");
    }
  }

  private static void overwrite(KeyValueStore pairs, int rounds) throws StorageException {
    Random random = new Random(7);
    try (KeyValueSession session = pairs.openSession()) {
      for (int i = 0; i < rounds * RECORDS; i++) {
        TestStore.put(session, random.nextInt(RECORDS));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tiering(5)", "prefix(1g, 5, 1.2)", "constant(40)", "leveling(4)"})
  void aBoundOnSpaceHoldsHoweverOftenPairsAreOverwritten(String policy) throws StorageException {
    for (int rounds = 1; rounds < 6; rounds++) {
      TestStore other = TestStore.empty(rounds);
      try (StorageEngine engine = other.open()) {
        KeyValueStore pairs = load(engine, policy + " space 1.5");
        overwrite(pairs, rounds);
        pairs.flush();
        assertTrue(engine.awaitQuiet(60_000));
        List<IndexStats> left = indexes(pairs.stats().partitions());
        assertTrue(entries(left) <= 1.5 * RECORDS, left.toString());
        other.executor.runForNanos(MINUTE);
        left = indexes(pairs.stats().partitions());
        assertTrue(entries(left) <= 1.2 * RECORDS, left.toString());
        assertEquals(RECORDS, count(pairs));
        assertEquals(List.of(), engine.verify().problems());
      }
    }
  }

  @Test
  void whatIsSupersededIsKnownAfterTheStoreWasOpenedAgain() throws StorageException {
    List<ComponentStats> before;
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = load(engine, "constant(40) space 100");
      overwrite(pairs, 1);
      pairs.flush();
      before = TestStore.index(pairs).components();
      long superseding = before.stream().mapToLong(ComponentStats::superseding).sum();
      long entries = before.stream().mapToLong(ComponentStats::entries).sum();
      assertTrue(superseding > 0.8 * (entries - RECORDS), before.toString());
      assertTrue(superseding < 1.2 * (entries - RECORDS), before.toString());
    }
    try (StorageEngine engine = store.open()) {
      assertEquals(before, TestStore.index(engine.keyValueStore("pairs")).components());
    }
  }

  /** A store that counts what is superseded, and merges nothing for it. */
  private static KeyValueStore counting(StorageEngine engine, int memoryBytes)
      throws StorageException {
    return engine.createKeyValueStore(
        "pairs",
        KeyValueOptions.DEFAULTS
            .withMemoryBytes(memoryBytes)
            .withMergePolicy(new MergePolicyOptions("constant(40) space 100")));
  }

  @Test
  void ofManyKeysASampleSaysHowManyAreSuperseded() throws StorageException {
    EngineOptions options = TestStore.options().build();
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore pairs = counting(engine, 4 << 20);
      for (int key = 0; key < 4000; key++) {
        pairs.put(TestStore.bytes("key " + key), new byte[] {1});
      }
      pairs.flush();
      // A quarter of the second component is old keys, half of the third, and it has antimatter.
      for (int key = 3000; key < 7000; key++) {
        pairs.put(TestStore.bytes("key " + key), new byte[] {2});
      }
      pairs.flush();
      for (int key = 5000; key < 9000; key++) {
        pairs.put(TestStore.bytes("key " + key), new byte[] {3});
      }
      delete(pairs, 0, 1000);
      pairs.flush();
      List<ComponentStats> components = TestStore.index(pairs).components();
      assertEquals(
          List.of(0L, 0L, 1000L), components.stream().map(ComponentStats::antimatter).toList());
      assertEquals(0, components.get(0).superseding());
      assertTrue(Math.abs(components.get(1).superseding() - 1000) < 250, components.toString());
      assertTrue(Math.abs(components.get(2).superseding() - 2000) < 350, components.toString());
    }
  }

  /** A flush that read all of a large filter from the device would hold writers up. */
  @Test
  void theSampleLiesInFewPagesOfAFilter() throws StorageException {
    EngineOptions options =
        TestStore.options().cacheBytes(256 << 10).logRetentionBytes(1 << 30).build();
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore pairs = counting(engine, 32 << 20);
      int keys = 200_000; // more than 100 pages of filter
      for (int key = 0; key < keys; key++) {
        pairs.put(TestStore.bytes("key " + key), new byte[] {1});
      }
      pairs.flush();
      assertEquals(keys, count(pairs));
      for (int key = keys - 10_000; key < keys + 10_000; key++) {
        pairs.put(TestStore.bytes("key " + key), new byte[] {2});
      }
      long read = engine.stats().cache().misses();
      pairs.flush();
      assertTrue(engine.stats().cache().misses() - read < 20, engine.stats().cache().toString());
      List<ComponentStats> components = TestStore.index(pairs).components();
      assertTrue(Math.abs(components.get(1).superseding() - 10_000) < 1_500, "" + components);
    }
  }

  @Test
  void aBoundOnSpaceCostsNothingWhereNothingIsOverwritten() throws StorageException {
    List<Long> merged = new ArrayList<>();
    for (String policy : List.of("tiering(5)", "tiering(5) space 1.5")) {
      TestStore other = TestStore.empty(4);
      try (StorageEngine engine = other.open()) {
        KeyValueStore pairs = load(engine, policy);
        for (int key = RECORDS; key < 4 * RECORDS; key++) {
          pairs.put(TestStore.bytes("key " + key), new byte[300]);
        }
        other.executor.runForNanos(MINUTE);
        merged.add(TestStore.index(pairs).mergedBytes());
      }
    }
    assertTrue(merged.get(0) > 0);
    assertEquals(merged.get(0), merged.get(1));
  }

  @Test
  void whoReclaimsNothingKeepsIt() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = load(engine, "constant(40) reclaim none");
      long merged = TestStore.index(pairs).mergedBytes();
      delete(pairs, 0, RECORDS);
      pairs.flush();
      store.executor.runForNanos(10 * MINUTE);
      assertEquals(merged, TestStore.index(pairs).mergedBytes());
    }
  }

  private static int components(KeyValueStore pairs) throws StorageException {
    return TestStore.index(pairs).components().size();
  }

  private static void scan(KeyValueStore pairs, int times) throws StorageException {
    for (int i = 0; i < times; i++) {
      KeyRange one = KeyRange.exactly(TestStore.bytes("key " + i % RECORDS));
      assertEquals(1, TestStore.records(pairs.scan(one)).size());
    }
  }

  /** Three components of 200 entries, each with a third of all parts of the keys. */
  private static KeyValueStore loadInThree(StorageEngine engine, String policy)
      throws StorageException {
    KeyValueStore pairs =
        engine.createKeyValueStore(
            "pairs", KeyValueOptions.DEFAULTS.withMergePolicy(new MergePolicyOptions(policy)));
    for (int component = 0; component < 3; component++) {
      for (int key = component; key < RECORDS; key += 3) {
        pairs.put(TestStore.bytes("key " + key), new byte[100]);
      }
      pairs.flush();
    }
    assertEquals(3, components(pairs));
    return pairs;
  }

  /** How many scans pay for a merge of the three. */
  private static int paid(KeyValueStore pairs) throws StorageException {
    long bytes = bytes(indexes(pairs.stats().partitions()));
    return (int) -Math.floorDiv(-bytes, 2 * 400);
  }

  @Test
  void scansMergeWhatTheyScanOnceTheyHavePaidForIt() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = loadInThree(engine, "constant(40)");
      for (int i = 0; i < 1000; i++) {
        assertTrue(pairs.get(TestStore.bytes("key " + i % RECORDS)).isPresent());
      }
      int paid = paid(pairs);
      scan(pairs, paid - 1);
      store.executor.runForNanos(MINUTE);
      assertEquals(3, components(pairs));
      scan(pairs, 1);
      store.executor.runForNanos(MINUTE);
      assertEquals(1, components(pairs));
      long merged = TestStore.index(pairs).mergedBytes();
      scan(pairs, 1000);
      store.executor.runForNanos(MINUTE);
      assertEquals(merged, TestStore.index(pairs).mergedBytes());
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void scansOfKeysThatGrowPayForNothing() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "pairs",
              KeyValueOptions.DEFAULTS.withMergePolicy(new MergePolicyOptions("constant(40)")));
      for (int key = 0; key < RECORDS; key++) {
        pairs.put(TestStore.bytes("key %03d".formatted(key)), new byte[100]);
        if (key % 200 == 199) {
          pairs.flush();
        }
      }
      for (int i = 0; i < 2 * paid(pairs); i++) {
        assertEquals(RECORDS, TestStore.records(pairs.scan(KeyRange.all())).size());
      }
      store.executor.runForNanos(MINUTE);
      assertEquals(3, components(pairs));
    }
  }

  @Test
  void scansOfWhatAFlushHasAddedToAreForgotten() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = loadInThree(engine, "constant(40)");
      int paid = paid(pairs);
      scan(pairs, paid - 1);
      pairs.put(TestStore.bytes("key 0"), new byte[100]);
      pairs.flush();
      scan(pairs, paid / 3);
      store.executor.runForNanos(MINUTE);
      assertEquals(4, components(pairs));
    }
  }

  @Test
  void scansOfAStoreThatReclaimsNothingMergeNothing() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = loadInThree(engine, "constant(40) reclaim none");
      scan(pairs, 5 * RECORDS);
      store.executor.runForNanos(MINUTE);
      assertEquals(3, components(pairs));
    }
  }

  @Test
  void aStoreThatIsWrittenIsNotTakenForQuiet() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = load(engine, "constant(40)", 1 << 20);
      long flushes = TestStore.index(pairs).flushes();
      for (int key = 0; key < 100; key++) {
        delete(pairs, key, key + 1);
        store.executor.runForNanos(MINUTE / 6);
      }
      assertEquals(flushes, TestStore.index(pairs).flushes());
      store.executor.runForNanos(MINUTE);
      assertEquals(flushes + 1, TestStore.index(pairs).flushes());
    }
  }
}
