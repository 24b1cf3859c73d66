package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.DatasetPartition;
import dev.varve.dataset.RecordTransaction;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.feed.PartitionProgress;
import dev.varve.hyracks.feed.RefusalReason;
import dev.varve.hyracks.feed.RefusalReport;
import dev.varve.hyracks.feed.TestRecords;
import dev.varve.hyracks.operator.Aggregate;
import dev.varve.hyracks.operator.ReadRequest;
import dev.varve.hyracks.operator.WriteMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what goes in by a feed comes out by every way of reading, refusals are counted, and
 * failures leave what they should. Method: two nodes with two partitions each, and records whose
 * ids, names and groups say what every query must find.
 */
final class DatasetClusterTest {
  private static final String DATASET = "records";
  private static final DatasetOptions OPTIONS =
      DatasetOptions.of(DATASET, "id")
          .withIndexes(List.of(IndexDefinition.on("name"), IndexDefinition.on("group")));

  @TempDir private Path directory;
  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = open();
    cluster.createOrOpenDataset(OPTIONS);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private Cluster open() throws Exception {
    return Cluster.start(ClusterOptions.of(directory, new ClusterShape(2, 2)));
  }

  @Test
  void findsEveryRecordByEachOfItsKeys() throws Exception {
    IngestSummary done = ingest(WriteMode.INSERT, TestRecords.range(0, 20_000));
    assertEquals(20_000, done.stored());
    assertEquals(0, done.refused());
    assertEquals(4, done.partitions().size());
    assertEquals(
        19_999,
        done.partitions().stream().mapToLong(PartitionProgress::highestKey).max().orElseThrow());
    for (PartitionProgress partition : done.partitions()) {
      assertTrue(Math.abs(partition.stored() - 5000) < 500, partition.toString());
    }
    check(20_000);
    cluster.flush(DATASET);
    check(20_000);
    cluster.compact(DATASET);
    check(20_000);
    for (IndexStats index : indexes()) {
      assertEquals(1, index.components().size(), index.toString());
      assertEquals(0, index.memoryEntries(), index.toString());
    }
    assertEquals(20_000, entries("primary"));
    assertEquals(20_000, entries("name"));
    assertEquals(20_000, entries("group"));
  }

  @Test
  void everyOperatorOfAJobReadsTheSameMomentOfItsNode() throws Exception {
    StorageEngine engine = cluster.engines().get(0);
    Dataset dataset = engine.dataset(DATASET);
    PartitionTable routing = PartitionTable.of(2, 2);
    // One record in each of the node's partitions, which come and go together.
    List<Key> pair = new ArrayList<>();
    List<byte[]> records = new ArrayList<>();
    for (long id = 0; pair.size() < 2; id++) {
      int partition = routing.partition(Key.of(id).toSlice());
      if (routing.nodeOf(partition) == 0 && routing.localOf(partition) == pair.size()) {
        pair.add(Key.of(id));
        records.add(
            ("{\"id\":" + id + ",\"name\":\"n\",\"group\":1}").getBytes(StandardCharsets.UTF_8));
      }
    }
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Integer> writer =
        CompletableFuture.supplyAsync(
            () -> {
              int changes = 0;
              for (; !ended.get(); changes++) {
                try (RecordTransaction both = dataset.beginTransaction()) {
                  for (int i = 0; i < 2; i++) {
                    if (changes % 2 == 0) {
                      both.upsert(records.get(i));
                    } else {
                      both.delete(pair.get(i));
                    }
                  }
                  both.commit();
                } catch (StorageException failure) {
                  throw new IllegalStateException(failure);
                }
              }
              return changes;
            });
    List<Long> counts = new ArrayList<>();
    KeyRange ones = KeyRange.prefix(Key.of(1L).toBytes());
    try {
      for (int i = 0; i < 60; i++) {
        counts.add(cluster.countScan(DATASET, KeyRange.all()));
        counts.add(cluster.count(ReadRequest.search(DATASET, "group", ones)));
      }
    } finally {
      ended.set(true);
    }
    assertTrue(writer.join() > 0);
    assertTrue(Set.of(0L, 2L).containsAll(counts), counts::toString);
    while (!engine.stats().memory().snapshots().isEmpty()) {
      // A node closes the last one behind the end of the job; one that stays stops the test.
      Thread.onSpinWait();
    }
  }

