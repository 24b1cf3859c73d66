package dev.varve.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.benchmarks.kv.PhaseOutcome;
import dev.varve.benchmarks.kv.Results;
import dev.varve.benchmarks.kv.StoreGoals;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.report.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: what was found is printed and written whole. Method: results made by hand. */
final class ReportTest {
  private static final PhaseOutcome LOAD =
      Sample.phase("main.load", Map.of("varve", 500.0, "rocksdb", 100.0, "lmdb", 50.0));

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final PrintWriter printer = new PrintWriter(out);

  private Report report(Report.Form form) {
    return new Report(new Console(printer, printer), new LocalFileSystem(), directory, form);
  }

  @Test
  void aTableHasARowForEachStoreAndTheRatioToTheBest() {
    report(Report.Form.TABLES).print(LOAD.section());
    String text = out.toString();
    assertTrue(text.contains("main.load: Load"), text);
    assertTrue(text.contains("varve / best peer, settled/s: 5.00 (rocksdb)"), text);
    assertEquals(1, text.lines().filter(line -> line.startsWith("  lmdb ")).count(), text);
    assertTrue(text.contains("1 in 8 timed"), text);
  }

  @Test
  void theJsonDocumentHasResultsAndGoals() throws Exception {
    Sample.results(LOAD).finish(report(Report.Form.JSON));
    printer.flush();
    JsonNode printed = new ObjectMapper().readTree(out.toString());
    JsonNode written = new ObjectMapper().readTree(directory.resolve("report.json").toFile());
    assertEquals(printed, written);
    assertEquals(StoreGoals.ALL.size(), written.path("goals").size());
    assertEquals(Caveats.OF_STORES.size(), written.path("caveats").size());
    JsonNode varve = written.at("/results/phases/0/outcomes/0");
    assertEquals("varve", varve.path("store").asText());
    assertEquals(500, varve.at("/measurement/operationsPerSecond").asDouble(), 1e-6);
    assertEquals(1, varve.at("/measurement/writeAmplification").asDouble(), 1e-6);
  }

  @Test
  void thePageCarriesItsPlotsAndTheirScript() throws Exception {
    Results results = Sample.results(LOAD, Sample.phase("scale.load-1", Map.of("varve", 1.0)));
    results.finish(report(Report.Form.TABLES));
    String page = Files.readString(directory.resolve("report.html"));
    assertFalse(page.contains("{{"), "a place was not filled");
    assertFalse(page.contains("src="), "needs another file");
    assertTrue(page.contains("all &lt;defaults&gt;"));
    assertTrue(page.contains("Chart.js v"));
    for (String caveat : Caveats.OF_STORES) {
      assertTrue(page.contains("<li>" + HtmlPage.escape(caveat)), caveat);
      assertTrue(out.toString().contains(caveat), caveat);
    }
    String plots =
        page.substring(
            page.indexOf("id=\"plots\">") + 11, page.indexOf("</script>\n<script>\ncon"));
    JsonNode list = new ObjectMapper().readTree(plots);
    // Cost over size, then percentiles, throughput and components of each phase.
    assertEquals(7, list.size());
    assertEquals(3, list.at("/1/series").size());
    assertEquals("max", list.at("/1/categories/2").asText());
    for (JsonNode plot : list) {
      assertTrue(page.contains("id=\"" + plot.path("place").asText() + "\""), plot::toString);
    }
  }
}
