package dev.varve.examples.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.ProcessLimits;
import dev.varve.dataset.RecordTransaction;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: the tutorial's kind is in a dataset beside the built-in ones, in its transactions, and
 * after a crash at any moment as whole as they are. Method: seeded changes; the power fails in
 * every call that changes the disk, and what is left is opened and asked by every index.
 */
final class HashDatasetTest {
  private static final Path ROOT = Path.of("/node");
  private static final String HASH = "hash:colour";
  private static final int COLOURS = 4;
  private static final int IDS = 10;
  private static final int STEPS = 24;

  @Test
  void everyCrashLeavesAPrefixOfTheCommitsInEveryIndex() throws Exception {
    Seeds.run(2, seed -> new Run(seed).run());
  }

  private static final class Run {
    private final long seed;
    private final RandomGenerator random;
    private final RandomGenerator crashes;
    private final MemoryFileSystem disk = new MemoryFileSystem();
    private boolean created;
    private int checked;

    /** Colours by id: as they were acknowledged, then as a commit that is under way leaves them. */
    private List<Map<Long, String>> possible = List.of(Map.of());

    Run(long seed) {
      this.seed = seed;
      this.random = Seeds.random(seed);
      this.crashes = Seeds.random(~seed);
    }

    void run() throws StorageException {
      disk.onOperation(operation -> checkCrash(String.valueOf(operation)));
      try (StorageEngine engine = open(disk, seed)) {
        Dataset dataset =
            engine.createDataset(
                DatasetOptions.of("d", "id")
                    .withIndexes(
                        List.of(IndexDefinition.parse(HASH), IndexDefinition.on("colour"))));
        created = true;
        for (int i = 0; i < STEPS; i++) {
          step(dataset);
        }
        check(dataset, possible.get(0));
        disk.onOperation(null);
      }
      assertTrue(checked > 100, checked + " crash points");
    }

    private void step(Dataset dataset) throws StorageException {
      switch (random.nextInt(6)) {
        case 0 -> dataset.flush();
        case 1 -> dataset.compact();
        default -> transaction(dataset);
      }
    }

    private void transaction(Dataset dataset) throws StorageException {
      Map<Long, String> after = new TreeMap<>(possible.get(0));
      try (RecordTransaction transaction = dataset.partition(0).beginTransaction()) {
        for (int i = random.nextInt(4); i >= 0; i--) {
          long id = random.nextInt(IDS);
          if (random.nextInt(4) == 0) {
            transaction.delete(Key.of(id));
            after.remove(id);
          } else {
            String colour = "c" + random.nextInt(COLOURS);
            String json = "{\"id\":" + id + ",\"colour\":\"" + colour + "\"}";
            transaction.upsert(new Slice(json.getBytes(StandardCharsets.UTF_8)));
            after.put(id, colour);
          }
        }
        if (random.nextInt(4) > 0) {
          possible = List.of(possible.get(0), after);
          transaction.commit();
          possible = List.of(after);
        }
      }
    }

    private void checkCrash(String operation) {
      checked++;
      try (StorageEngine engine = open(disk.crash(crashes), seed)) {
        if (engine.names().isEmpty()) {
          assertTrue(!created, "the dataset is gone");
          return;
        }
        Dataset left = engine.dataset("d");
        Map<Long, String> records = records(left);
        assertTrue(possible.contains(records), records + " is none of " + possible);
        check(left, records);
      } catch (StorageException | AssertionError e) {
        throw new AssertionError("seed " + seed + ", crash in " + operation, e);
      }
    }
  }

  private static StorageEngine open(MemoryFileSystem disk, long seed) throws StorageException {
    ManualClock clock = new ManualClock();
    EngineOptions options =
        EngineOptions.builder(ROOT)
            .pageBytes(4096)
            .cacheBytes(1 << 20)
            .logSegmentBytes(128 << 10)
            .activeDatasetBytes(64 << 20)
            .recordLimits(new RecordLimits(1 << 16, 64, 64, 256))
            .build();
    return StorageEngine.open(
        options,
        new EngineSeams(disk, clock, new SteppedExecutor(clock, seed), Seeds.random(seed))
            .withLimits(ProcessLimits.NONE));
  }

  private static Map<Long, String> records(Dataset dataset) throws StorageException {
    Map<Long, String> records = new TreeMap<>();
    try (RecordCursor cursor = dataset.scan(ValueRange.all())) {
      while (cursor.next()) {
        String json = new String(cursor.value().toByteArray(), StandardCharsets.UTF_8);
        String[] parts = json.split("[:,\"}]+", -1);
        records.put(Long.parseLong(parts[2]), parts[4]);
      }
    }
    return records;
  }

  private static void check(Dataset dataset, Map<Long, String> records) throws StorageException {
    for (int i = 0; i < COLOURS; i++) {
      Key colour = Key.of("c" + i);
      Set<Key> ids = new TreeSet<>();
      records.forEach(
          (id, of) -> {
            if (Key.of(of).equals(colour)) {
              ids.add(Key.of(id));
            }
          });
      assertEquals(List.copyOf(ids), keys(dataset.search(HASH, new HashSearch(colour))));
      assertEquals(List.copyOf(ids), keys(dataset.search("colour", ValueRange.exactly(colour))));
    }
    assertEquals(List.of(), dataset.verify().problems());
  }

  private static List<Key> keys(RecordCursor cursor) throws StorageException {
    List<Key> keys = new ArrayList<>();
    try (cursor) {
      while (cursor.next()) {
        keys.add(Key.ofSlice(cursor.key()));
      }
    }
    return keys;
  }
}
