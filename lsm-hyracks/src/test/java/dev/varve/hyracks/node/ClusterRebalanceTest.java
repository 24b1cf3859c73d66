package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFile;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
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
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.dataset.options.TimeToLive;
import dev.varve.hyracks.feed.FeedLedger;
import dev.varve.hyracks.feed.FeedName;
import dev.varve.hyracks.feed.FeedPosition;
import dev.varve.hyracks.feed.FeedReject;
import dev.varve.hyracks.feed.RefusalReason;
import dev.varve.rtree.query.RegionQuery;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Goal: a cluster that is given more nodes has each record once, where its key belongs, with its
 * entries in all indexes, wherever the rebalancing was cut short, and is not started in between;
 * what does not move is not read. Method: the stores of a cluster on a simulated disk, with every
 * kind of index and each way of keeping them, whose power fails after so many operations; what is
 * left is refused as a cluster, rebalanced again, and compared with what it was.
 */
final class ClusterRebalanceTest {
  private static final Path DIRECTORY = Path.of("/cluster");
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 120;
  private static final int CRASH_POINTS = 30;
  private static final FeedName FEED = new FeedName("eager", "morning");

  /** Directories of the two stores that keep the positions of feeds. */
  private static final Pattern KEY_VALUES = Pattern.compile("/d[78]/");

  private static final int PAGE_BYTES = 8 << 10;

  private long nextSeed = 1;

  private EngineSeams seams(FileSystem files) {
    ManualClock clock = new ManualClock();
    long seed = nextSeed++;
    return new EngineSeams(
            files, clock, new SteppedExecutor(clock, seed), new SplittableRandom(seed))
        .withLimits(ProcessLimits.NONE);
  }

  private static ClusterOptions options(ClusterShape shape) {
    EngineOptions engine =
        EngineOptions.builder(DIRECTORY)
            .cacheBytes(1 << 20)
            .logSegmentBytes(1 << 17)
            .recordLimits(new RecordLimits(32 << 10, 32, 32, 256))
            .build();
    return new ClusterOptions(DIRECTORY, shape, engine);
  }

  private static ClusterShape shape(MemoryFileSystem files) throws StorageException {
    return ClusterDirectory.read(files, DIRECTORY).shape().orElse(new ClusterShape(2, PARTITIONS));
  }

  private static DatasetOptions everyKind(String name) {
    return DatasetOptions.of(name, "id")
        .withIndexes(
            List.of(
                IndexDefinition.on("kind"),
                IndexDefinition.parse("rtree:spot"),
                IndexDefinition.parse("keyword:text"),
                IndexDefinition.parse("ngram3:text")))
        .withMergePolicy(MergePolicyOptions.none())
        .withPartitions(PARTITIONS);
  }

  /** A dataset for each way that indexes are kept. */
  private static List<DatasetOptions> datasets() {
    return List.of(
        everyKind("eager"),
        everyKind("lazy")
            .withPrimaryKeyIndex()
            .withMaintenance(IndexMaintenance.VALIDATION)
            .withFilterField(Optional.of(FieldPath.parse("id"))),
        everyKind("switched").withPrimaryKeyIndex().withMaintenance(IndexMaintenance.VALIDATION),
        everyKind("mortal")
            .withPrimaryKeyIndex()
            .withTimeToLive(Optional.of(TimeToLive.sinceWrite(Duration.ofDays(1)))),
        DatasetOptions.of("cut", "id")
            .withIndexes(List.of(IndexDefinition.on("kind")))
            .withMergePolicy(
                new MergePolicyOptions("partitioned-leveling(2, 16k, 4k, 2, concurrent)"))
            .withPartitions(PARTITIONS));
  }

  private static byte[] record(int id, int version) {
    return ("{\"id\":%d,\"kind\":%d,\"spot\":[%d,%d],\"text\":\"red%d blue green\","
            + "\"filler\":\"%s\"}")
        .formatted(
            id,
            (id + version) % 7,
            id % 50,
            version,
            id % 5,
            "x".repeat(id % 40 == 7 ? 20_000 : 40)) // longer than a page, too
        .getBytes(StandardCharsets.UTF_8);
  }

