package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.feed.FeedName;
import dev.varve.hyracks.feed.FeedPosition;
import dev.varve.hyracks.feed.FeedReject;
import dev.varve.hyracks.feed.InputSource;
import dev.varve.hyracks.feed.OnFull;
import dev.varve.hyracks.feed.Overflow;
import dev.varve.hyracks.feed.RecordSource;
import dev.varve.hyracks.feed.RecordStream;
import dev.varve.hyracks.feed.RefusalReason;
import dev.varve.hyracks.feed.RefusalReport;
import dev.varve.hyracks.feed.ResumePoints;
import dev.varve.hyracks.feed.TestRecords;
import dev.varve.hyracks.operator.WriteMode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a named feed that was cut short goes on where it was, and leaves out and doubles nothing.
 * Method: two nodes with two partitions each; sources that fail at a record, and that count how
 * many of their records are read.
 */
@Timeout(120)
final class NamedFeedTest {
  private static final String DATASET = "records";
  private static final DatasetOptions OPTIONS =
      DatasetOptions.of(DATASET, "id").withIndexes(List.of(IndexDefinition.on("group")));

  @TempDir private Path directory;
  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    open();
    cluster.createOrOpenDataset(OPTIONS);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private void open() throws Exception {
    cluster =
        Cluster.start(ClusterOptions.of(directory.resolve("cluster"), new ClusterShape(2, 2)));
  }

  private IngestSummary ingest(RecordSource source, WriteMode mode, int feeds) throws Exception {
    IngestRequest request = new IngestRequest(DATASET, source, mode, feeds).named("feed", 0);
    try (Ingestion feed = cluster.ingest(request)) {
      return feed.result();
    }
  }

  private long stored() throws Exception {
    return cluster.positions(new FeedName(DATASET, "feed")).stream()
        .mapToLong(FeedPosition::stored)
        .sum();
  }

  private long refused() throws Exception {
    return cluster.positions(new FeedName(DATASET, "feed")).stream()
        .mapToLong(FeedPosition::refusals)
        .sum();
  }

  @Test
  void aFeedThatBrokeGoesOnWhereItWas() throws Exception {
    int records = 20_000;
    TestRecords source = TestRecords.range(0, records).withMalformedEvery(1_000);
    long malformed = records / 1_000;
    assertThrows(DiskException.class, () -> ingest(source.breakingAt(15_000), WriteMode.INSERT, 1));
    long before = stored();
    assertTrue(before > 0, "something was stored");

    // The whole cluster ends and begins in between.
    cluster.close();
    open();
    assertEquals(before, stored());
    long passed =
        ResumePoints.of(cluster.positions(new FeedName(DATASET, "feed")), 4).of("records 0 of 1");
    TestRecords.PULLED.set(0);
    IngestSummary rest = ingest(source, WriteMode.INSERT, 1);
    assertEquals(records - passed, TestRecords.PULLED.get(), "read once those that all passed");
    assertEquals(records - malformed, before + rest.stored());
    assertEquals(records - malformed, stored());
    assertEquals(malformed, refused());
    assertEquals(records - malformed, cluster.countScan(DATASET, KeyRange.all()));
    assertEquals(List.of(), cluster.verify(DATASET));

    TestRecords.PULLED.set(0);
    assertEquals(0, ingest(source, WriteMode.INSERT, 1).stored());
    assertEquals(0, TestRecords.PULLED.get());
    assertEquals(100, ingest(TestRecords.range(0, records + 100), WriteMode.INSERT, 1).stored());
  }

  @Test
  void recordsThatAreThereWithoutTheirPositionAreNoDuplicates() throws Exception {
    // As after a crash between the records of a frame and its positions.
    try (Ingestion unnamed =
        cluster.ingest(
            new IngestRequest(DATASET, TestRecords.range(0, 500), WriteMode.INSERT, 1))) {
      assertEquals(500, unnamed.result().stored());
    }
    IngestSummary again = ingest(TestRecords.range(0, 1_000), WriteMode.INSERT, 2);
    assertEquals(1_000, again.stored());
    assertEquals(0, again.refused());

    Path other = directory.resolve("other");
    Files.writeString(other, "{\"id\":7,\"group\":0}\n{\"id\":2000,\"group\":0}\n");
    IngestSummary changed =
        ingest(new InputSource(List.of(other.toString()), "ndjson"), WriteMode.INSERT, 1);
    assertEquals(1, changed.stored());
    assertEquals(RefusalReason.DUPLICATE_KEY, changed.refusals().get(0).reason());
    assertEquals(1, changed.refusals().get(0).samples().size());
  }

