package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.SimulatedCrash;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.ProcessLimits;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.TimeToLive;
import dev.varve.hyracks.operator.ClusterRouting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Goal: a cluster that is given more nodes has each record once, where its key belongs, with its
 * entries in all indexes, wherever the rebalancing was cut short, and is not started in between.
 * Method: the stores of a cluster on a simulated disk, whose power fails after so many operations;
 * what is left is refused as a cluster, rebalanced again, and counted.
 */
final class ClusterRebalanceTest {
  private static final Path DIRECTORY = Path.of("/cluster");
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 200;
  private static final int CRASH_POINTS = 24;
  private static final String POSITIONS = "varve/feeds";
  private static final byte[] POSITION = {1};

  private long nextSeed = 1;

  private EngineSeams seams(MemoryFileSystem files) {
    ManualClock clock = new ManualClock();
    long seed = nextSeed++;
    return new EngineSeams(
            files, clock, new SteppedExecutor(clock, seed), new SplittableRandom(seed))
        .withLimits(ProcessLimits.NONE);
  }

  private static ClusterOptions options(int nodes) {
    EngineOptions engine =
        EngineOptions.builder(DIRECTORY)
            .cacheBytes(1 << 20)
            .logSegmentBytes(1 << 17)
            .recordLimits(new RecordLimits(32 << 10, 32, 32, 256))
            .build();
    return new ClusterOptions(DIRECTORY, new ClusterShape(nodes, PARTITIONS), engine);
  }

  private static byte[] record(int id) {
    return "{\"id\":%d,\"kind\":%d}".formatted(id, id % 7).getBytes(StandardCharsets.UTF_8);
  }

  /** A cluster of two nodes with records and the position of a feed. */
  private MemoryFileSystem filled() throws StorageException {
    return filled(dataset());
  }

  private MemoryFileSystem filled(DatasetOptions dataset) throws StorageException {
    MemoryFileSystem files = new MemoryFileSystem();
    int made =
        withEngines(
            files,
            2,
            engines -> {
              ClusterRouting routing = new ClusterRouting(2, PARTITIONS);
              for (StorageEngine engine : engines) {
                engine.openDataset(dataset);
                engine
                    .openKeyValueStore(POSITIONS, KeyValueOptions.DEFAULTS)
                    .put(POSITION, POSITION);
              }
              for (int id = 0; id < RECORDS; id++) {
                int partition = routing.partition(Key.of((long) id).toSlice());
                engines.get(routing.nodeOf(partition)).dataset("d").upsert(record(id));
              }
              return engines.size();
            });
    assertEquals(2, made);
    return files;
  }

  private static DatasetOptions dataset() {
    return DatasetOptions.of("d", "id")
        .withIndexes(List.of(IndexDefinition.on("kind")))
        .withPartitions(PARTITIONS);
  }

  @FunctionalInterface
  private interface EngineUse {
    int of(List<StorageEngine> engines) throws StorageException;
  }

  private int withEngines(MemoryFileSystem files, int nodes, EngineUse use)
      throws StorageException {
    ClusterOptions options = options(nodes);
    return Cluster.withApplications(
        options,
        seams(files),
        (seams, applications) ->
            use.of(
                Cluster.openStorages(options, seams, applications).stream()
                    .map(storage -> storage.engine())
                    .toList()));
  }

  private ClusterProcesses.Rebalanced rebalance(MemoryFileSystem files, int nodes)
      throws StorageException {
    return new ClusterRebalance(options(nodes), seams(files)).run();
  }

  /** Every record is on its node and found by its index, no other is there, and all is clean. */
  private void check(MemoryFileSystem files, int nodes) throws StorageException {
    ClusterRouting routing = new ClusterRouting(nodes, PARTITIONS);
    int found =
        withEngines(
            files,
            nodes,
            engines -> {
              int records = 0;
              for (StorageEngine engine : engines) {
                assertEquals(List.of(), engine.verify().problems());
                Dataset dataset = engine.dataset("d");
                records += (int) dataset.count(KeyRange.all());
                assertEquals(
                    dataset.count(KeyRange.all()), dataset.countBy("kind", KeyRange.all()));
                assertTrue(
                    !engine.names().contains(POSITIONS)
                        || engine.keyValueStore(POSITIONS).get(POSITION).isEmpty());
              }
              for (int id = 0; id < RECORDS; id++) {
                Key key = Key.of((long) id);
                int node = routing.nodeOf(routing.partition(key.toSlice()));
                assertTrue(engines.get(node).dataset("d").get(key).isPresent(), "record " + id);
              }
              return records;
            });
    assertEquals(RECORDS, found);
  }