  /** A cluster of two nodes with components, deletions, repairs, and positions of a feed. */
  private MemoryFileSystem filled() throws StorageException {
    MemoryFileSystem files = new MemoryFileSystem();
    withEngines(
        files,
        engines -> {
          for (StorageEngine engine : engines) {
            // So that datasets and indexes have other numbers than on the new nodes.
            engine.createDataset(everyKind("gone"));
            engine.drop("gone");
            for (DatasetOptions dataset : datasets()) {
              engine.openDataset(dataset);
            }
          }
          for (DatasetOptions dataset : datasets()) {
            fill(engines, dataset.name());
          }
          for (StorageEngine engine : engines) {
            engine.dataset("switched").setMaintenance(IndexMaintenance.EAGER);
          }
          PartitionTable table = PartitionTable.of(2, PARTITIONS);
          for (int partition = 0; partition < table.partitions(); partition++) {
            FeedLedger ledger =
                FeedLedger.open(engines.get(table.nodeOf(partition)), FEED, partition);
            FeedLedger.Input input = ledger.input("a.csv");
            input.pass(100L + partition, 1000L + partition);
            input.countStored();
            ledger.refuse(
                input,
                new FeedReject("a.csv", 7, RefusalReason.MALFORMED_RECORD, "no", "p" + partition));
            ledger.commit(1);
          }
          return engines.size();
        });
    return files;
  }

  private static void fill(List<StorageEngine> engines, String name) throws StorageException {
    List<Dataset> nodes = new ArrayList<>();
    for (StorageEngine engine : engines) {
      nodes.add(engine.dataset(name));
    }
    for (int version = 0; version < 3; version++) {
      for (int id = version; id < RECORDS; id += 1 + version) {
        upsert(nodes, id, version);
      }
      for (Dataset node : nodes) {
        node.flush();
      }
    }
    for (Dataset node : nodes) {
      node.deleteRange(ValueRange.closedOpen(Key.of(30L), Key.of(36L)));
      node.flush();
      node.repairIndexes();
    }
    for (int id = 0; id < RECORDS; id += 11) {
      int node = nodes.get(0).nodeOf(Key.of((long) id).toSlice());
      nodes.get(node).delete(Key.of((long) id));
    }
  }

  private static void upsert(List<Dataset> nodes, int id, int version) throws StorageException {
    int node = nodes.get(0).nodeOf(Key.of((long) id).toSlice());
    nodes.get(node).upsert(record(id, version));
  }

  @FunctionalInterface
  private interface EngineUse<T> {
    T of(List<StorageEngine> engines) throws StorageException;
  }

  /** Opens the engines of the cluster as its documents have it. */
  private <T> T withEngines(MemoryFileSystem files, EngineUse<T> use) throws StorageException {
    ClusterOptions options = options(shape(files));
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
    ClusterShape before = ClusterDirectory.read(files, DIRECTORY).required().shape();
    return new ClusterRebalance(options(before), seams(files), nodes).run();
  }

  /** What is found, by dataset and way to it; each node is clean and holds what belongs to it. */
  private Map<String, Object> contents(MemoryFileSystem files) throws StorageException {
    return withEngines(
        files,
        engines -> {
          Map<String, Object> found = new TreeMap<>();
          for (StorageEngine engine : engines) {
            assertEquals(List.of(), engine.verify().problems());
            for (String name : engine.names()) {
              if (engine.store(name) instanceof Dataset dataset) {
                add(dataset, found);
              }
            }
            for (FeedPosition position : FeedLedger.read(engine, FEED)) {
              assertEquals(
                  engine.place().node(), shape(files).table().nodeOf(position.partition()));
              found.merge("feed", Set.of(position), ClusterRebalanceTest::union);
            }
            for (FeedReject reject : FeedLedger.rejects(engine, FEED)) {
              found.merge("rejects", Set.of(reject), ClusterRebalanceTest::union);
            }
          }
          return found;
        });
  }

  private static Object union(Object one, Object other) {
    Set<Object> all = new HashSet<>((Set<?>) one);
    for (Object each : (Set<?>) other) {
      assertTrue(all.add(each), () -> "twice: " + each);
    }
    return all;
  }

