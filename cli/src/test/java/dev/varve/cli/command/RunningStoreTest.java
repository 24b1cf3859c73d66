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
import dev.varve.report.Console;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
}
