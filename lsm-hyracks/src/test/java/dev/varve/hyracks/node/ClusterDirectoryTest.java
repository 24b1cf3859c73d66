package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.ProcessLimits;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.hyracks.adapter.NodeFile;
import dev.varve.hyracks.adapter.NodeStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Goal: a cluster is never opened with other nodes, partitions or stores than its data lies in, and
 * what documents say is never guessed. Method: the stores of a cluster on a simulated disk, without
 * its controllers, over documents that are gone, older, another's or in another's place.
 */
final class ClusterDirectoryTest {
  private static final Path DIRECTORY = Path.of("/cluster");
  private static final Path DOCUMENT = DIRECTORY.resolve("cluster.json");
  private static final ClusterShape SHAPE = new ClusterShape(2, 3);
  private static final int RECORDS = 60;

  private MemoryFileSystem files = new MemoryFileSystem();
  private long nextSeed = 1;

  /** Opens the nodes' storages as a cluster does, counts the records, and closes them. */
  private int open(ClusterShape shape) throws StorageException {
    return open(shape, RECORDS);
  }

  private int open(ClusterShape shape, int records) throws StorageException {
    EngineSeams seams = seams(nextSeed++);
    EngineOptions engine =
        EngineOptions.builder(DIRECTORY)
            .cacheBytes(1 << 20)
            .logSegmentBytes(1 << 17)
            .recordLimits(new RecordLimits(32 << 10, 32, 32, 256))
            .build();
    ClusterOptions options = new ClusterOptions(DIRECTORY, shape, engine);
    List<NodeApplication> applications = new ArrayList<>();
    for (int node = 0; node < shape.nodes(); node++) {
      applications.add(new NodeApplication(options.engineOf(node), seams));
    }
    try {
      return fill(shape, Cluster.openStorages(options, seams, applications), records);
    } finally {
      for (NodeApplication application : applications) {
        application.close();
      }
    }
  }

  /** Puts records where they belong, unless they are there. */
  private static int fill(ClusterShape shape, List<NodeStorage> nodes, int records)
      throws StorageException {
    PartitionTable routing = shape.table();
    int there = 0;
    for (int id = 0; id < records; id++) {
      Key key = Key.of((long) id);
      Dataset dataset =
          nodes
              .get(routing.nodeOf(routing.partition(key.toSlice())))
              .engine()
              .openDataset(DatasetOptions.of("d", "id").withPartitions(shape.partitionsPerNode()));
      if (dataset.get(key).isPresent()) {
        there++;
      } else {
        dataset.upsert(("{\"id\":" + id + "}").getBytes(StandardCharsets.UTF_8));
      }
    }
    return there;
  }

  private static Path node(int number) {
    return DIRECTORY.resolve("node-" + number);
  }

  private static Path record(int number) {
    return node(number).resolve("node.json");
  }

  private void swap(Path one, Path other) throws StorageException {
    Path aside = DIRECTORY.resolve("aside");
    files.rename(one, aside);
    files.rename(other, one);
    files.rename(aside, other);
  }

