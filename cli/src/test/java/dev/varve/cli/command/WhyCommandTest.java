package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.cli.VarveCommand;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSnapshot;
import dev.varve.dataset.KeyValueSession;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.report.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: {@code varve why} says what waits for what, of an engine that runs and of one at rest.
 * Method: an engine in this process on a device that is made slow; the command beside it.
 */
final class WhyCommandTest {
  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    return VarveCommand.run(new Console(new PrintWriter(out), new PrintWriter(err)), arguments);
  }

  private JsonNode report() throws Exception {
    assertEquals(0, run("why", "--dir", directory.toString(), "--json"), err::toString);
    return new ObjectMapper().readTree(out.toString()).at("/nodes/0/report");
  }

  private static void fill(KeyValueStore pairs, int rounds) throws StorageException {
    for (int round = 0; round < rounds; round++) {
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < 100; i++) {
          session.put(
              new Slice((round + " " + i).getBytes(StandardCharsets.UTF_8)),
              new Slice(new byte[1000]));
        }
      }
      pairs.flush();
    }
  }

  @Test
  void aRunningMergeIsShownWithItsRateAndOneAtRestAsDue() throws Exception {
    EngineOptions slow = EngineOptions.builder(directory).ioBytesPerSecond(200_000).build();
    try (StorageEngine engine = StorageEngine.open(slow)) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "pairs",
              KeyValueOptions.DEFAULTS.withMergePolicy(new MergePolicyOptions("constant(4)")));
      fill(pairs, 4);
      JsonNode report = report();
      assertEquals("running", report.path("source").asText());
      while (!report.at("/tasks/0/kind").asText().equals("MERGE")
          || report.at("/tasks/0/bytesPerSecond").asLong() == 0) {
        Thread.onSpinWait(); // the engine shows itself once a second, perhaps before the first step
        report = report();
      }
      assertEquals("fair", report.path("scheduler").asText());
      assertEquals(0, run("why", "--dir", directory.toString()));
      assertTrue(out.toString().contains("no write waits"), out::toString);
      assertTrue(out.toString().contains("besides merge of 4 components"), out::toString);
    }
    JsonNode report = report();
    assertEquals("stopped", report.path("source").asText());
    assertEquals("DUE", report.at("/tasks/0/state").asText());
    assertEquals(4, report.at("/indexes/0/components").asInt());
    assertEquals(8, report.at("/indexes/0/limit").asInt());
    assertEquals(0, run("why", "--dir", directory.toString()));
    assertTrue(out.toString().contains("no write would wait"), out::toString);
    assertTrue(out.toString().contains("due when the engine is opened"), out::toString);
  }

  @Test
  void whatSnapshotsKeepOfLargeValuesIsShownAndStatsHaveTheirBytes() throws Exception {
    try (StorageEngine engine = StorageEngine.open(directory)) {
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withLargeValueBytes(500));
      fill(pairs, 1);
      try (EngineSnapshot snapshot = engine.snapshot()) {
        assertTrue(snapshot.get(pairs, "0 7".getBytes(StandardCharsets.UTF_8)).isPresent());
        for (int i = 0; i < 100; i++) {
          pairs.delete(new Slice(("0 " + i).getBytes(StandardCharsets.UTF_8)));
        }
        pairs.compact();
        while (report().path("values").isEmpty()) {
          Thread.onSpinWait(); // the engine shows itself once a second
        }
        assertEquals(0, run("why", "--dir", directory.toString()));
        assertTrue(out.toString().contains("besides large values of 'pairs': "), out::toString);
        assertTrue(out.toString().contains("kept by snapshots from before"), out::toString);
        assertTrue(out.toString().contains("bytes in files of large values"), out::toString);
      }
    }
    assertEquals(0, run("stats", "--dir", directory.toString()));
    assertTrue(out.toString().contains("Large values, live and dead"), out::toString);
    assertTrue(out.toString().contains("never"), out::toString);
    assertEquals(0, run("stats", "--dir", directory.toString(), "--json"));
    JsonNode values =
        new ObjectMapper()
            .readTree(out.toString())
            .at("/nodes/0/engine/datasets/0/partitions/0/values");
    assertTrue(values.path("files").asInt() > 0, out::toString);
    assertEquals("RESTING", values.path("activity").asText());
  }

  @Test
  void aDirectoryWithoutAnEngineIsRefused() {
    assertEquals(1, run("why", "--dir", directory.toString()));
    assertTrue(err.toString().contains("neither a cluster nor an engine"), err::toString);
  }
}
