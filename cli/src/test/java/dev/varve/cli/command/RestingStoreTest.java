package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.cli.VarveCommand;
import dev.varve.dataset.StorageEngine;
import dev.varve.report.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Goal: the commands read the store of any program, and reading changes no byte of it. Method: an
 * engine as a program embeds it, also as a kill leaves it: another process fills it and ends in the
 * middle. All files are compared before and after each command.
 */
final class RestingStoreTest extends KilledStoreCase {
  private static final String[] READING = {
    "stats",
    "verify",
    "why",
    "get --dataset people 3",
    "get --dataset pairs k1",
    "find --dataset people --by address.city --range London:London",
    "find --dataset people --near 1,1,1.5",
    "find --dataset people --nearest 0,0,2",
    "find --dataset people --words engine",
    "find --dataset people --contains engi",
    "find --dataset pairs --range k1:k2",
    "dump --dataset people",
    "dump --dataset pairs",
    "repair --dry-run"
  };

  /** Every path below, with the content and the time of its last change. */
  private static Map<String, String> content(Path root) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        content.put(
            root.relativize(file).toString(),
            Files.getLastModifiedTime(file)
                + (Files.isDirectory(file)
                    ? ""
                    : " " + HexFormat.of().formatHex(Files.readAllBytes(file))));
      }
    }
    return content;
  }

  private int run(String line) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] arguments = (line + " --dir " + directory).split(" ");
    return VarveCommand.run(new Console(new PrintWriter(out), new PrintWriter(err)), arguments);
  }

  private JsonNode json(String line) throws Exception {
    assertEquals(0, run(line + " --json"), () -> out + "" + err);
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void readingChangesNoByteOfAStoreThatWasKilled() throws Exception {
    Map<String, String> before = content(directory);
    for (String line : READING) {
      assertEquals(0, run(line), () -> line + ": " + out + err);
      assertEquals(before, content(directory), line);
      assertEquals(line.split(" ")[0], json(line).path("command").asText());
      assertEquals(before, content(directory), line);
    }
  }

  @Test
  void readingChangesNoByteOfAStoreThatWasClosed() throws Exception {
    try (StorageEngine engine = StorageEngine.open(directory)) {
      assertEquals(2, engine.names().size());
    }
    readingChangesNoByteOfAStoreThatWasKilled();
  }

  @Test
  void recordsAreReadByKeyAndThroughEveryIndex() throws Exception {
    assertEquals("New York", json("get --dataset people 3").at("/records/0/address/city").asText());
    assertEquals(1, run("get --dataset people 4"));
    assertEquals(
        2,
        json("find --dataset people --by address.city --range London:London")
            .path("count")
            .asInt());
    assertEquals(2, json("find --dataset people --near 1,1,1.5 --count").path("count").asInt());
    assertEquals(3, json("find --dataset people --words engine").path("records").size());
    assertEquals(3, json("find --dataset people --contains engi").path("records").size());
    JsonNode nearest = json("find --dataset people --nearest 3.1,3.1,2");
    assertEquals(3, nearest.at("/records/0/id").asInt());
    assertEquals(2, nearest.at("/records/1/id").asInt());
    assertEquals(2, nearest.path("count").asInt());
    JsonNode dumped = json("dump --dataset people");
    assertEquals(3, dumped.path("records").size());
    assertEquals(3, dumped.path("count").asInt());
    assertEquals(2, json("find --dataset people --range 2:").path("count").asInt());
    assertEquals(1, json("find --dataset people --range : --limit 1").path("count").asInt());
  }

  @Test
  void pairsAreTextOrHexadecimal() throws Exception {
    assertEquals("one", json("get --dataset pairs k1").at("/records/0/value").asText());
    assertEquals("0x0001", json("get --dataset pairs 0x6b32").at("/records/0/value").asText());
    assertEquals(0, run("dump --dataset pairs"));
    assertEquals("k1\tone\nk2\t0x0001\n", out.toString().replace("\r", ""));
    assertEquals(1, json("find --dataset pairs --range k2: --count").path("count").asInt());
    assertEquals(2, run("get --dataset pairs 0x6"), err::toString);
  }

  @Test
  void aNameIsNeededWhereThereAreSeveral() {
    assertEquals(1, run("dump"));
    assertTrue(err.toString().contains("there are: pairs, people"), err::toString);
    assertEquals(1, run("get --dataset persons 1"));
    assertTrue(err.toString().contains("named 'persons'; there are: pairs, people"), err::toString);
    assertEquals(1, run("find --dataset pairs --words engine"));
    assertTrue(err.toString().contains("key-value store"), err::toString);
  }

  @Test
  void indexesAreAddedAndDropped() throws Exception {
    JsonNode added = json("add-index --dataset people --index id");
    assertEquals("id", added.path("index").asText());
    assertEquals(3, added.path("entries").asInt());
    assertEquals(1, json("find --dataset people --by id --range 3:3").path("count").asInt());
    assertEquals(1, run("add-index --dataset people --index id"));
    assertTrue(err.toString().contains("has an index 'id' already"), err::toString);
    assertEquals(
        "drop-index", json("drop-index --dataset people --index id").path("command").asText());
    assertEquals(1, run("drop-index --dataset people --index id"));
    assertTrue(err.toString().contains("its indexes are [address.city"), err::toString);
    assertEquals(2, run("add-index --dataset people --index nothing:id"));
    assertTrue(err.toString().contains("no kind of index: 'nothing'"), err::toString);
    assertEquals(1, run("add-index --dataset pairs --index id"));
    assertTrue(err.toString().contains("key-value store"), err::toString);
  }

  @Test
  void rangesOfKeysAreDeleted() throws Exception {
    assertEquals(
        "people", json("delete-range --dataset people --from 2 --to 3").path("dataset").asText());
    assertEquals(1, run("get --dataset people 2"));
    assertEquals(0, run("get --dataset people 3"));
    assertEquals(0, run("delete-range --dataset pairs --to k2"), err::toString);
    assertTrue(out.toString().contains("what 'pairs' had to below k2 is deleted"), out::toString);
    assertEquals(1, json("dump --dataset pairs").path("count").asInt());
    assertEquals(0, run("verify"), err::toString);
    assertEquals(2, run("delete-range --dataset people"));
    assertTrue(err.toString().contains("--from or --to is missing"), err::toString);
    assertEquals(2, run("delete-range --dataset pairs --from k --from 1"));
    assertEquals(2, run("delete-range --dataset pairs --from 0x6"));
    assertEquals(1, run("delete-range --dataset persons --from 1"));
    assertEquals(1, json("dump --dataset pairs").path("count").asInt());
  }

  @Test
  void compactLeavesOneComponentOfEachIndex() throws Exception {
    assertEquals(6, json("compact").path("componentsAfter").asInt());
    assertEquals(6, json("stats").path("indexes").size());
  }

  @Test
  void whatIsNoStoreIsRefusedAndLeftAlone() throws Exception {
    directory = temporary.resolve("foreign");
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("letter.txt"), "Dear Ada");
    Map<String, String> before = content(directory);
    for (String line : READING) {
      assertEquals(1, run(line), line);
      assertTrue(err.toString().contains("neither a cluster nor an engine"), err::toString);
    }
    assertEquals(1, run("compact"));
    assertFalse(err.toString().isEmpty());
    assertEquals(1, run("ingest --tweets 1"), err::toString);
    assertEquals(before, content(directory));
    Files.delete(directory.resolve("letter.txt"));
  }
}