  @Test
  void readsOnlyRecordsWhoseFilterFieldIsInARange() throws Exception {
    String filtered = "filtered";
    cluster.createOrOpenDataset(
        DatasetOptions.of(filtered, "id")
            .withIndexes(List.of(IndexDefinition.on("group")))
            .withFilterField(Optional.of(FieldPath.parse("id"))));
    TestRecords records = TestRecords.range(0, 2_000);
    try (Ingestion feed =
        cluster.ingest(new IngestRequest(filtered, records, WriteMode.INSERT, 2))) {
      assertEquals(2_000, feed.result().stored());
    }
    KeyRange last = KeyRange.atLeast(Key.of(1_900L).toBytes());
    ReadRequest scan = ReadRequest.scan(filtered, KeyRange.all()).filtered(last);
    assertEquals(100, cluster.count(scan));
    assertEquals(7, cluster.count(scan.first(7)));
    KeyRange threes = KeyRange.prefix(Key.of(3L).toBytes());
    ReadRequest search = ReadRequest.search(filtered, "group", threes).filtered(last);
    assertEquals(10, cluster.count(search));
    List<Long> found = new ArrayList<>();
    try (QueryResult result = cluster.read(search)) {
      while (result.next()) {
        found.add(new KeyDecoder().reset(result.key()).readLong());
      }
    }
    assertEquals(ids(1_900, 2_000, id -> id % 10 == 3), new TreeSet<>(found));
    assertThrows(
        RequestException.class,
        () -> cluster.count(ReadRequest.scan(DATASET, KeyRange.all()).filtered(last)));
  }

  /** The indexes of all partitions. */
  private List<IndexStats> indexes() throws Exception {
    return cluster.stats().values().stream()
        .flatMap(node -> node.datasets().stream())
        .flatMap(dataset -> dataset.partitions().stream())
        .flatMap(partition -> partition.indexes().stream())
        .toList();
  }

  private long entries(String index) throws Exception {
    return indexes().stream()
        .filter(each -> each.name().equals(index))
        .flatMap(each -> each.components().stream())
        .mapToLong(ComponentStats::entries)
        .sum();
  }

  /** Checks every way of reading when records with ids from 0 are stored. */
  private void check(long stored) throws Exception {
    assertEquals(stored, cluster.countScan(DATASET, KeyRange.all()));
    KeyRange range = closed(100, 1099);
    assertEquals(1000, cluster.countScan(DATASET, range));
    List<Long> scanned = new ArrayList<>();
    try (QueryResult result = cluster.scan(DATASET, range)) {
      while (result.next()) {
        long id = new KeyDecoder().reset(result.key()).readLong();
        assertEquals(TestRecords.record(id), text(result.record().toByteArray()));
        scanned.add(id);
      }
    }
    assertEquals(LongStream.rangeClosed(100, 1099).boxed().toList(), scanned, "in key order");
    assertEquals(
        Optional.of(TestRecords.record(17)),
        cluster.get(DATASET, Key.of(17L)).map(DatasetClusterTest::text));
    assertEquals(Optional.empty(), cluster.get(DATASET, Key.of(stored)));
    // A secondary entry is the value and the primary key behind it: bounds are prefixes.
    KeyRange names =
        KeyRange.closedOpen(Key.of("name-00000500").toBytes(), Key.of("name-00000600").toBytes());
    assertEquals(100, cluster.count(ReadRequest.search(DATASET, "name", names)));
    assertEquals(ids(500, 600, id -> true), found("name", names));
    assertEquals(
        stored / 10,
        cluster.count(ReadRequest.search(DATASET, "group", KeyRange.prefix(Key.of(3L).toBytes()))));
    assertEquals(
        ids(0, stored, id -> id % 10 == 3), found("group", KeyRange.prefix(Key.of(3L).toBytes())));
    assertEquals(List.of(), cluster.verify(DATASET));
  }

  @Test
  void ordersAndLimitsAreKeptOverAllPartitions() throws Exception {
    long stored = 1000;
    ingest(WriteMode.INSERT, TestRecords.range(0, stored));
    List<Long> ascending = LongStream.range(0, stored).boxed().toList();
    List<Long> descending = new ArrayList<>(ascending);
    Collections.reverse(descending);
    assertEquals(descending, scanned(KeyRange.all().descending(), Long.MAX_VALUE));
    KeyRange group = ValueRange.exactly(Key.of(3L));
    for (int limit : new int[] {0, 1, 10, 77}) {
      assertEquals(ascending.subList(0, limit), scanned(KeyRange.all(), limit));
      assertEquals(descending.subList(0, limit), scanned(KeyRange.all().descending(), limit));
      try (QueryResult result =
          cluster.read(ReadRequest.search(DATASET, "group", group).first(limit))) {
        int found = 0;
        while (result.next()) {
          found++;
        }
        assertEquals(limit, found);
      }
    }
  }

