package dev.varve.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.report.Console;
import dev.varve.report.command.CommandContext;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Goal: {@code bench ycsb} runs every workload cold and warm over both stores and reports it, and
 * refuses what it cannot do. Method: the command with 1,000 records, and its stores in processes of
 * their own.
 */
final class YcsbCommandTest {
  private static final List<String> IDS =
      List.of(
          "load", "a.cold", "a.warm", "b.cold", "b.warm", "c.cold", "c.warm", "d.cold", "d.warm",
          "e.cold", "e.warm", "f.cold", "f.warm");

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandContext context =
      new CommandContext(
          new Console(new PrintWriter(out), new PrintWriter(err)),
          new LocalFileSystem(),
          new SystemClock(),
          new ThreadTaskExecutor());

  private int run(String arguments) {
    CommandLine line = new CommandLine(new YcsbCommand(context));
    line.setErr(new PrintWriter(err));
    return line.execute(
        "--dir %s --out %s --n 1000 --operations 400 --cache 8m --memory 2m %s"
            .formatted(directory.resolve("scratch"), directory.resolve("out"), arguments)
            .split(" ", -1));
  }

  @Test
  void everyWorkloadRunsColdAndWarmOverBothStores() throws Exception {
    assertEquals(0, run("--threads 2"), err.toString());
    JsonNode report = new ObjectMapper().readTree(directory.resolve("out/report.json").toFile());
    assertEquals("bench ycsb", report.at("/results/command").asText());
    List<String> ids = report.at("/results/sections").findValuesAsText("id");
    assertEquals(IDS, ids);
    for (JsonNode section : report.at("/results/sections")) {
      String id = section.path("id").asText();
      assertEquals(2, section.path("outcomes").size(), id);
      for (JsonNode outcome : section.path("outcomes")) {
        assertEquals("DONE", outcome.path("status").asText(), id + " " + outcome);
        int expected = id.equals("load") ? 1000 : id.startsWith("e") ? 60 : 400;
        assertEquals(expected, outcome.at("/measurement/operations").asInt(), id);
        long rows = outcome.at("/measurement/found/rows").asLong();
        assertTrue(id.startsWith("e") ? rows > 400 : rows >= expected, id + " " + rows);
      }
    }
    assertEquals(12, report.path("goals").size());
    for (JsonNode goal : report.path("goals")) {
      assertFalse(goal.path("status").asText().equals("OPEN"), goal.toString());
    }
    assertTrue(out.toString().contains("varve cold op/s"), out.toString());
    assertEquals(List.of(), context.files().list(directory.resolve("scratch")), "files are left");
  }

  @Test
  void operationsArriveAtAPaceAndWaitWhereTheStoreIsSlower() throws Exception {
    assertEquals(0, run("--workloads c --threads 2 --arrivals 400"), err.toString());
    JsonNode report = new ObjectMapper().readTree(directory.resolve("out/report.json").toFile());
    assertEquals(
        List.of("load", "c.cold", "c.warm", "c.paced"),
        report.at("/results/sections").findValuesAsText("id"));
    for (JsonNode outcome : report.at("/results/sections/3/outcomes")) {
      assertEquals(400, outcome.at("/measurement/operations").asInt());
      // The last one arrives nearly a second after the first.
      assertTrue(outcome.at("/measurement/seconds").asDouble() > 0.99, outcome.toString());
    }
    assertEquals(4, report.path("goals").size());
    String said = report.toString();
    assertTrue(said.contains("a constant pace of 400 operations a second"), said);

    assertEquals(0, run("--peer varve --workloads c --threads 2 --field 7 --arrivals 600x1.5"));
    report = new ObjectMapper().readTree(directory.resolve("out/report.json").toFile());
    JsonNode measured = report.at("/results/sections/3/outcomes/0/measurement");
    assertEquals(900, measured.path("operations").asInt());
    assertEquals(70 * measured.at("/found/rows").asLong(), measured.path("userBytes").asLong());
    assertTrue(report.toString().contains("ten fields of 7 bytes"), report.toString());

    assertEquals(0, run("--peer varve --workloads c --threads 1 --arrivals 100000%"));
    report = new ObjectMapper().readTree(directory.resolve("out/report.json").toFile());
    JsonNode paced = report.at("/results/sections/3/outcomes/0/measurement");
    // All arrive at once, and the last waits for all others.
    JsonNode longest = paced.at("/latency/points/12");
    assertEquals(100, longest.path("percentile").asDouble());
    double seconds = paced.path("seconds").asDouble();
    assertTrue(longest.path("micros").asDouble() > 0.9e6 * seconds, paced.toString());
  }

  /** The two phases: what a store does in a short pass is more than it keeps up. */
  @Test
  void aPartOfWhatTheStoreKeepsUpIsMeasuredForAsLong() throws Exception {
    assertEquals(0, run("--peer varve --workloads a --threads 2 --arrivals 50%x1.5"), "" + err);
    JsonNode report = new ObjectMapper().readTree(directory.resolve("out/report.json").toFile());
    JsonNode sections = report.at("/results/sections");
    assertEquals(
        List.of("load", "a.cold", "a.warm", "a.sustained", "a.paced"),
        sections.findValuesAsText("id"));
    JsonNode warm = sections.at("/2/outcomes/0/measurement");
    JsonNode sustained = sections.at("/3/outcomes/0/measurement");
    JsonNode paced = sections.at("/4/outcomes/0/measurement");
    double before = warm.path("operationsPerSecond").asDouble();
    assertEquals(Math.round(1.5 * before), sustained.path("operations").asLong());
    double rate = sustained.path("operationsPerSecond").asDouble();
    assertEquals(Math.round(1.5 * 0.5 * rate), paced.path("operations").asLong());
    assertTrue(out.toString().contains("varve cold op/s"), out.toString());
    assertTrue(report.toString().contains("for as long as operations then arrive"));
  }

  @Test
  void flushesAndMergesOfVarveKeepToABudget() throws Exception {
    assertEquals(0, run("--peer varve --workloads a --budget 100m --tuner silk-d"), "" + err);
    JsonNode report = new ObjectMapper().readTree(directory.resolve("out/report.json").toFile());
    assertTrue(report.toString().contains("100.0 MiB a second"), report.toString());
    // The engine takes no such tuner without a rate.
    assertEquals("DONE", report.at("/results/sections/2/outcomes/0/status").asText());
  }

  @Test
  void whatIsNotThereIsRefused() {
    assertEquals(2, run("--peer varve,nobody"));
    assertEquals(2, run("--workloads a,g"));
    assertEquals(2, run("--threads 0"));
    assertEquals(2, run("--arrivals fast"));
    assertEquals(2, run("--field 0"));
    assertEquals(2, run("--field 1m"));
    assertEquals(2, run("--tuner silk-d"));
    assertTrue(err.toString().contains("silk-d needs a rate: say --budget"), err.toString());
    assertTrue(err.toString().contains("no store is called 'nobody'"), err.toString());
    assertTrue(err.toString().contains("no workload is called 'g'"), err.toString());
  }
}