  private static void add(Dataset dataset, Map<String, Object> found) throws StorageException {
    Set<Object> records = new TreeSet<>();
    try (RecordCursor cursor = dataset.scan(KeyRange.all())) {
      while (cursor.next()) {
        records.add(new String(cursor.value().toByteArray(), StandardCharsets.UTF_8));
        assertTrue(dataset.get(Key.ofSlice(cursor.key())).isPresent());
      }
    }
    found.merge(dataset.name(), records, ClusterRebalanceTest::union);
    Map<String, Long> counts = new HashMap<>();
    for (IndexDefinition index : dataset.options().indexes()) {
      String name = index.name();
      if (name.startsWith("rtree")) {
        counts.put(name, dataset.countBy(name, new SpatialSearch(RegionQuery.within(20, 10, 1))));
      } else if (name.startsWith("keyword")) {
        counts.put(name, dataset.countBy(name, TextSearch.anyWord("red1")));
      } else if (name.startsWith("ngram")) {
        counts.put(name, dataset.countBy(name, TextSearch.containing("red3")));
      } else if (name.equals("kind")) {
        counts.put(name, dataset.countBy(name, KeyRange.all()));
      }
    }
    counts.forEach(
        (index, count) ->
            found.merge(
                dataset.name() + "." + index, count, (one, two) -> (long) one + (long) two));
  }

  @Test
  void partitionsAreWholeOnTheirNewNodesAndTakeWritesThere() throws StorageException {
    MemoryFileSystem files = filled();
    Map<String, Object> before = contents(files);
    assertTrue(((Set<?>) before.get("eager")).size() > RECORDS / 2, before::toString);
    assertNotEquals(0L, before.get("lazy.kind"));
    for (int nodes : List.of(3, 4)) {
      ClusterProcesses.Rebalanced done = rebalance(files, nodes);
      assertEquals(1, done.partitions());
      assertTrue(done.components() > 20 && done.bytes() > 20 << 10, done::toString);
      assertEquals(nodes, shape(files).nodes());
      Map<Path, Long> repairs = new TreeMap<>();
      addSizes(files, Cluster.engineDirectory(DIRECTORY, nodes - 1), ".repair", repairs);
      assertTrue(repairs.size() > 1, repairs::toString);
      assertEquals(before, contents(files));
      assertEquals(0, rebalance(files, nodes).partitions());
    }
    int upserted =
        withEngines(
            files,
            engines -> {
              for (DatasetOptions dataset : datasets()) {
                fill(engines, dataset.name());
              }
              return engines.size();
            });
    assertEquals(4, upserted);
    // A crash, too: what is written into a moved partition is redone from its new node's log.
    MemoryFileSystem after = files.crash(new SplittableRandom(7));
    assertEquals(before.keySet(), contents(after).keySet());
    assertEquals(before.get("eager"), contents(after).get("eager"));
    assertEquals(before.get("lazy"), contents(after).get("lazy"));
    assertEquals(before.get("lazy.kind"), contents(after).get("lazy.kind"));
  }

  @Test
  void whatIsNoClusterOrWouldShrinkOrHasTooFewPartitionsIsRefused() throws StorageException {
    ConflictException none =
        assertThrows(ConflictException.class, () -> rebalance(new MemoryFileSystem(), 3));
    assertEquals(ConflictException.Reason.NO_STORE, none.reason());
    MemoryFileSystem files = filled();
    for (int nodes : List.of(1, 5)) {
      RequestException refused =
          assertThrows(RequestException.class, () -> rebalance(files, nodes));
      assertEquals(RequestException.Reason.UNSUPPORTED, refused.reason());
    }
    assertEquals(0, rebalance(files, 2).partitions());
  }

  @Test
  void anRTreeOfHyracksOperatorsStaysOnItsNode() throws StorageException {
    try (StorageEngine engine =
        StorageEngine.open(
            options(new ClusterShape(1, 1)).engineOf(0), seams(new MemoryFileSystem()))) {
      engine.createDataset(DatasetOptions.of("hyracks/tree", "t"));
      assertThrows(RequestException.class, () -> ClusterRebalance.requireMovable(List.of(engine)));
    }
  }

