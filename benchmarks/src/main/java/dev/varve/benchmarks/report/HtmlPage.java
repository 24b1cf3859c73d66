package dev.varve.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.benchmarks.kv.PhaseOutcome;
import dev.varve.benchmarks.kv.Results;
import dev.varve.cli.report.Figures;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One page that needs no other file: the tables that were printed, and plots, which Chart.js draws.
 *
 * @param results what was measured
 * @param goals what that is held against
 */
record HtmlPage(Results results, List<Goal.Outcome> goals) {
  private static final String TEMPLATE = "/dev/varve/benchmarks/report/page.html";
  private static final String CHART_VERSION =
      "/META-INF/maven/org.webjars.npm/chart.js/pom.properties";
  private static final String CHART_SCRIPT =
      "/META-INF/resources/webjars/chart.js/%s/dist/chart.umd.min.js";

  String text() {
    String version =
        resource(CHART_VERSION)
            .lines()
            .filter(line -> line.startsWith("version="))
            .map(line -> line.substring("version=".length()).strip())
            .findFirst()
            .orElseThrow();
    String script = CHART_SCRIPT.formatted(version);
    return resource(TEMPLATE)
        .replace("{{body}}", body())
        .replace("{{plots}}", json(Plot.of(results)).replace("</", "<\\/"))
        .replace("{{chart.js}}", resource(script));
  }

  private String body() {
    StringBuilder body = new StringBuilder();
    facts(body);
    body.append("<h2>Goals</h2>\n");
    goals(body);
    for (PhaseOutcome phase : results.phases()) {
      PhaseTable table = new PhaseTable(phase);
      body.append("<h2>%s: %s</h2>\n".formatted(phase.id(), escape(phase.phase().title())));
      body.append("<div class=\"wide\"><table>\n");
      row(body, "th", table.headings());
      table.rows().forEach(row -> row(body, "td", row));
      body.append("</table></div>\n<p>%s</p>\n".formatted(escape(table.ratio())));
      body.append("<div class=\"plots\" id=\"%s\"></div>\n".formatted(phase.id()));
    }
    return body.toString();
  }

  private void facts(StringBuilder body) {
    Results.Machine machine = results.machine();
    body.append("<table class=\"facts\">\n");
    row(body, "td", List.of("time", machine.time()));
    row(
        body,
        "td",
        List.of(
            "machine",
            "%d processors, %s, %s, %s"
                .formatted(
                    machine.processors(),
                    Figures.bytes(machine.memoryBytes()),
                    machine.system(),
                    machine.jvm())));
    row(
        body,
        "td",
        List.of(
            "data",
            "%s records, keys of 16 bytes, values of %d, seed %d"
                .formatted(
                    Figures.count(results.settings().records()),
                    results.settings().valueBytes(),
                    results.settings().seed())));
    row(
        body,
        "td",
        List.of(
            "each store",
            "cache %s, memory for writes %s"
                .formatted(
                    Figures.bytes(results.settings().cacheBytes()),
                    Figures.bytes(results.settings().memoryBytes()))));
    results.options().forEach((store, options) -> row(body, "td", List.of(store, options)));
    body.append("</table>\n");
  }

  private void goals(StringBuilder body) {
    body.append("<table class=\"goals\">\n");
    row(body, "th", Goal.Outcome.HEADINGS);
    for (Goal.Outcome goal : goals) {
      String style =
          switch (goal.status()) {
            case MET -> "met";
            case MISSED -> "missed";
            case OPEN -> "open";
          };
      body.append("<tbody class=\"%s\">".formatted(style));
      row(body, "td", goal.cells());
      body.append("</tbody>\n");
    }
    body.append("</table>\n");
  }

  private static void row(StringBuilder body, String tag, List<String> cells) {
    body.append("<tr>");
    cells.forEach(cell -> body.append("<%1$s>%2$s</%1$s>".formatted(tag, escape(cell))));
    body.append("</tr>\n");
  }

  static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String json(List<Plot> plots) {
    try {
      return new ObjectMapper().writeValueAsString(plots);
    } catch (JsonProcessingException impossible) {
      // Plots are records of numbers and texts; one that Jackson refuses is a bug here.
      throw new IllegalStateException(impossible);
    }
  }

  private static String resource(String name) {
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(name, failure);
    }
  }
}