  /** Keys of what a range of the groups finds, as it comes: by group, then by id. */
  @Test
  void whatASecondaryBTreeFindsComesInItsOrder() throws Exception {
    ingest(WriteMode.INSERT, TestRecords.range(0, 1000));
    List<Long> expected = new ArrayList<>();
    for (long group = 3; group <= 6; group++) {
      for (long id = group; id < 1000; id += 10) {
        expected.add(id);
      }
    }
    List<Long> reversed = new ArrayList<>(expected);
    Collections.reverse(reversed);
    KeyRange groups = ValueRange.closed(Key.of(3L), Key.of(6L));
    for (String state : List.of("in memory", "on disk")) {
      for (long limit : new long[] {0, 1, 150, 10_001, Long.MAX_VALUE}) {
        int most = (int) Math.min(limit, expected.size());
        ReadRequest request = ReadRequest.search(DATASET, "group", groups).first(limit);
        assertEquals(expected.subList(0, most), read(request), state);
        ReadRequest down = ReadRequest.search(DATASET, "group", groups.descending()).first(limit);
        assertEquals(reversed.subList(0, most), read(down), state);
      }
      cluster.flush(DATASET);
    }
    assertEquals(
        0, read(ReadRequest.search(DATASET, "group", ValueRange.above(Key.of(9L)))).size());
  }

  /** Values of a field that partitions gather, held against those of the records. */
  @Test
  void partitionsGatherTheValuesOfAField() throws Exception {
    ingest(WriteMode.INSERT, TestRecords.range(0, 1000).withMalformedEvery(100));
    ReadRequest all = ReadRequest.scan(DATASET, KeyRange.all());
    List<String> groups = new ArrayList<>();
    for (long group = 0; group < 10; group++) {
      // Every hundredth record is cut short, so refused: 99, 199 and so on.
      groups.add(Key.of(group) + " " + (group == 9 ? 90 : 100));
    }
    assertEquals(groups, values(all, Aggregate.Kind.EACH, "group"));
    assertEquals(groups.subList(0, 1), values(all, Aggregate.Kind.LEAST, "group"));
    assertEquals(groups.subList(9, 10), values(all, Aggregate.Kind.GREATEST, "group"));
    assertEquals(List.of("none 990"), values(all, Aggregate.Kind.EACH, "nowhere"));
    assertEquals(List.of(), values(all, Aggregate.Kind.GREATEST, "nowhere"));
    ReadRequest some = ReadRequest.search(DATASET, "group", ValueRange.exactly(Key.of(3L)));
    assertEquals(
        List.of(Key.of("name-00000003") + " 1"), values(some, Aggregate.Kind.LEAST, "name"));
    assertEquals(
        List.of(Key.of("name-00000993") + " 1"), values(some, Aggregate.Kind.GREATEST, "name"));
    assertEquals(990, values(all, Aggregate.Kind.EACH, "name").size());
    assertEquals(990, cluster.count(all));
    assertEquals(7, cluster.count(all.first(7)));
    assertThrows(
        IllegalArgumentException.class, () -> values(all.first(7), Aggregate.Kind.LEAST, "group"));
  }

  private List<String> values(ReadRequest request, Aggregate.Kind kind, String field)
      throws Exception {
    List<String> found = new ArrayList<>();
    Aggregate aggregate = new Aggregate(kind, FieldPath.parse(field));
    try (ValueCounts values = cluster.values(request, aggregate)) {
      while (values.next()) {
        found.add(values.value().map(Key::toString).orElse("none") + " " + values.records());
      }
    }
    return found;
  }

  private List<Long> read(ReadRequest request) throws Exception {
    List<Long> ids = new ArrayList<>();
    try (QueryResult result = cluster.read(request)) {
      while (result.next()) {
        ids.add(new KeyDecoder().reset(result.key()).readLong());
        assertEquals(
            TestRecords.record(ids.get(ids.size() - 1)), text(result.record().toByteArray()));
      }
    }
    return ids;
  }

  private List<Long> scanned(KeyRange range, long limit) throws Exception {
    List<Long> scanned = new ArrayList<>();
    try (QueryResult result = cluster.read(ReadRequest.scan(DATASET, range).first(limit))) {
      while (result.next()) {
        scanned.add(new KeyDecoder().reset(result.key()).readLong());
      }
    }
    return scanned;
  }

  private Set<Long> found(String index, KeyRange values) throws Exception {
    Set<Long> ids = new TreeSet<>();
    try (QueryResult result = cluster.read(ReadRequest.search(DATASET, index, values))) {
      while (result.next()) {
        assertTrue(ids.add(new KeyDecoder().reset(result.key()).readLong()));
      }
    }
    return ids;
  }