  @Test
  void recordsAreWhereTheirKeysBelongAmongMoreNodes() throws StorageException {
    MemoryFileSystem files = filled();
    ClusterProcesses.Rebalanced done = rebalance(files, 3);
    assertEquals(Map.of("d", (long) RECORDS), done.records());
    assertTrue(done.moved() > 0 && done.moved() < RECORDS, done.moved() + " moved");
    check(files, 3);
    assertEquals(0, rebalance(files, 3).moved());
    assertTrue(rebalance(files, 5).moved() > 0);
    check(files, 5);
  }

  @Test
  void whatIsNoClusterOrWouldShrinkIsRefused() throws StorageException {
    ConflictException none =
        assertThrows(ConflictException.class, () -> rebalance(new MemoryFileSystem(), 3));
    assertEquals(ConflictException.Reason.NO_STORE, none.reason());
    MemoryFileSystem files = filled();
    assertThrows(RequestException.class, () -> rebalance(files, 1));
    assertEquals(0, rebalance(files, 2).moved());
  }

  @Test
  void anRTreeOfHyracksOperatorsStaysOnItsNode() throws StorageException {
    try (StorageEngine engine =
        StorageEngine.open(options(1).engineOf(0), seams(new MemoryFileSystem()))) {
      engine.createDataset(DatasetOptions.of("hyracks/tree", "t"));
      assertThrows(RequestException.class, () -> ClusterRebalance.requireMovable(engine));
    }
  }

  /** What a power loss leaves in the middle of a rebalancing to three nodes. */
  private MemoryFileSystem cut(MemoryFileSystem filled, long operations) {
    MemoryFileSystem files = filled.crash(new SplittableRandom(operations));
    files.crashAt(files.operationCount() + operations);
    assertThrows(SimulatedCrash.class, () -> rebalance(files, 3));
    return files.crash(new SplittableRandom(operations));
  }

  private long operationsOf(MemoryFileSystem filled) throws StorageException {
    MemoryFileSystem files = filled.crash(new SplittableRandom(1));
    long before = files.operationCount();
    rebalance(files, 3);
    return files.operationCount() - before;
  }

  @Test
  void cutShortAnywhereItGoesOnAndNobodyStartsTheClusterBefore() throws StorageException {
    MemoryFileSystem filled = filled();
    long all = operationsOf(filled);
    List<Integer> begun = new ArrayList<>();
    for (int point = 0; point < CRASH_POINTS; point++) {
      long operations = 1 + (all - 2) * point / CRASH_POINTS;
      MemoryFileSystem left = cut(filled, operations);
      ClusterRecord written = ClusterRecord.read(left, DIRECTORY).orElseThrow();
      if (written.rebalance().isPresent()) {
        begun.add(point);
        for (int nodes : List.of(2, 3)) {
          ConflictException early =
              assertThrows(ConflictException.class, () -> withEngines(left, nodes, List::size));
          assertEquals(ConflictException.Reason.OPTIONS_MISMATCH, early.reason());
        }
        assertThrows(ConflictException.class, () -> rebalance(left, 4));
      }
      assertEquals(Map.of("d", (long) RECORDS), rebalance(left, 3).records(), "at " + operations);
      check(left, 3);
    }
    assertTrue(begun.size() > CRASH_POINTS / 2, begun + " of " + all + " operations");
  }

  @Test
  void recordsThatAreLostOnTheWayAreNoticed() throws StorageException {
    MemoryFileSystem filled = filled();
    MemoryFileSystem left = cut(filled, operationsOf(filled) / 2);
    ClusterRecord written = ClusterRecord.read(left, DIRECTORY).orElseThrow();
    written.toward(3, new TreeMap<>(Map.of("d", RECORDS + 1L))).write(left, DIRECTORY);
    CorruptionException lost = assertThrows(CorruptionException.class, () -> rebalance(left, 3));
    assertTrue(String.valueOf(lost.getMessage()).contains("{d=" + (RECORDS + 1) + "}"));
    assertTrue(ClusterRecord.read(left, DIRECTORY).orElseThrow().rebalance().isPresent());
  }

  @Test
  void recordsThatEndOnTheWayAreNotLost() throws StorageException {
    DatasetOptions ending =
        dataset().withTimeToLive(Optional.of(TimeToLive.sinceWrite(Duration.ofDays(1))));
    MemoryFileSystem filled = filled(ending);
    MemoryFileSystem left = cut(filled, operationsOf(filled) / 2);
    ClusterRecord written = ClusterRecord.read(left, DIRECTORY).orElseThrow();
    written.toward(3, new TreeMap<>(Map.of("d", RECORDS - 1L))).write(left, DIRECTORY);
    assertThrows(CorruptionException.class, () -> rebalance(left, 3));
    written.toward(3, new TreeMap<>(Map.of("d", RECORDS + 1L))).write(left, DIRECTORY);
    assertEquals(Map.of("d", (long) RECORDS), rebalance(left, 3).records());
  }
}
