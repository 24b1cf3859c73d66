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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Goal: commands that compare indexes run from arguments to report, and refuse what they can't do.
 * Method: the commands with few records, and their stores in processes of their own.
 */
final class IndexCommandsTest {
  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandContext context =
      new CommandContext(
          new Console(new PrintWriter(out), new PrintWriter(err)),
          new LocalFileSystem(),
          new SystemClock(),
          new ThreadTaskExecutor());

  private int run(CommandLine line, String arguments) {
    line.setErr(new PrintWriter(err));
    return line.execute(
        "--dir %s --out %s %s"
            .formatted(directory.resolve("scratch"), directory.resolve("out"), arguments)
            .split(" ", -1));
  }

  private JsonNode report() throws Exception {
    JsonNode report = new ObjectMapper().readTree(directory.resolve("out/report.json").toFile());
    String page = Files.readString(directory.resolve("out/report.html"));
    assertFalse(page.contains("{{"), "a place was not filled");
    assertEquals(List.of(), context.files().list(directory.resolve("scratch")), "files are left");
    return report;
  }

  @Test
  void spatialIndexesAreCompared() throws Exception {
    int exit =
        run(
            IndexCommand.spatial(context),
            "--n 3000 --peer varve,jts --window 0.01 --rounds 1 --cache 8m --memory 2m");
    assertEquals(0, exit, err.toString());
    JsonNode report = report();
    assertEquals("bench spatial", report.at("/results/command").asText());
    assertEquals(3000, report.at("/results/sections/0/outcomes/0/measurement/operations").asInt());
    assertEquals(
        report.at("/results/sections/1/outcomes/0/measurement/found/digest"),
        report.at("/results/sections/1/outcomes/1/measurement/found/digest"));
    assertEquals("OPEN", report.at("/goals/0/status").asText());
    assertTrue(out.toString().contains("varve / best peer"), out.toString());
  }

  @Test
  void strategiesFindTheSame() throws Exception {
    int exit =
        run(
            IndexCommand.secondary(context),
            "--n 2000 --window 0.01 --rounds 1 --cache 16m --memory 512k");
    assertEquals(0, exit, err.toString());
    JsonNode report = report();
    assertEquals("bench secondary", report.at("/results/command").asText());
    for (JsonNode section : report.at("/results/sections")) {
      assertEquals(6, section.at("/outcomes").size());
      for (JsonNode outcome : section.at("/outcomes")) {
        boolean takesPart =
            !outcome.at("/store").asText().equals("asterixdb")
                || List.of("inserts", "inserts-again", "upserts", "repair")
                    .contains(section.at("/id").asText())
                || section.at("/id").asText().startsWith("search-");
        assertEquals(
            takesPart ? "DONE" : "UNSUPPORTED", outcome.at("/status").asText(), section.toString());
      }
    }
    for (JsonNode goal : report.at("/goals")) {
      assertFalse(goal.at("/status").asText().equals("OPEN"), goal.toString());
    }
  }

  @Test
  void filesOfAnotherRunAreNamedAndLeft() throws Exception {
    Path killed = directory.resolve("scratch/varve-bench-20260101-000000");
    Files.createDirectories(killed);
    assertEquals(0, run(IndexCommand.spatial(context), "--n 500 --peer jts --rounds 1"));
    assertTrue(err.toString().contains("Another run has files in " + killed), err.toString());
    assertEquals(List.of(killed), context.files().list(directory.resolve("scratch")));
  }

  @Test
  void anUnknownStoreIsRefused() {
    assertEquals(2, run(IndexCommand.spatial(context), "--peer varve,nobody"));
    assertTrue(err.toString().contains("no store is called 'nobody'"), err.toString());
  }

  @Test
  void sizesThatCannotBeAreRefused() {
    assertEquals(2, run(IndexCommand.spatial(context), "--n 0"));
    assertEquals(2, run(IndexCommand.spatial(context), "--page 5000"));
    assertEquals(2, run(IndexCommand.spatial(context), "--window 0"));
  }

  @Test
  void textIndexesAreCompared() throws Exception {
    int exit =
        run(
            IndexCommand.text(context),
            "--n 1000 --peer varve,lucene --window 0.01 --rounds 1 --cache 8m --memory 2m");
    assertEquals(0, exit, err.toString());
    JsonNode report = report();
    assertEquals("bench text", report.at("/results/command").asText());
    for (JsonNode section : report.at("/results/sections")) {
      for (JsonNode outcome : section.path("outcomes")) {
        assertEquals("DONE", outcome.path("status").asText(), outcome.toString());
      }
    }
  }

  @Test
  void anExperimentIsReproduced() throws Exception {
    assertEquals(
        0,
        run(new CommandLine(new ReproduceCommand(context)), "fig6 --n 4000 --read-micros 0"),
        err.toString());
    JsonNode report = report();
    assertEquals("reproduce fig6", report.at("/results/command").asText());
    assertEquals(2, report.path("goals").size());
    assertTrue(report.at("/results/settings/scale").asText().contains("1 to 62500"));
  }

  @Test
  void anUnknownExperimentIsRefused() {
    assertEquals(2, run(new CommandLine(new ReproduceCommand(context)), "fig4"));
    assertTrue(err.toString().contains("no experiment is called 'fig4'"), err.toString());
  }
}