  private static Set<Long> ids(long from, long to, LongPredicate wanted) {
    Set<Long> ids = new TreeSet<>();
    LongStream.range(from, to).filter(wanted).forEach(ids::add);
    return ids;
  }

  @Test
  void countsWhatItRefusesAndGoesOn() throws Exception {
    assertEquals(1000, ingest(WriteMode.INSERT, TestRecords.range(0, 1000)).stored());
    IngestSummary done =
        ingest(WriteMode.INSERT, TestRecords.range(500, 1000).withMalformedEvery(100));
    // Of ids 500 to 1499 ten are malformed, five of them among the first 500, which are there.
    assertEquals(495, done.stored());
    assertEquals(505, done.refused());
    List<RefusalReport> refusals = done.refusals();
    assertEquals(2, refusals.size());
    assertEquals(RefusalReason.DUPLICATE_KEY, refusals.get(0).reason());
    assertEquals(495, refusals.get(0).count());
    assertEquals(RefusalReason.MALFORMED_RECORD, refusals.get(1).reason());
    assertEquals(10, refusals.get(1).count());
    assertFalse(refusals.get(1).samples().get(0).isEmpty());
    assertEquals(1495, cluster.countScan(DATASET, KeyRange.all()));
    assertEquals(1000, ingest(WriteMode.UPSERT, TestRecords.range(500, 1000)).stored());
    assertEquals(1500, cluster.countScan(DATASET, KeyRange.all()));
    IngestSummary deleted =
        ingest(WriteMode.DELETE, TestRecords.range(0, 510).withMalformedEvery(51));
    assertEquals(10, deleted.refused(), "a record that is none deletes nothing");
    assertEquals(500, deleted.stored());
    assertEquals(1000, cluster.countScan(DATASET, KeyRange.all()));
    assertEquals(9, cluster.countScan(DATASET, closed(0, 500)));
    assertEquals(List.of(), cluster.verify(DATASET));
  }

  @Test
  void loadsAllRecordsOrNone() throws Exception {
    assertThrows(
        DiskException.class,
        () -> ingest(WriteMode.LOAD, TestRecords.range(0, 5000).breakingAt(3000)));
    assertEquals(0, cluster.countScan(DATASET, KeyRange.all()));
    RequestException malformed =
        assertThrows(
            RequestException.class,
            () -> ingest(WriteMode.LOAD, TestRecords.range(0, 5000).withMalformedEvery(5000)));
    assertEquals(RequestException.Reason.MALFORMED_RECORD, malformed.reason());
    assertEquals(0, cluster.countScan(DATASET, KeyRange.all()));
    assertEquals(5000, ingest(WriteMode.LOAD, TestRecords.range(0, 5000)).stored());
    check(5000);
    ConflictException again =
        assertThrows(
            ConflictException.class, () -> ingest(WriteMode.LOAD, TestRecords.range(5000, 10)));
    assertEquals(ConflictException.Reason.NOT_EMPTY, again.reason());
    assertEquals(10, ingest(WriteMode.INSERT, TestRecords.range(5000, 10)).stored());
    assertEquals(5010, cluster.countScan(DATASET, KeyRange.all()));
  }

  @Test
  void keepsEverythingOverARestart() throws Exception {
    ingest(WriteMode.INSERT, TestRecords.range(0, 2000));
    cluster.close();
    ConflictException other =
        assertThrows(
            ConflictException.class,
            () -> Cluster.start(ClusterOptions.of(directory, new ClusterShape(1, 2))).close());
    assertEquals(ConflictException.Reason.OPTIONS_MISMATCH, other.reason());
    assertEquals(Optional.of(new ClusterShape(2, 2)), Cluster.shapeOf(directory));
    cluster = open();
    cluster.createOrOpenDataset(OPTIONS);
    check(2000);
    assertEquals(0, ingest(WriteMode.INSERT, TestRecords.range(0, 2000)).stored());
    ConflictException running = assertThrows(ConflictException.class, () -> open().close());
    assertEquals(ConflictException.Reason.DIRECTORY_IN_USE, running.reason());
    check(2000);
  }

