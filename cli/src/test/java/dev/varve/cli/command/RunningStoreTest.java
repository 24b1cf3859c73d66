package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.cli.VarveCommand;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.report.Console;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: the commands serve the store of a program that runs: they read what it has committed, and
 * have it change what they change. Method: the program's engine is open in this process.
 */
final class RunningStoreTest extends KilledStoreCase {
  private StorageEngine engine;

  @BeforeEach
  void run() throws Exception {
    engine = StorageEngine.open(directory);
    engine.dataset("people").upsert(person(9));
  }

  @AfterEach
  void end() throws Exception {
    assertTrue(engine.verify().clean());
    engine.close();
  }

  private static byte[] person(int id) {
    return "{\"id\":%d,\"address\":{\"city\":\"Rome\"}}"
        .formatted(id)
        .getBytes(StandardCharsets.UTF_8);
  }

  private int run(String line) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] arguments = (line + " --dir " + directory).split(" ");
    return VarveCommand.run(new Console(new PrintWriter(out), new PrintWriter(err)), arguments);
  }

  private JsonNode json(String line) throws Exception {
    assertEquals(0, run(line + " --json"), () -> line + ": " + out + err);
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void whatWasCommittedIsRead() throws Exception {
    assertEquals("Rome", json("get --dataset people 9").at("/records/0/address/city").asText());
    assertEquals(
        1, json("find --dataset people --by address.city --range Rome:Rome").path("count").asInt());
    assertEquals(4, json("dump --dataset people").path("count").asInt());
    assertEquals("one", json("get --dataset pairs k1").at("/records/0/value").asText());
    for (String line : new String[] {"stats", "verify", "why", "export --dataset people"}) {
      assertEquals(0, run(line), () -> line + ": " + out + err);
    }
  }

  @Test
  void indexesAreAddedAndDroppedBesideAWriter() throws Exception {
    Dataset people = engine.dataset("people");
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Integer> writer =
        CompletableFuture.supplyAsync(
            () -> {
              int id = 100;
              for (; !ended.get(); id++) {
                try {
                  people.upsert(person(id));
                } catch (dev.varve.common.error.StorageException failure) {
                  throw new IllegalStateException(failure);
                }
              }
              return id;
            });
    JsonNode added = json("add-index --dataset people --index id");
    ended.set(true);
    int next = writer.join();
    assertTrue(added.path("entries").asInt() >= 4, added::toString);
    try (var found = people.search("id", ValueRange.exactly(Key.of(next - 1)))) {
      assertTrue(found.next());
    }
    assertEquals("id", json("drop-index --dataset people --index id").path("index").asText());
    assertEquals(1, run("drop-index --dataset people --index id"));
    assertTrue(err.toString().contains("id"), err::toString);
  }

  @Test
  void rangesOfKeysAreDeletedByTheProcess() throws Exception {
    assertEquals(0, run("delete-range --dataset people --from 9 --to 10"), err::toString);
    assertEquals(3, engine.dataset("people").count(ValueRange.all()));
    assertTrue(engine.dataset("people").get(Key.of(9)).isEmpty());
    assertEquals("pairs", json("delete-range --dataset pairs --from k1").path("dataset").asText());
    assertTrue(engine.keyValueStore("pairs").get(new byte[] {'k', '1'}).isEmpty());
    assertEquals(1, run("delete-range --dataset persons --from 1"));
  }

  @Test
  void compactedAndCopied() throws Exception {
    engine.dataset("people").flush();
    JsonNode compacted = json("compact");
    assertEquals("compact", compacted.path("command").asText());
    assertEquals(
        1,
        engine.dataset("people").stats().partitions().get(0).indexes().get(0).components().size());
    Path checkpoint = directory.resolveSibling(directory.getFileName() + "-checkpoint");
    Path backups = directory.resolveSibling(directory.getFileName() + "-backups");
    assertEquals(0, run("checkpoint --to " + checkpoint), err::toString);
    assertEquals(0, run("backup --to " + backups), err::toString);
    try (StorageEngine copy = StorageEngine.open(checkpoint)) {
      assertTrue(copy.dataset("people").get(Key.of(9)).isPresent());
      assertTrue(copy.verify().clean());
    }
  }

  /** Record 1 had another value, which lies on disk. */
  private static void leaveObsolete(Dataset places) throws Exception {
    for (String city : new String[] {"Rome", "Bari"}) {
      places.upsert(("{\"id\":1,\"city\":\"" + city + "\"}").getBytes(StandardCharsets.UTF_8));
      places.flush();
    }
  }

  @Test
  void indexesAreRepairedWithoutAMerge() throws Exception {
    Dataset places =
        engine.createDataset(
            DatasetOptions.of("places", "id")
                .withIndexes(List.of(IndexDefinition.on("city")))
                .withMergePolicy(MergePolicyOptions.none())
                .withMaintenance(IndexMaintenance.VALIDATION));
    leaveObsolete(places);
    JsonNode beside = json("compact --repair-only");
    assertEquals(1, beside.path("obsolete").asInt(), beside::toString);
    leaveObsolete(places);
    engine.close();
    JsonNode resting = json("compact --repair-only");
    assertEquals(3, resting.path("obsolete").asInt(), resting::toString);
    assertEquals(0, run("compact --repair-only"), err::toString);
    assertTrue(out.toString().contains("Searches leave out 3 obsolete entries"), out::toString);
    assertEquals(0, run("stats"), err::toString);
    assertEquals(
        1, json("find --dataset places --by city --range Bari:Bari --count").path("count").asInt());
    engine = StorageEngine.open(directory);
  }

  private Path file(String name, String... lines) throws Exception {
    return Files.write(directory.resolveSibling(directory.getFileName() + name), List.of(lines));
  }

  @Test
  void filesAreImportedByTheProcess() throws Exception {
    Path people =
        file(
            "-people.ndjson",
            "{\"id\":9,\"address\":{\"city\":\"Bari\"}}",
            "{\"address\":{\"city\":\"Oslo\"}}",
            "{\"id\":10,\"address\":{\"city\":\"Oslo\"}}");
    Path rejects = directory.resolveSibling(directory.getFileName() + "-rejects");
    assertEquals(
        1,
        run("import --dataset people --json --rejects " + rejects + " " + people),
        err::toString);
    JsonNode imported = new ObjectMapper().readTree(out.toString());
    assertEquals(3, imported.at("/counts/read").asInt(), imported::toString);
    assertEquals(2, imported.at("/counts/taken").asInt(), imported::toString);
    assertEquals(1, imported.at("/counts/replaced").asInt(), imported::toString);
    JsonNode rejected = new ObjectMapper().readTree(Files.readString(rejects));
    assertEquals(people + ":2", rejected.path("place").asText());
    assertTrue(rejected.path("record").asText().contains("Oslo"), rejected::toString);
    assertEquals(5, engine.dataset("people").count(ValueRange.all()));
    assertEquals(
        1, json("find --dataset people --by address.city --range Bari:Bari").path("count").asInt());
  }

  @Test
  void storesAreMadeByTheProcess() throws Exception {
    Path places = file("-places.csv", "id,name,born", "1,Ada,1815", "2,Alan,1912");
    JsonNode made = json("import --dataset places --key id --index born,keyword:name " + places);
    assertEquals("upserts of the running process", made.at("/target/method").asText());
    Dataset dataset = engine.dataset("places");
    assertEquals(2, dataset.count(ValueRange.all()));
    assertEquals(
        List.of("born", "keyword:name"),
        dataset.options().indexes().stream().map(index -> index.name()).toList());
    Path pairs = file("-pairs.ndjson", "{\"key\":\"k9\",\"value\":\"nine\"}", "{\"key\":1}");
    assertEquals(1, run("import --dataset more --pairs " + pairs), err::toString);
    assertEquals("nine", json("get --dataset more k9").at("/records/0/value").asText());
    assertEquals(1, run("import --dataset people --key name " + places), err::toString);
    assertTrue(err.toString().contains("address.city"), err::toString);
    assertEquals(2, run("import --dataset nowhere " + places), err::toString);
  }

  @Test
  void aRepairIsRefusedAndSaysWhatToDo() throws Exception {
    assertEquals(1, run("repair"));
    assertTrue(err.toString().contains("--dry-run"), err::toString);
    assertEquals(0, run("repair --dry-run"), err::toString);
  }
}