  @Test
  void eachInputHasItsOwnPositionAndGrows() throws Exception {
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    Files.writeString(one, lines(0, 3_000));
    Files.writeString(two, lines(10_000, 2_000));
    List<String> inputs = List.of(one.toString(), two.toString());
    assertEquals(5_000, ingest(new InputSource(inputs, "ndjson"), WriteMode.UPSERT, 2).stored());
    Set<String> named = new TreeSet<>();
    for (FeedPosition position : cluster.positions(new FeedName(DATASET, "feed"))) {
      named.add(position.input());
      assertEquals(position.input().equals(inputs.get(0)) ? 3_000 : 2_000, position.records());
      assertEquals(Files.size(Path.of(position.input())), position.offset());
    }
    assertEquals(Set.copyOf(inputs), named);

    Files.writeString(two, lines(10_000, 2_010));
    // Other shares, the same inputs.
    assertEquals(10, ingest(new InputSource(inputs, "ndjson"), WriteMode.UPSERT, 1).stored());
    assertEquals(5_010, cluster.countScan(DATASET, KeyRange.all()));
  }

  @Test
  void whatAParserSaysOfARecordIsTheReasonThatIsGiven() throws Exception {
    Path rows = directory.resolve("rows.csv");
    Files.writeString(rows, "id,group\n1,1\n2\n3,3\n4,4,4\n");
    InputSource source = new InputSource(List.of(rows.toString()), "csv");
    String second = rows + ":3: the row has 1 values, and the header 2 names";
    String fourth = rows + ":5: the row has 3 values, and the header 2 names";
    for (WriteMode mode : List.of(WriteMode.UPSERT, WriteMode.DELETE)) {
      try (Ingestion feed = cluster.ingest(new IngestRequest(DATASET, source, mode, 1))) {
        IngestSummary summary = feed.result();
        assertEquals(2, summary.stored());
        RefusalReport refused = summary.refusals().get(0);
        assertEquals(RefusalReason.MALFORMED_RECORD, refused.reason());
        assertEquals(Set.of(second, fourth), Set.copyOf(refused.samples()));
      }
    }
    assertEquals(2, ingest(source, WriteMode.INSERT, 1).refused());
    List<FeedReject> rejects = new ArrayList<>(cluster.rejects(new FeedName(DATASET, "feed")));
    rejects.sort(Comparator.comparingLong(FeedReject::number));
    assertEquals(List.of(second, fourth), rejects.stream().map(FeedReject::message).toList());
    assertEquals(List.of("2\n", "4,4,4\n"), rejects.stream().map(FeedReject::record).toList());
  }

  /** Nobody is let wait: a source without end, faster than two partitions, overflows at last. */
  @Test
  void whatASourceCouldNotGetRidOfIsInTheSummary() throws Exception {
    Endless source = new Endless(0, Integer.MAX_VALUE);
    for (OnFull onFull : OnFull.values()) {
      cluster.dropDataset(DATASET);
      cluster.createOrOpenDataset(OPTIONS);
      Endless.begin();
      IngestRequest request =
          new IngestRequest(DATASET, source, WriteMode.UPSERT, 1).whenFull(onFull);
      try (Ingestion feed = cluster.ingest(request)) {
        while (onFull == OnFull.THROTTLE
            ? running().stored() < 10_000
            : running().overflow().equals(Overflow.NONE)) {
          assertFalse(feed.await(TimeUnit.MILLISECONDS.toNanos(10)), "it has no end");
        }
        Endless.ENDED.set(true);
        IngestSummary summary = feed.result();
        Overflow overflow = summary.overflow();
        assertEquals(
            Endless.GIVEN.get(), summary.stored() + overflow.discarded(), onFull.toString());
        assertEquals(onFull == OnFull.DISCARD, overflow.discarded() > 0, onFull.toString());
        assertEquals(onFull == OnFull.SPILL, overflow.spilled() > 0, onFull.toString());
        assertEquals(summary.stored(), cluster.countScan(DATASET, KeyRange.all()));
        assertEquals(summary.stored(), running().stored());
        assertEquals(overflow, running().overflow());
      } finally {
        Endless.ENDED.set(true);
      }
      assertEquals(Set.of(), cluster.feeds().keySet(), "the feed was closed");
    }
  }

  private IngestSummary running() throws Exception {
    return cluster.feeds().values().iterator().next();
  }

