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
import dev.varve.dataset.options.EngineOptions;
import dev.varve.hyracks.adapter.NodeFile;
import dev.varve.report.Console;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what files hold is in the store after an import, what a store holds is in the file after an
 * export, and nothing is left half done. Method: small files of every format into new stores,
 * stores of programs and clusters at rest; {@code verify} after each; a process that is killed
 * while it imports.
 */
final class ImportExportTest {
  private static final String PLACES =
      """
      {"id":3,"name":"Oslo","at":[10.7,59.9]}
      {"id":1,"name":"Wien","at":[16.4,48.2]}
      {"id":2,"name":"Bern"}
      """;

  @TempDir Path temporary;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String line) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return VarveCommand.run(
        new Console(new PrintWriter(out), new PrintWriter(err)),
        line.replace("T/", temporary + "/").split(" "));
  }

  private JsonNode json(int exitCode, String line) throws Exception {
    assertEquals(exitCode, run(line + " --json"), () -> out + "" + err);
    return new ObjectMapper().readTree(out.toString());
  }

  private Path write(String name, String text) throws Exception {
    return Files.writeString(temporary.resolve(name), text);
  }

  private String exported(String arguments) {
    assertEquals(0, run("export --dir " + arguments), () -> out + "" + err);
    return out.toString();
  }

  private void verify(String directory) {
    assertEquals(0, run("verify --dir " + directory), () -> out + "" + err);
  }

  @Test
  void anEmptyDatasetIsLoadedInAnyOrderWithItsIndexes() throws Exception {
    write("places.ndjson", PLACES);
    JsonNode summary =
        json(0, "import --dir T/s --dataset places --key id --index rtree:at,name T/places.ndjson");
    assertEquals("bulk load", summary.at("/target/method").asText());
    assertEquals(3, summary.at("/counts/taken").asInt());
    assertEquals("integer", summary.at("/fields/id").asText());
    assertEquals("text", summary.at("/fields/name").asText());
    assertEquals(2, json(0, "find --dir T/s --near 15,55,10 --count").path("count").asInt());
    assertEquals(1, json(0, "find --dir T/s --by name --range Bern:Bern").path("count").asInt());
    assertEquals(
        List.of(1, 2, 3),
        exported("T/s").lines().map(line -> line.charAt(6) - '0').toList(),
        out::toString);
    verify("T/s");
  }

  @Test
  void aDatasetWithRecordsGetsUpserts() throws Exception {
    write("places.ndjson", PLACES);
    write("more.ndjson", "{\"id\":3,\"name\":\"Paris\"}\n{\"id\":4,\"name\":\"Rom\"}\n");
    json(0, "import --dir T/s --dataset places --key id --index name T/places.ndjson");
    JsonNode summary = json(0, "import --dir T/s --dataset places T/more.ndjson");
    assertEquals("upserts", summary.at("/target/method").asText());
    assertEquals(2, summary.at("/counts/taken").asInt());
    assertEquals(1, summary.at("/counts/replaced").asInt());
    assertEquals(0, json(0, "find --dir T/s --by name --range Oslo:Oslo").path("count").asInt());
    assertEquals(1, json(0, "find --dir T/s --by name --range Paris:Paris").path("count").asInt());
    assertEquals(4, exported("T/s").lines().count());
    verify("T/s");
  }

  @Test
  void whatIsRefusedIsNamedWithItsLineAndTheRestIsIn() throws Exception {
    write("bad.csv", "id,name\n1,Wien\n,Oslo\n2,\"B\nern\"\n3\n4,Rom\n");
    JsonNode summary =
        json(1, "import --dir T/s --dataset d --key id --rejects T/rejects T/bad.csv");
    assertEquals(5, summary.at("/counts/read").asInt());
    assertEquals(3, summary.at("/counts/taken").asInt());
    assertEquals(2, summary.at("/counts/rejected").asInt());
    List<String> rejects = Files.readAllLines(temporary.resolve("rejects"));
    assertEquals(2, rejects.size());
    JsonNode first = new ObjectMapper().readTree(rejects.get(0));
    assertEquals(temporary.resolve("bad.csv") + ":3", first.path("place").asText());
    assertEquals("MALFORMED_RECORD", first.path("reason").asText());
    assertEquals("{\"name\":\"Oslo\"}", first.path("record").asText());
    JsonNode second = new ObjectMapper().readTree(rejects.get(1));
    assertEquals(temporary.resolve("bad.csv") + ":6", second.path("place").asText());
    assertTrue(err.toString().contains("bad.csv:3: MALFORMED_RECORD"), err::toString);
    assertEquals(3, exported("T/s").lines().count());
    assertEquals(1, run("import --dir T/s --dataset d --rejects T/rejects T/bad.csv"));
    assertEquals(2, Files.readAllLines(temporary.resolve("rejects")).size());
    verify("T/s");
  }

  @Test
  void aWordInAColumnOfNumbersIsRefusedUnlessItsTypeIsGiven() throws Exception {
    StringBuilder rows = new StringBuilder("id,zip\n");
    for (int i = 1; i <= 1_000; i++) {
      rows.append(i).append(",").append(i).append("\n");
    }
    write("zip.csv", rows + "1001,AB1\n");
    assertEquals(1, run("import --dir T/s --dataset d --key id T/zip.csv"));
    assertTrue(
        err.toString()
            .contains(
                "zip.csv:1002: MALFORMED_RECORD: column 'zip' has only integer values in the first"
                    + " 1,000 rows, and 'AB1' is text; give --types zip=text"),
        err::toString);
    JsonNode summary = json(0, "import --dir T/t --dataset d --key id --types zip=text T/zip.csv");
    assertEquals(1_001, summary.at("/counts/taken").asInt());
    assertEquals("text", summary.at("/fields/zip").asText());
    verify("T/t");
  }

  @Test
  void everyFormatIsReadByItsName() throws Exception {
    write("a.csv", "id,zip,ok\n1,08001,true\n");
    write("b.tsv", "id\tzip\n2\tx,y\n");
    write("c.json", "[{\"id\":3,\"d\":1.50},\n {\"id\":4}] {\"id\":5}");
    write(
        "d.geojson",
        "{\"type\":\"FeatureCollection\",\"features\":[{\"id\":6,\"type\":\"Feature\"}]}");
    try (OutputStream zipped =
        new GZIPOutputStream(Files.newOutputStream(temporary.resolve("e.json.gz")))) {
      zipped.write("[{\"id\":7}]".getBytes(StandardCharsets.UTF_8));
    }
    JsonNode summary =
        json(
            0,
            "import --dir T/s --dataset d --key id T/a.csv T/b.tsv T/c.json T/d.geojson"
                + " T/e.json.gz");
    assertEquals(7, summary.at("/counts/taken").asInt());
    assertEquals(
        List.of(
            "{\"id\":1,\"zip\":\"08001\",\"ok\":true}",
            "{\"id\":2,\"zip\":\"x,y\"}",
            "{\"id\":3,\"d\":1.50}",
            "{\"id\":4}",
            "{\"id\":5}",
            "{\"id\":6,\"type\":\"Feature\"}",
            "{\"id\":7}"),
        exported("T/s").lines().toList());
  }

  @Test
  void whatIsExportedIsImportedAgain() throws Exception {
    write(
        "in.ndjson",
        """
        {"id":1,"n":1.50,"t":"12","q":"a \\"b\\",\\nc"}
        {"id":2,"ok":false,"big":12345678901234567890}
        """);
    json(0, "import --dir T/s --dataset d --key id T/in.ndjson");
    String all = exported("T/s");
    for (String file :
        List.of("x.csv --format csv", "x.json --format json", "x.ndjson.gz", "x.ndjson.zst")) {
      JsonNode summary = json(0, "export --dir T/s T/" + file);
      assertEquals(2, summary.path("count").asInt());
      String name = file.split(" ")[0];
      json(0, "import --dir T/" + name + "-store --dataset d --key id T/" + name);
      assertEquals(all, exported("T/" + name + "-store"), name);
      assertEquals(1, run("export --dir T/s T/" + file), "it is there");
    }
    try (InputStream zipped =
        new GZIPInputStream(Files.newInputStream(temporary.resolve("x.ndjson.gz")))) {
      assertEquals(all, new String(zipped.readAllBytes(), StandardCharsets.UTF_8));
    }
    assertEquals("[\n", exported("T/s --format json").substring(0, 2));
    assertEquals(2, run("export --dir T/s --json"));
  }

  @Test
  void pairsOfAKeyValueStoreGoOutAndIn() throws Exception {
    KilledStore.fill(temporary.resolve("killed"));
    String all = exported("T/killed --dataset pairs");
    assertEquals(
        "{\"key\":\"k1\",\"value\":\"one\"}\n{\"key\":\"k2\",\"value\":\"0x0001\"}\n", all);
    write("pairs.ndjson", all + "{\"key\":\"k3\"}\n{\"key\":\"0x1\",\"value\":\"\"}\n");
    JsonNode summary = json(1, "import --dir T/s --dataset pairs --pairs T/pairs.ndjson");
    assertEquals("puts", summary.at("/target/method").asText());
    assertEquals(2, summary.at("/counts/rejected").asInt());
    assertEquals(all, exported("T/s"));
    write("person.ndjson", "{\"id\":7,\"address\":{\"city\":\"Paris\"}}\n");
    json(0, "import --dir T/killed --dataset people T/person.ndjson");
    assertEquals(4, exported("T/killed --dataset people").lines().count());
    verify("T/killed");
  }

  @Test
  void newPairsMayHaveAnOperatorByWhichProgramsMergeOperands() throws Exception {
    write("p.ndjson", "{\"key\":\"a\",\"value\":\"m\"}\n");
    json(0, "import --dir T/o --dataset pairs --pairs --operator max T/p.ndjson");
    Path store = temporary.resolve("o");
    try (StorageEngine engine = StorageEngine.open(EngineOptions.builder(store).build())) {
      engine.keyValueStore("pairs").merge(new byte[] {'a'}, new byte[] {'z'});
    }
    assertEquals("{\"key\":\"a\",\"value\":\"z\"}\n", exported("T/o"));
    json(0, "import --dir T/o --dataset pairs T/p.ndjson");
    assertEquals("{\"key\":\"a\",\"value\":\"m\"}\n", exported("T/o"));
    verify("T/o");
    assertEquals(1, run("import --dir T/o --dataset pairs --operator min --pairs T/p.ndjson"));
    assertEquals(2, run("import --dir T/o --dataset pairs --operator max T/p.ndjson"));
    assertEquals(2, run("import --dir T/n --dataset n --pairs --operator max --ttl 1d T/p.ndjson"));
  }

  @Test
  void aClusterAtRestGetsEachRecordOnItsNode() throws Exception {
    Path cluster = temporary.resolve("c");
    for (int node = 0; node < 2; node++) {
      Path engine = cluster.resolve("node-" + node).resolve("store");
      Files.createDirectories(engine.getParent());
      StorageEngine.open(EngineOptions.builder(engine).place(new ClusterPlace(node, 2)).build())
          .close();
    }
    writeShape(cluster);
    StringBuilder records = new StringBuilder();
    for (int id = 40; id > 0; id--) {
      records.append("{\"id\":").append(id).append(",\"n\":").append(id % 3).append("}\n");
    }
    write("r.ndjson", records + "{\"n\":1}\n");
    for (String method : List.of("bulk load", "upserts")) {
      JsonNode summary = json(1, "import --dir T/c --dataset d --key id --index n T/r.ndjson");
      assertEquals(method, summary.at("/target/method").asText());
      assertEquals(40, summary.at("/counts/taken").asInt());
      assertEquals(1, summary.at("/counts/rejected").asInt());
      verify("T/c");
      assertEquals(40, exported("T/c").lines().count());
    }
    assertEquals(0, run("get --dir T/c 17"));
  }

  private static void writeShape(Path cluster) throws Exception {
    new NodeFile(new LocalFileSystem(), cluster.resolve("cluster.json"))
        .write(
            NodeFile.newDocument("varve-cluster", 1).put("nodes", 2).put("partitionsPerNode", 2));
  }

  @Test
  void whatCannotBeImportedLeavesNothing() throws Exception {
    write("r.ndjson", PLACES);
    assertEquals(2, run("import --dir T/s --dataset d T/r.ndjson"), "no key");
    assertEquals(2, run("import --dir T/s --dataset d --key a..b T/r.ndjson"));
    assertEquals(2, run("import --dir T/s --dataset d --key id --format parquet T/r.ndjson"));
    assertEquals(1, run("import --dir T/s --dataset d --key id T/absent.ndjson"));
    assertFalse(Files.exists(temporary.resolve("s")));
    Files.createDirectories(temporary.resolve("foreign"));
    write("foreign/letter.txt", "Dear Ada");
    assertEquals(1, run("import --dir T/foreign --dataset d --key id T/r.ndjson"));
    try (var left = Files.list(temporary.resolve("foreign"))) {
      assertEquals(1, left.count());
    }
    write("cut.json", "[{\"id\":1},{\"id\":");
    assertEquals(1, run("import --dir T/s --dataset d --key id T/r.ndjson T/cut.json"));
    assertEquals("", exported("T/s"));
    json(0, "import --dir T/s --dataset d T/r.ndjson");
    assertEquals(1, run("import --dir T/s --dataset d --index name T/r.ndjson"));
    assertTrue(err.toString().contains("OPTIONS_MISMATCH"), err::toString);
    verify("T/s");
  }

  @Test
  void aKilledImportHasEverythingOrNothing() throws Exception {
    StringBuilder records = new StringBuilder();
    int all = 30_000;
    for (int id = 0; id < all; id++) {
      records.append(
          "{\"id\":%d,\"n\":%d,\"text\":\"tree number %d\"}\n".formatted(id * 7919 % all, id, id));
    }
    write("r.ndjson", records.toString());
    int killed = 0;
    for (int wait = 700; wait <= 2_500; wait += 300) {
      int millis = wait;
      Path directory = temporary.resolve("s" + millis);
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  VarveCommand.class.getName(),
                  "import",
                  "--dir",
                  directory.toString(),
                  "--dataset",
                  "d",
                  "--key",
                  "id",
                  "--index",
                  "n,keyword:text",
                  temporary.resolve("r.ndjson").toString())
              .redirectErrorStream(true)
              .redirectOutput(temporary.resolve("log").toFile())
              .start();
      killed += process.waitFor(millis, TimeUnit.MILLISECONDS) ? 0 : 1;
      process.toHandle().destroyForcibly();
      assertTrue(process.waitFor(1, TimeUnit.MINUTES));
      if (Files.exists(directory.resolve("store"))) {
        verify(directory.toString());
        if (run("export --dir " + directory) == 0) {
          long found = out.toString().lines().count();
          assertTrue(found == 0 || found == all, () -> found + " after " + millis);
        }
      }
      json(
          0,
          "import --dir " + directory + " --dataset d --key id --index n,keyword:text T/r.ndjson");
      assertEquals(all, exported(directory.toString()).lines().count());
      verify(directory.toString());
    }
    System.out.println(killed + " imports were killed");
  }
}