  /** Says which bytes of which files are read. */
  private record WatchedFiles(FileSystem files, ReadWatch watch) implements ForwardingFileSystem {
    @Override
    public StorageFile opened(StorageFile file) {
      return new WatchedFile(file, watch);
    }
  }

  private record WatchedFile(StorageFile file, ReadWatch watch) implements ForwardingFile {
    @Override
    public int read(long position, byte[] target, int offset, int length) throws DiskException {
      int read = file.read(position, target, offset, length);
      watch.read(path(), position, read);
      return read;
    }
  }

  @FunctionalInterface
  private interface ReadWatch {
    void read(Path path, long position, int length);
  }

  /** What is between the first and the last page is read of what moves, once, and of no other. */
  @Test
  void whatDoesNotMoveIsNotRead() throws StorageException {
    MemoryFileSystem files = filled();
    contents(files);
    PartitionTable before = shape(files).table();
    int moving = before.spread(3).homes().indexOf(2 * PARTITIONS);
    Map<Path, Long> sizes = new TreeMap<>();
    for (int node = 0; node < 2; node++) {
      addSizes(
          files, Cluster.engineDirectory(DIRECTORY, node).resolve("store/data"), ".lsm", sizes);
    }
    Map<Path, Long> inner = new TreeMap<>();
    WatchedFiles watched =
        new WatchedFiles(
            files,
            (path, position, length) -> {
              long size = sizes.getOrDefault(path, 0L);
              long from = Math.max(position, PAGE_BYTES);
              long to = Math.min(position + length, size - PAGE_BYTES);
              inner.merge(path, Math.max(0, to - from), Long::sum);
            });
    ClusterProcesses.Rebalanced done =
        new ClusterRebalance(options(shape(files)), seams(watched), 3).run();
    Path moved = Path.of("node-" + before.nodeOf(moving));
    Path partition = Path.of("p" + before.localOf(moving));
    int components = 0;
    long bytes = 0;
    for (Map.Entry<Path, Long> component : sizes.entrySet()) {
      Path path = component.getKey();
      boolean moves = path.getName(1).equals(moved) && path.getName(6).equals(partition);
      long expected = moves ? component.getValue() - 2 * PAGE_BYTES : 0;
      assertEquals(expected, inner.getOrDefault(path, 0L), path::toString);
      components += moves ? 1 : 0;
      bytes += moves ? component.getValue() : 0;
    }
    assertEquals(new ClusterProcesses.Rebalanced(3, 1, components, bytes), done);
    assertTrue(components < sizes.size() / 2, sizes::toString);
  }

  /** Sizes of files of datasets, which are divided, by their paths. */
  private static void addSizes(
      MemoryFileSystem files, Path directory, String ending, Map<Path, Long> sizes)
      throws StorageException {
    for (Path path : files.list(directory)) {
      if (files.isDirectory(path)) {
        addSizes(files, path, ending, sizes);
      } else if (path.toString().endsWith(ending) && !KEY_VALUES.matcher(path.toString()).find()) {
        sizes.put(path, files.size(path));
      }
    }
  }

  @Test
  void aDamagedPageStopsItBeforeAnythingCountsElsewhere() throws StorageException {
    MemoryFileSystem files = filled();
    Map<String, Object> before = contents(files);
    PartitionTable table = shape(files).table();
    int moving = table.spread(3).homes().indexOf(2 * PARTITIONS);
    Path partition =
        Cluster.engineDirectory(DIRECTORY, table.nodeOf(moving))
            .resolve("store/data/d2/p" + table.localOf(moving));
    Path index = files.list(partition).get(0);
    Path component =
        files.list(index).stream()
            .filter(path -> path.toString().endsWith(".lsm"))
            .findFirst()
            .orElseThrow();
    files.damage(component, 8200, 1);
    CorruptionException damaged =
        assertThrows(CorruptionException.class, () -> rebalance(files, 3));
    assertTrue(String.valueOf(damaged.getMessage()).contains(component.toString()));
    files.damage(component, 8200, 1);
    assertEquals(1, rebalance(files, 3).partitions());
    assertEquals(before, contents(files));
  }

  private static Optional<ClusterRecord.Rebalance> begun(MemoryFileSystem files)
      throws StorageException {
    return ClusterRecord.read(files, DIRECTORY).orElseThrow().rebalance();
  }