  @Test
  void aDatasetThatWasMadeAnewBeginsAtTheBeginning() throws Exception {
    assertEquals(300, ingest(TestRecords.range(0, 300), WriteMode.INSERT, 1).stored());
    cluster.dropDataset(DATASET);
    cluster.createOrOpenDataset(OPTIONS);
    assertEquals(300, ingest(TestRecords.range(0, 300), WriteMode.INSERT, 1).stored());
    assertEquals(300, cluster.countScan(DATASET, KeyRange.all()));
  }

  @Test
  void aFeedThatIsBegunAgainTakesItsPartitionsFromTheEarlierRun() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
      InputSource source =
          new InputSource(List.of("tcp://127.0.0.1:" + server.getLocalPort()), "ndjson");
      IngestRequest request =
          new IngestRequest(DATASET, source, WriteMode.UPSERT, 1).named("feed", 0);
      try (Ingestion first = cluster.ingest(request);
          Socket toFirst = server.accept()) {
        send(toFirst, 1);
        awaitRecord(1);
        try (Ingestion second = cluster.ingest(request);
            Socket toSecond = server.accept()) {
          send(toSecond, 2);
          awaitRecord(2);
          send(toFirst, 3);
          StorageException fenced = assertThrows(StorageException.class, first::result);
          assertEquals(
              ConflictException.Reason.OWNERSHIP_LOST, ((ConflictException) fenced).reason());
          send(toSecond, 4);
          toSecond.shutdownOutput();
          assertEquals(2, second.result().stored());
        }
      }
      assertTrue(cluster.get(DATASET, Key.of(3L)).isEmpty());
      assertEquals(3, cluster.countScan(DATASET, KeyRange.all()));
    }
  }

  private void awaitRecord(long id) throws Exception {
    for (int look = 0; look < 600 && cluster.get(DATASET, Key.of(id)).isEmpty(); look++) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertTrue(cluster.get(DATASET, Key.of(id)).isPresent());
  }

  private static void send(Socket socket, long id) throws Exception {
    socket.getOutputStream().write(lines(id, 1).getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  private static String lines(long first, int count) {
    StringBuilder lines = new StringBuilder();
    for (long id = first; id < first + count; id++) {
      lines.append(TestRecords.record(id)).append('\n');
    }
    return lines.toString();
  }

  /**
   * The same record again and again, as fast as it is taken, until somebody ends it; once, behind
   * {@code rareFrom} of them, some others, which differ.
   */
  private record Endless(long rareFrom, int rare) implements RecordSource {
    private static final long serialVersionUID = 1L;
    private static final AtomicBoolean ENDED = new AtomicBoolean();

    /** Records that were given since {@link #begin}. */
    private static final AtomicLong GIVEN = new AtomicLong();

    static void begin() {
      GIVEN.set(0);
      ENDED.set(false);
    }

    @Override
    public RecordStream open(int partition, int partitions, ResumePoints resume) {
      byte[] hot = TestRecords.record(0).getBytes(StandardCharsets.UTF_8);
      return new RecordStream() {
        @Override
        public boolean next(Slice record) {
          if (ENDED.get()) {
            return false;
          }
          long rareNumber = GIVEN.incrementAndGet() - rareFrom;
          boolean isRare = rareNumber > 0 && rareNumber <= rare;
          byte[] json =
              isRare ? TestRecords.record(rareNumber).getBytes(StandardCharsets.UTF_8) : hot;
          record.set(json, 0, json.length);
          return true;
        }

        @Override
        public String input() {
          return "endless";
        }

        @Override
        public long number() {
          return GIVEN.get();
        }

        @Override
        public void close() {}
      };
    }
  }

  @Test
  void whatFewRecordsAreForIsDurableWhileOthersComeWithoutEnd() throws Exception {
    int rare = 20;
    Endless.begin();
    IngestRequest request =
        new IngestRequest(DATASET, new Endless(50_000, rare), WriteMode.UPSERT, 1);
    // Without a name, for the marks of a named feed fill frames, too.
    try (Ingestion feed = cluster.ingest(request)) {
      // The rare ones fill no frame, and the source never pauses.
      for (int look = 0; look < 300 && there() < rare + 1; look++) {
        assertFalse(feed.await(TimeUnit.MILLISECONDS.toNanos(100)), "it has no end");
      }
      assertEquals(rare + 1, there());
      Endless.ENDED.set(true);
      long stored = feed.result().stored();
      assertTrue(stored > 50_000 + rare, "all that was sent: " + stored);
    } finally {
      Endless.ENDED.set(true);
    }
    assertEquals(rare + 1, cluster.countScan(DATASET, KeyRange.all()));
  }

  private long there() throws Exception {
    return cluster.countScan(DATASET, KeyRange.all());
  }
}