  @Test
  void goesOnAfterAFailedJob() throws Exception {
    DiskException failure =
        assertThrows(
            DiskException.class,
            () -> ingest(WriteMode.INSERT, TestRecords.range(0, 5000).breakingAt(4000)));
    assertTrue(failure.getMessage().contains("/records"), failure.getMessage());
    RequestException unknown =
        assertThrows(
            RequestException.class,
            () -> cluster.count(ReadRequest.search(DATASET, "nowhere", KeyRange.all())));
    assertEquals(RequestException.Reason.UNKNOWN_INDEX, unknown.reason());
    ingest(WriteMode.UPSERT, TestRecords.range(0, 5000));
    check(5000);
    cluster.dropDataset(DATASET);
    RequestException dropped =
        assertThrows(RequestException.class, () -> cluster.countScan(DATASET, KeyRange.all()));
    assertEquals(RequestException.Reason.UNKNOWN_DATASET, dropped.reason());
  }

  @Test
  void showsWhatIsAcknowledgedWhileAFeedRunsAndCancelsIt() throws Exception {
    IngestRequest endless =
        new IngestRequest(DATASET, TestRecords.range(0, Long.MAX_VALUE / 2), WriteMode.INSERT, 2);
    Ingestion feed = cluster.ingest(endless);
    long seen = 0;
    while (seen < 3000) {
      assertFalse(feed.await(1_000_000));
      long stored = feed.progress().stored();
      assertTrue(stored >= seen);
      seen = stored;
    }
    IngestSummary acknowledged = feed.progress();
    feed.close();
    assertTrue(feed.await(Signal.FOREVER));
    assertThrows(JobFailedException.class, feed::result);
    for (PartitionProgress partition : acknowledged.partitions()) {
      if (partition.stored() > 0) {
        assertTrue(cluster.get(DATASET, Key.of(partition.highestKey())).isPresent());
      }
    }
    assertTrue(cluster.countScan(DATASET, KeyRange.all()) >= seen);
    assertEquals(List.of(), cluster.verify(DATASET));
  }

  /** One record is locked by somebody else: its partition stands still, and soon the source too. */
  @Test
  void holdsTheSourceBackWhileAPartitionCannotWrite() throws Exception {
    Key locked = Key.of(1000L);
    PartitionTable routing = PartitionTable.of(2, 2);
    int number = routing.partition(locked.toSlice());
    DatasetPartition partition =
        cluster
            .engines()
            .get(routing.nodeOf(number))
            .dataset(DATASET)
            .partition(routing.localOf(number));
    IngestRequest endless =
        new IngestRequest(DATASET, TestRecords.range(0, Long.MAX_VALUE / 2), WriteMode.UPSERT, 2);
    long before = TestRecords.PULLED.get();
    try (RecordTransaction transaction = partition.beginTransaction()) {
      transaction.upsert(new Slice(TestRecords.record(1000).getBytes(StandardCharsets.UTF_8)));
      try (Ingestion feed = cluster.ingest(endless)) {
        long pulled = 0;
        int unchanged = 0;
        while (unchanged < 5) {
          assertFalse(feed.await(50_000_000));
          long now = TestRecords.PULLED.get() - before;
          unchanged = now == pulled && now > 1000 ? unchanged + 1 : 0;
          pulled = now;
          assertTrue(pulled < 200_000, pulled + " records pulled, " + feed.progress().stored());
        }
        transaction.abort();
        long stored = feed.progress().stored();
        while (feed.progress().stored() < stored + 10_000) {
          assertFalse(feed.await(1_000_000));
        }
      }
    }
    assertEquals(List.of(), cluster.verify(DATASET));
  }

  private IngestSummary ingest(WriteMode mode, TestRecords records) throws Exception {
    try (Ingestion feed = cluster.ingest(new IngestRequest(DATASET, records, mode, 2))) {
      return feed.result();
    }
  }

  private static KeyRange closed(long low, long high) {
    return KeyRange.closed(Key.of(low).toBytes(), Key.of(high).toBytes());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** 24 MB are found, of which the first few hundred kilobytes are read. */
  @Test
  void aScanThatIsGivenUpEndsItsJobAndLeavesNothingBehind() throws Exception {
    ingest(WriteMode.INSERT, TestRecords.range(0, 60_000));
    for (int scan = 0; scan < 3; scan++) {
      try (QueryResult found = cluster.scan(DATASET, KeyRange.all())) {
        for (long id = 0; id < 100; id++) {
          assertTrue(found.next());
          assertEquals(Key.of(id), Key.ofSlice(found.key()));
        }
      }
      assertEquals(List.of(), resultFiles());
    }
    try (QueryResult found = cluster.scan(DATASET, KeyRange.all())) {
      long records = 0;
      while (found.next()) {
        records++;
      }
      assertEquals(60_000, records);
    }
    assertEquals(60_000, cluster.countScan(DATASET, KeyRange.all()));
  }

  private List<Path> resultFiles() throws Exception {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.getFileName().toString().contains("result_")).toList();
    }
  }
}
