package dev.varve.it.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: help helps, and wrong arguments exit with 2, say what is wrong in a line and touch nothing.
 * Method: run commands in this process; none of them gets as far as a cluster.
 */
final class ArgumentsTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ingest",
        "query",
        "get",
        "find",
        "dump",
        "import",
        "export",
        "stats",
        "compact",
        "verify",
        "repair",
        "why",
        "tail-log",
        "checkpoint",
        "backup",
        "restore"
      })
  void everyCommandHasHelpWithExamples(String command) {
    CommandRun run = CommandRun.good(command, "--help");
    assertTrue(run.out().contains("Usage: varve " + command), run::out);
    assertTrue(run.out().contains("Examples:"), run::out);
    assertTrue(run.out().contains("--dir"), run::out);
    assertTrue(run.out().contains("--json"), run::out);
    assertEquals("", run.err());
  }

  @Test
  void helpOfTheWholeListsTheCommands() {
    CommandRun run = CommandRun.good("--help");
    for (String command :
        List.of(
            "ingest",
            "query",
            "get",
            "find",
            "dump",
            "import",
            "export",
            "checkpoint",
            "backup",
            "restore",
            "stats",
            "compact",
            "verify",
            "repair",
            "why",
            "tail-log",
            "shell",
            "completion",
            "man",
            "bench",
            "reproduce",
            "ycsb",
            "Exit codes")) {
      assertTrue(run.out().contains(command), run::out);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unknown",
        "ingest",
        "ingest --dir D",
        "ingest --tweets 10",
        "ingest --dir D --tweets ten",
        "ingest --dir D --tweets -1",
        "ingest --dir D --tweets 10 --start -5",
        "ingest --dir D --tweets 10 --nodes 0",
        "ingest --dir D --tweets 10 --partitions 1000",
        "ingest --dir D --tweets 10 --durability sometimes",
        "ingest --dir D --tweets 10 --policy tiering",
        "ingest --dir D --tweets 10 --policy constant:1",
        "ingest --dir D --tweets 10 --scheduler greedy:0",
        "ingest --dir D --tweets 10 --gate slow:2:1m",
        "ingest --dir D --tweets 10 --memory 1",
        "ingest --dir D --tweets 10 --memory lots",
        "ingest --dir D --tweets 10 --index a..b",
        "ingest --dir D --tweets 10 --index a,a",
        "ingest --dir D --tweets 10 --index skiplist:lang",
        "ingest --dir D --tweets 10 --index ngram9:lang",
        "ingest --dir D --tweets 10 --index rtree:",
        "ingest --dir D --tweets 10 --index keyword:a,keyword:a",
        "ingest --dir D --tweets 10 --feeds 0",
        "ingest --dir D --tweets 10 --feeds 2 --acks F",
        "ingest --dir D --tweets 10 --unknown",
        "ingest --dir D --tweets 10 --input F --dataset d",
        "ingest --dir D --input F",
        "ingest --dir D --input F --dataset d --format parquet",
        "ingest --dir D --input tcp://nowhere --dataset d",
        "ingest --dir D --input F --dataset d --key a..b",
        "ingest --dir D --input F --dataset d --feeds 0",
        "cluster",
        "cluster start",
        "cluster start --dir D --nodes 0",
        "cluster kill-node --dir D",
        "query --dir D",
        "query --dir D --get 1 --range 1:2",
        "query --dir D --get 1 --by lang",
        "query --dir D --by lang",
        "query --dir D --range 12",
        "query --dir D --range 1:2 --limit -1",
        "query --dir D --near 1,2",
        "query --dir D --near 1,2,wide",
        "query --dir D --near 1,2,-3",
        "query --dir D --near 1,2,3 --get 1",
        "query --dir D --near 1,2,3 --range 1:2",
        "query --dir D --window 3,0,1,1",
        "query --dir D --nearest 1,2,0",
        "query --dir D --nearest 1,2,many",
        "query --dir D --words ...",
        "query --dir D --any-words .",
        "query --dir D --phrase .",
        "query --dir D --similar abc",
        "query --dir D --similar abc,2",
        "stats",
        "compact",
        "verify --dir D more",
        "tail-log --dir D more",
        "shell",
        "shell --dir D more",
        "completion",
        "completion fish",
        "get --dir D",
        "find --dir D",
        "find --dir D --range 1",
        "dump --dir D more",
        "import --dir D --dataset d --key id",
        "import --dir D --key id F",
        "import --dir D --dataset d F",
        "import --dir D --dataset d --key a..b F",
        "import --dir D --dataset d --key id --index skiplist:lang F",
        "import --dir D --dataset d --key id --format parquet F",
        "import --dir D --dataset d --key id --pairs F",
        "export --dir D --format parquet",
        "checkpoint --dir D",
        "backup --dir D",
        "restore --dir D",
        "restore --dir D --from F --number one"
      })
  void wrongArgumentsExitWithTwoAndTouchNothing(String line) {
    List<String> arguments = new ArrayList<>();
    for (String argument : line.split(" ")) {
      if (!argument.isEmpty()) {
        arguments.add(argument.equals("D") ? directory.resolve("d").toString() : argument);
      }
    }
    CommandRun run = CommandRun.of(arguments.toArray(new String[0]));
    assertEquals(2, run.exitCode(), run::toString);
    assertEquals("", run.out());
    assertEquals(2, run.err().lines().count(), run::err);
    assertFalse(Files.exists(directory.resolve("d")));

    arguments.add("--json");
    CommandRun withJson = CommandRun.of(arguments.toArray(new String[0]));
    assertEquals(2, withJson.exitCode());
    assertEquals("WrongArguments", withJson.json().path("error").path("type").asText());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stats",
        "compact",
        "verify",
        "tail-log",
        "get 1",
        "find --range 1:2",
        "dump",
        "export F",
        "checkpoint --to /nowhere/t",
        "backup --to /nowhere/b",
        "restore --from /nowhere/b",
        "query --get 1",
        "query --near -73.9,-40.7,0.5",
        "query --words -blue",
        "query --by f --contains ,"
      })
  void directoryWithoutClusterIsRefusedInOneLine(String line) {
    List<String> arguments = new ArrayList<>(List.of(line.split(" ")));
    arguments.addAll(List.of("--dir", directory.resolve("d").toString(), "--json"));
    CommandRun run = CommandRun.of(arguments.toArray(new String[0]));
    assertEquals(1, run.exitCode());
    assertEquals("UNKNOWN_DATASET", run.json().path("error").path("reason").asText());
    assertEquals(1, run.err().lines().count(), run::err);
    assertFalse(Files.exists(directory.resolve("d")));
  }
}
