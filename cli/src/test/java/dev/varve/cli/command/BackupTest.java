package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.cli.VarveCommand;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.hyracks.adapter.NodeFile;
import dev.varve.report.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: checkpoints, backups and restored directories hold what the store held, and the store does
 * not change. Method: the store that a killed program leaves, and a cluster at rest; everything is
 * exported and compared, before and after the original has changed.
 */
final class BackupTest {
  @TempDir static Path shared;
  @TempDir Path temporary;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void fill() throws Exception {
    KilledStore.fill(shared.resolve("killed"));
  }

  private int run(String line) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return VarveCommand.run(
        new Console(new PrintWriter(out), new PrintWriter(err)),
        line.replace("T/", temporary + "/").split(" "));
  }

  private JsonNode json(String line) throws Exception {
    assertEquals(0, run(line + " --json"), () -> out + "" + err);
    return new ObjectMapper().readTree(out.toString());
  }

  private String exported(String directory, String dataset) {
    assertEquals(
        0, run("export --dir " + directory + " --dataset " + dataset), () -> out + "" + err);
    return out.toString();
  }

  private static Map<String, Long> sizes(Path root) throws Exception {
    Map<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        sizes.put(
            root.relativize(file) + " " + Files.getLastModifiedTime(file),
            Files.isDirectory(file) ? -1 : Files.size(file));
      }
    }
    return sizes;
  }

  @Test
  void aProgramsStoreIsCopiedAndRestored() throws Exception {
    KilledStore.copy(shared.resolve("killed"), temporary.resolve("s"));
    Map<String, Long> before = sizes(temporary.resolve("s"));
    String people = exported("T/s", "people");
    String pairs = exported("T/s", "pairs");
    assertTrue(json("checkpoint --dir T/s --to T/c").at("/copied/components").asInt() > 0);
    assertEquals(0, json("backup --dir T/s --to T/b").at("/copied/reused").asInt());
    assertEquals(before, sizes(temporary.resolve("s")));
    Files.writeString(
        temporary.resolve("more.ndjson"), "{\"id\":9,\"address\":{\"city\":\"Paris\"}}\n");
    json("import --dir T/s --dataset people T/more.ndjson");
    JsonNode second = json("backup --dir T/s --to T/b");
    assertTrue(second.at("/copied/reused").asInt() > 0, second::toString);
    assertTrue(second.at("/copied/copiedBytes").asLong() > 0, second::toString);
    json("compact --dir T/s");
    json("restore --from T/b --number 1 --dir T/r1");
    json("restore --from T/b --dir T/r2");
    for (String copy : List.of("T/c", "T/b/000001", "T/r1")) {
      assertEquals(people, exported(copy, "people"), copy);
      assertEquals(pairs, exported(copy, "pairs"), copy);
      assertEquals(0, run("verify --dir " + copy), () -> copy + out + err);
    }
    assertEquals(exported("T/s", "people"), exported("T/r2", "people"));
    assertEquals(4, exported("T/r2", "people").lines().count());
  }

  @Test
  void aClusterIsCopiedWithItsNodes() throws Exception {
    Path cluster = temporary.resolve("s");
    for (int node = 0; node < 2; node++) {
      Path engine = cluster.resolve("node-" + node).resolve("store");
      Files.createDirectories(engine.getParent());
      try (StorageEngine opened =
          StorageEngine.open(
              EngineOptions.builder(engine).place(new ClusterPlace(node, 2)).build())) {
        opened.createDataset(DatasetOptions.of("d", "id").withPartitions(2));
      }
    }
    new NodeFile(new LocalFileSystem(), cluster.resolve("cluster.json"))
        .write(
            NodeFile.newDocument("varve-cluster", 1).put("nodes", 2).put("partitionsPerNode", 2));
    StringBuilder records = new StringBuilder();
    for (int id = 0; id < 40; id++) {
      records.append("{\"id\":").append(id).append("}\n");
    }
    Files.writeString(temporary.resolve("r.ndjson"), records, StandardCharsets.UTF_8);
    json("import --dir T/s --dataset d T/r.ndjson");
    String all = exported("T/s", "d");
    json("checkpoint --dir T/s --to T/c");
    json("backup --dir T/s --to T/b");
    json("backup --dir T/s --to T/b");
    json("restore --from T/b --dir T/r");
    for (String copy : List.of("T/c", "T/r")) {
      assertEquals(all, exported(copy, "d"), copy);
      assertEquals(0, run("get --dir " + copy + " 17"));
      assertEquals(0, run("verify --dir " + copy), () -> copy + out + err);
    }
  }

  @Test
  void whatIsInTheWayIsRefusedAndLeftAlone() throws Exception {
    KilledStore.copy(shared.resolve("killed"), temporary.resolve("s"));
    Files.createDirectories(temporary.resolve("f"));
    Files.writeString(temporary.resolve("f/letter.txt"), "Dear Ada");
    Map<String, Long> before = sizes(temporary.resolve("f"));
    for (String line :
        List.of(
            "checkpoint --dir T/s --to T/f",
            "backup --dir T/s --to T/f",
            "restore --from T/f --dir T/r",
            "checkpoint --dir T/f --to T/r",
            "backup --dir T/f --to T/b")) {
      assertEquals(1, run(line), line);
      assertFalse(err.toString().contains("at dev.varve"), err::toString);
    }
    assertEquals(before, sizes(temporary.resolve("f")));
    assertFalse(Files.exists(temporary.resolve("r")));
    json("backup --dir T/s --to T/b");
    assertEquals(1, run("restore --from T/b --dir T/f"));
    assertEquals(1, run("restore --from T/b --number 7 --dir T/r"));
    assertEquals(before, sizes(temporary.resolve("f")));
  }

  @Test
  void aDamagedBackupIsNotRestoredInSilence() throws Exception {
    KilledStore.copy(shared.resolve("killed"), temporary.resolve("s"));
    json("compact --dir T/s");
    json("backup --dir T/s --to T/b");
    try (Stream<Path> files = Files.walk(temporary.resolve("b"))) {
      Path component =
          files.filter(file -> file.toString().endsWith(".lsm")).findFirst().orElseThrow();
      byte[] bytes = Files.readAllBytes(component);
      bytes[100] ^= 1;
      Files.write(component, bytes);
    }
    JsonNode second = json("backup --dir T/s --to T/b");
    assertEquals(second.at("/copied/components").asInt() - 1, second.at("/copied/reused").asInt());
    assertEquals(1, run("restore --from T/b --number 1 --dir T/r1"), out::toString);
    json("restore --from T/b --dir T/r2");
  }
}