  /** Whether a copy is whole, by the document. */
  private static boolean isCopied(MemoryFileSystem files) throws StorageException {
    return begun(files).filter(rebalance -> !rebalance.copied().isEmpty()).isPresent();
  }

  @Test
  void whatWasCopiedAndTakenBackIsCopiedAgain() throws StorageException {
    MemoryFileSystem filled = filled();
    Map<String, Object> before = contents(filled);
    long all = operationsOf(filled);
    long at = 1;
    MemoryFileSystem copied = cut(filled, at, 3);
    while (!isCopied(copied)) {
      at += 5;
      assertTrue(at < all, "never copied in " + all + " operations");
      copied = cut(filled, at, 3);
    }
    for (int operations = 1; operations < 80; operations += 2) {
      MemoryFileSystem last = cut(copied, operations, 2);
      assertEquals(3, rebalance(last, 3).nodes(), "at " + operations);
      assertEquals(before, contents(last), "at " + operations);
    }
  }

  @Test
  void whatHasBegunIsTakenBackWhileItCopies() throws StorageException {
    MemoryFileSystem filled = filled();
    Map<String, Object> before = contents(filled);
    long all = operationsOf(filled);
    int taken = 0;
    for (int point = 0; point < CRASH_POINTS; point++) {
      MemoryFileSystem left = cut(filled, 1 + (all - 2) * point / CRASH_POINTS, 3);
      ClusterRecord.Rebalance begun = begun(left).orElse(null);
      if (begun == null) {
        continue;
      }
      if (begun.step() == ClusterRecord.Step.DROP) {
        assertThrows(ConflictException.class, () -> rebalance(left, 2));
        continue;
      }
      taken++;
      // Half of them go on with it after all, which must copy everything again.
      MemoryFileSystem last = cut(left, 7L * point, 2);
      int nodes = taken % 2 == 0 ? 3 : 2;
      assertEquals(nodes, rebalance(last, nodes).nodes(), "at " + point);
      assertEquals(before, contents(last), "at " + point);
      assertEquals(3, rebalance(last, 3).nodes(), "at " + point);
      assertEquals(before, contents(last), "at " + point);
    }
    assertTrue(taken > CRASH_POINTS / 4, taken + " were taken back");
  }

  /**
   * What a power loss leaves in the middle of a rebalancing, which two nodes take back, or when it
   * has just ended: how many operations it takes depends a little on what runs beside it.
   */
  private MemoryFileSystem cut(MemoryFileSystem filled, long operations, int nodes)
      throws StorageException {
    MemoryFileSystem files = filled.crash(new SplittableRandom(operations));
    files.crashAt(files.operationCount() + operations);
    try {
      ClusterProcesses.Rebalanced done = rebalance(files, nodes);
      assertEquals(nodes, done.nodes());
      assertEquals(nodes > 2, done.partitions() > 0, done::toString);
    } catch (SimulatedCrash cut) {
      assertTrue(files.crashed(), cut::toString);
    }
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
    Map<String, Object> before = contents(filled);
    long all = operationsOf(filled);
    Map<ClusterRecord.Step, Integer> begun = new TreeMap<>();
    for (int point = 0; point < CRASH_POINTS; point++) {
      long operations = 1 + (all - 2) * point / CRASH_POINTS;
      MemoryFileSystem left = cut(filled, operations, 3);
      ClusterRecord written = ClusterRecord.read(left, DIRECTORY).orElseThrow();
      if (written.rebalance().isPresent()) {
        begun.merge(written.rebalance().get().step(), 1, Integer::sum);
        ConflictException early =
            assertThrows(ConflictException.class, () -> withEngines(left, List::size));
        assertEquals(ConflictException.Reason.OPTIONS_MISMATCH, early.reason());
        assertThrows(ConflictException.class, () -> rebalance(left, 4));
      }
      assertEquals(3, rebalance(left, 3).nodes(), "at " + operations);
      assertEquals(before, contents(left), "at " + operations);
    }
    int cut = begun.values().stream().mapToInt(Integer::intValue).sum();
    assertTrue(begun.size() == 2 && cut > CRASH_POINTS / 2, begun + " of " + all + " operations");
  }
}