  private void put(Path path, byte[] content) throws StorageException {
    if (files.exists(path)) {
      files.delete(path);
    }
    files.createDirectories(path.getParent());
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, content, 0, content.length);
    }
  }

  /** Every file and directory with its content. */
  private Map<Path, String> snapshot() throws StorageException {
    Map<Path, String> all = new TreeMap<>();
    add(DIRECTORY, all);
    return all;
  }

  private void add(Path path, Map<Path, String> all) throws StorageException {
    List<Path> entries;
    try {
      entries = files.list(path);
    } catch (DiskException file) {
      all.put(path, Arrays.hashCode(files.content(path)) + " " + file.getClass());
      return;
    }
    all.put(path, "directory");
    for (Path entry : entries) {
      add(entry, all);
    }
  }

  /** What an older version left: the shape, and no records of nodes. */
  private void makeOld() throws StorageException {
    new NodeFile(files, DOCUMENT)
        .write(
            NodeFile.newDocument("varve-cluster", 1)
                .put("nodes", SHAPE.nodes())
                .put("partitionsPerNode", SHAPE.partitionsPerNode()));
    files.delete(record(0));
    files.delete(record(1));
  }

  private <E extends StorageException> E refused(Class<E> kind, ClusterShape shape) {
    return assertThrows(kind, () -> open(shape), shape::toString);
  }

  @Test
  void aDirectoryIsOpenedWithItsShapeOnly() throws Exception {
    assertEquals(0, open(SHAPE));
    assertEquals(RECORDS, open(SHAPE));
    Map<Path, String> before = snapshot();
    for (ClusterShape other :
        List.of(new ClusterShape(3, 3), new ClusterShape(1, 3), new ClusterShape(2, 2))) {
      ConflictException refused = refused(ConflictException.class, other);
      assertEquals(ConflictException.Reason.OPTIONS_MISMATCH, refused.reason());
      assertTrue(refused.getMessage().contains("2 nodes with 3 partitions"), refused.getMessage());
    }
    assertEquals(before, snapshot());
  }

  @Test
  void aLostDocumentIsWrittenAgainFromTheOthers() throws Exception {
    open(SHAPE);
    byte[] cluster = files.content(DOCUMENT);
    byte[] second = files.content(record(1));
    files.delete(DOCUMENT);
    assertEquals(
        ConflictException.Reason.OPTIONS_MISMATCH,
        refused(ConflictException.class, new ClusterShape(3, 3)).reason());
    assertEquals(RECORDS, open(SHAPE));
    assertTrue(Arrays.equals(cluster, files.content(DOCUMENT)));
    files.delete(record(1));
    assertEquals(RECORDS, open(SHAPE));
    assertTrue(Arrays.equals(second, files.content(record(1))));
    files.delete(DOCUMENT);
    files.delete(record(1));
    refused(ConflictException.class, new ClusterShape(1, 3));
    assertEquals(RECORDS, open(SHAPE), "every record is where this shape has it");
  }

  @Test
  void aMissingNodeIsRefusedAndNotMadeAgain() throws Exception {
    open(SHAPE);
    for (Path gone : List.of(node(1), node(1).resolve("store"), node(0).resolve("store/store"))) {
      for (boolean document : new boolean[] {true, false}) {
        files.rename(gone, Path.of("/away"));
        if (!document) {
          files.rename(DOCUMENT, Path.of("/document"));
        }
        Map<Path, String> before = snapshot();
        StorageException refused = assertThrows(StorageException.class, () -> open(SHAPE));
        assertTrue(refused instanceof CorruptionException, refused.toString());
        assertTrue(refused.getMessage().contains("node-"), refused.getMessage());
        if (document) {
          assertEquals(before, snapshot());
        } else {
          assertFalse(files.exists(DOCUMENT));
          files.rename(Path.of("/document"), DOCUMENT);
        }
        files.rename(Path.of("/away"), gone);
        assertEquals(RECORDS, open(SHAPE));
      }
    }
  }

  @Test
  void aNodeInThePlaceOfAnotherIsRefused() throws Exception {
    open(SHAPE);
    swap(node(0), node(1));
    refused(CorruptionException.class, SHAPE);
    swap(node(0), node(1));
    swap(node(0).resolve("store"), node(1).resolve("store"));
    refused(CorruptionException.class, SHAPE);
    files.delete(record(0));
    files.delete(record(1));
    refused(CorruptionException.class, SHAPE);
    swap(node(0).resolve("store"), node(1).resolve("store"));
    assertEquals(RECORDS, open(SHAPE));
    files.rename(node(1), node(2));
    refused(CorruptionException.class, SHAPE);
  }

  @Test
  void aNodeOrDocumentOfAnotherClusterIsRefused() throws Exception {
    open(SHAPE);
    MemoryFileSystem ours = files;
    files = new MemoryFileSystem();
    open(new ClusterShape(2, 3));
    byte[] otherCluster = files.content(DOCUMENT);
    byte[] otherNode = files.content(record(1));
    files = new MemoryFileSystem();
    open(new ClusterShape(3, 3));
    byte[] otherShape = files.content(DOCUMENT);
    files = ours;
    byte[] cluster = files.content(DOCUMENT);
    byte[] second = files.content(record(1));
    put(record(1), otherNode);
    refused(CorruptionException.class, SHAPE);
    put(record(1), second);
    put(DOCUMENT, otherCluster);
    refused(CorruptionException.class, SHAPE);
    put(DOCUMENT, otherShape);
    refused(CorruptionException.class, SHAPE);
    refused(CorruptionException.class, new ClusterShape(3, 3));
    put(DOCUMENT, second);
    refused(CorruptionException.class, SHAPE);
    put(DOCUMENT, new byte[0]);
    refused(CorruptionException.class, SHAPE);
    put(DOCUMENT, cluster);
    assertEquals(RECORDS, open(SHAPE));
  }

  @Test
  void aDirectoryOfAnOlderVersionOpensAndGetsItsRecords() throws Exception {
    open(SHAPE);
    makeOld();
    assertEquals(RECORDS, open(SHAPE));
    assertTrue(files.exists(record(0)) && files.exists(record(1)));
    byte[] old = files.content(DOCUMENT);
    makeOld();
    byte[] older = files.content(DOCUMENT);
    open(SHAPE);
    put(DOCUMENT, older);
    assertEquals(RECORDS, open(SHAPE), "the document from before over nodes with records");
    assertEquals(old.length, files.content(DOCUMENT).length);
  }

  /** The records themselves are what is left to say which shape it was. */
  @Test
  void anOlderDirectoryWithoutItsDocumentOpensOnlyWithTheShapeThatItsRecordsProve()
      throws Exception {
    open(SHAPE);
    makeOld();
    files.delete(DOCUMENT);
    for (int nodes = 1; nodes <= 3; nodes++) {
      for (int partitions = 1; partitions <= 4; partitions++) {
        ClusterShape shape = new ClusterShape(nodes, partitions);
        if (!shape.equals(SHAPE)) {
          StorageException refused = assertThrows(StorageException.class, () -> open(shape));
          assertTrue(refused.getMessage().contains("node-"), refused.getMessage());
          assertFalse(files.exists(DOCUMENT));
          assertFalse(files.exists(node(2)));
        }
      }
    }
    swap(node(0), node(1));
    ConflictException misplaced = refused(ConflictException.class, SHAPE);
    assertTrue(misplaced.getMessage().contains("on node-"), misplaced.getMessage());
    swap(node(0), node(1));
    assertEquals(RECORDS, open(SHAPE));
  }

  @Test
  void aDirectoryOfSomethingElseIsLeftAlone() throws Exception {
    put(DIRECTORY.resolve("NOTES"), new byte[0]);
    put(DIRECTORY.resolve("store/catalog"), new byte[10]);
    Map<Path, String> before = snapshot();
    ConflictException refused = refused(ConflictException.class, SHAPE);
    assertEquals(ConflictException.Reason.FOREIGN_FILES, refused.reason());
    assertTrue(refused.getMessage().contains("NOTES, store"), refused.getMessage());
    assertEquals(before, snapshot());
  }

  @Test
  void aFirstStartThatWasCutShortIsGoneOnWith() throws Exception {
    open(SHAPE, 0);
    long operations = files.operationCount();
    int crashes = 0;
    for (long at = 0; at < operations; at += 5) {
      files = new MemoryFileSystem();
      files.crashAt(at);
      try {
        open(SHAPE, 0);
      } catch (StorageException | RuntimeException | Error crash) {
        assertTrue(files.crashed(), () -> "no crash but " + crash);
        crashes++;
      }
      files = files.crash(new SplittableRandom(at));
      assertEquals(0, open(SHAPE), "crash at " + at);
      assertEquals(RECORDS, open(SHAPE), "crash at " + at);
    }
    assertTrue(crashes > 10, crashes + " crashes");
  }

  /** The worked examples of docs/format/node-documents.md. */
  @Test
  void documentsStandInTheirFilesAsTheFormatPageSays() throws Exception {
    files.createDirectories(node(1));
    ClusterRecord cluster =
        new ClusterRecord(new ClusterShape(2, 2), OptionalLong.of(0xC1), List.of(0xA0L, 0xA1L));
    cluster.write(files, DIRECTORY);
    cluster.node(1).write(files, node(1));
    assertEquals(
        """
        {"kind":"varve-cluster","format":2,"nodes":2,"partitionsPerNode":2,\
        "cluster":"00000000000000c1","stores":["00000000000000a0","00000000000000a1"],\
        "crc32c":"7c0fe779"}
        """,
        new String(files.content(DOCUMENT), StandardCharsets.UTF_8));
    assertEquals(
        """
        {"kind":"varve-node","format":1,"cluster":"00000000000000c1","node":1,"nodes":2,\
        "partitionsPerNode":2,"store":"00000000000000a1","crc32c":"fbad3af2"}
        """,
        new String(files.content(record(1)), StandardCharsets.UTF_8));
    ClusterShape three = new ClusterShape(new ClusterShape(2, 2).table().spread(3));
    cluster
        .with(new ClusterRecord.Rebalance(three, ClusterRecord.Step.COPY, new TreeSet<>(Set.of(1))))
        .write(files, DIRECTORY);
    assertEquals(
        """
        {"kind":"varve-cluster","format":4,"nodes":2,"partitionsPerNode":2,\
        "cluster":"00000000000000c1","stores":["00000000000000a0","00000000000000a1"],\
        "rebalance":{"homes":[0,4,2,3],"step":"COPY","copied":[1]},"crc32c":"282dec83"}
        """,
        new String(files.content(DOCUMENT), StandardCharsets.UTF_8));
    ClusterRecord grown =
        new ClusterRecord(three, OptionalLong.of(0xC1), List.of(0xA0L, 0xA1L, 0xA2L));
    grown.write(files, DIRECTORY);
    grown.node(1).write(files, node(1));
    assertEquals(
        """
        {"kind":"varve-cluster","format":4,"nodes":3,"partitionsPerNode":2,"homes":[0,4,2,3],\
        "cluster":"00000000000000c1",\
        "stores":["00000000000000a0","00000000000000a1","00000000000000a2"],\
        "crc32c":"ec65a009"}
        """,
        new String(files.content(DOCUMENT), StandardCharsets.UTF_8));
    assertEquals(
        """
        {"kind":"varve-node","format":2,"cluster":"00000000000000c1","node":1,"nodes":3,\
        "partitionsPerNode":2,"homes":[0,4,2,3],"store":"00000000000000a1","crc32c":"dd0c2c06"}
        """,
        new String(files.content(record(1)), StandardCharsets.UTF_8));
    assertEquals(Optional.of(grown), ClusterRecord.read(files, DIRECTORY));
    assertEquals(Optional.of(grown.node(1)), NodeRecord.read(files, node(1)));
  }

  @Test
  void refusesADocumentOfANewerVersion() throws Exception {
    files.createDirectories(DIRECTORY);
    new NodeFile(files, DOCUMENT).write(NodeFile.newDocument("varve-cluster", 5).put("nodes", 2));
    assertThrows(FormatVersionException.class, () -> open(SHAPE));
  }

  /** Everything on one thread, so that a crash in the background reaches the test. */
  private EngineSeams seams(long seed) {
    ManualClock clock = new ManualClock();
    return new EngineSeams(
            files, clock, new SteppedExecutor(clock, seed), new SplittableRandom(seed))
        .withLimits(ProcessLimits.NONE);
  }
}
