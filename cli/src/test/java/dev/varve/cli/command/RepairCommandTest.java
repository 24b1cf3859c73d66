package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.cli.VarveCommand;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.PlacementOptions;
import dev.varve.hyracks.adapter.NodeFile;
import dev.varve.report.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: {@code varve repair} mends a cluster whose nodes were filled in another shape, says what it
 * does, and ends with the exit code that it promises. Method: the engines of the nodes are filled
 * without a cluster, and a document beside them says another number of nodes.
 */
final class RepairCommandTest {
  private static final int RECORDS = 40;

  @TempDir Path directory;
  @TempDir Path devices;

  private PlacementOptions placement = PlacementOptions.NONE;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return VarveCommand.run(new Console(new PrintWriter(out), new PrintWriter(err)), arguments);
  }

  private JsonNode json() throws Exception {
    return new ObjectMapper().readTree(out.toString());
  }

  private StorageEngine open(int node, int nodes) throws StorageException {
    Path engine = directory.resolve("node-" + node).resolve("store");
    return StorageEngine.open(
        EngineOptions.builder(engine)
            .place(new ClusterPlace(node, nodes))
            .build()
            .withDirectory(engine, placement.below("node-" + node)));
  }

  private static byte[] record(int id, String version) {
    String json = "{\"id\":" + id + ",\"v\":\"" + version + "\"}";
    return json.getBytes(StandardCharsets.UTF_8);
  }

  private static int node(int id, int nodes) {
    return ClusterPlace.node(Key.of(id).toSlice(), nodes);
  }

  /** Fills the nodes as a cluster of some nodes does; those that are more stay empty. */
  private void fill(int nodes, int most, List<Integer> ids, String version) throws Exception {
    for (int node = 0; node < most; node++) {
      Files.createDirectories(directory.resolve("node-" + node));
      try (StorageEngine engine = open(node, nodes)) {
        Dataset tweets = engine.openDataset(DatasetOptions.of("tweets", "id").withPartitions(2));
        for (int id : ids) {
          if (node(id, nodes) == node) {
            tweets.upsert(record(id, version));
          }
        }
      }
    }
    new NodeFile(new LocalFileSystem(), directory.resolve("cluster.json"))
        .write(
            NodeFile.newDocument("varve-cluster", 1)
                .put("nodes", nodes)
                .put("partitionsPerNode", 2));
  }

  /** As 'cluster start --directories' and '--log-directory' have them. */
  @Test
  void recordsMoveBetweenNodesWhosePartitionsAndLogsLieElsewhere() throws Exception {
    Path log = devices.resolve("log");
    placement = new PlacementOptions(List.of(devices.resolve("d0"), devices.resolve("d1")), log);
    recordsMoveToTheNodesThatTheClusterHasNow();
    for (int node = 0; node < 3; node++) {
      String name = "node-" + node;
      assertTrue(Files.exists(log.resolve(name).resolve("log/checkpoint")), name);
      assertFalse(Files.exists(directory.resolve(name).resolve("store/store/data/d1")), name);
      for (int partition = 0; partition < 2; partition++) {
        Path data = devices.resolve("d" + partition).resolve(name).resolve("data/d1");
        assertTrue(Files.exists(data.resolve("p" + partition)), data::toString);
      }
    }
  }

  @Test
  void recordsMoveToTheNodesThatTheClusterHasNow() throws Exception {
    List<Integer> all = IntStream.range(0, RECORDS).boxed().toList();
    fill(2, 3, all, "old");
    List<Integer> again = all.stream().filter(id -> node(id, 2) != node(id, 3)).limit(3).toList();
    fill(3, 3, again, "new");
    long misplaced = all.stream().filter(id -> node(id, 2) != node(id, 3)).count();
    String dir = directory.toString();

    assertEquals(1, run("repair", "--dir", dir, "--dry-run"), err::toString);
    assertTrue(out.toString().startsWith("NOT CLEAN, nothing was changed"), out::toString);
    assertEquals(1, run("repair", "--dir", dir, "--dry-run", "--json"), err::toString);
    assertEquals(misplaced, json().at("/report/misplaced").asLong());

    assertEquals(0, run("repair", "--dir", dir, "--json"), err::toString);
    assertTrue(json().path("clean").asBoolean());
    assertEquals(misplaced - 3, json().at("/report/moved").asLong());
    assertEquals(3, json().at("/report/rejected").asLong());
    assertTrue(json().at("/report/rejections/0/kept").asText().contains("new"), out::toString);
    int lines = 0;
    for (Path file : new LocalFileSystem().list(directory.resolve("repair-rejects"))) {
      lines += Files.readAllLines(file).size();
    }
    assertEquals(3, lines);

    assertEquals(0, run("repair", "--dir", dir), err::toString);
    assertTrue(out.toString().startsWith("Nothing to repair"), out::toString);
    long there = 0;
    for (int node = 0; node < 3; node++) {
      try (StorageEngine engine = open(node, 3)) {
        assertEquals(List.of(), engine.verify().problems());
        there += engine.verify().records();
        for (int id : again) {
          if (node(id, 3) == node) {
            byte[] kept = engine.dataset("tweets").get(Key.of(id)).orElseThrow();
            assertArrayEquals(record(id, "new"), kept);
          }
        }
      }
    }
    assertEquals(RECORDS, there);
  }

  @Test
  void nodesThatASmallerClusterHasLeftOutsideAreEmptied() throws Exception {
    List<Integer> all = IntStream.range(0, 10).boxed().toList();
    fill(2, 2, all, "old");
    fill(1, 1, List.of(), "new");
    assertEquals(0, run("repair", "--dir", directory.toString()), err::toString);
    try (StorageEngine engine = open(0, 1)) {
      assertEquals(10, engine.verify().records());
    }
  }

  @Test
  void theDirectoryOfOneEngineIsVerifiedAndRepairedToo() throws Exception {
    // With pages for which the default limits of records are too wide.
    try (StorageEngine engine =
        StorageEngine.open(
            EngineOptions.builder(directory)
                .pageBytes(4096)
                .recordLimits(new RecordLimits(1 << 16, 64, 64, 256))
                .build())) {
      engine.createDataset(DatasetOptions.of("d", "id").withPartitions(2)).insert(record(1, "a"));
    }
    assertEquals(0, run("verify", "--dir", directory.toString(), "--json"), err::toString);
    assertEquals(1, json().at("/nodes/0/report/records").asLong());
    assertEquals(0, run("repair", "--dir", directory.toString(), "--json"), err::toString);
    assertEquals(1, json().at("/report/datasets").asLong());
  }

  @Test
  void whatIsNoStoreIsSaidSo() throws Exception {
    assertEquals(1, run("repair", "--dir", directory.toString(), "--json"));
    assertEquals("UNKNOWN_DATASET", json().at("/error/reason").asText());
    assertEquals(2, run("repair", "--dir", directory.toString(), "--no-such-option"));
  }
}
