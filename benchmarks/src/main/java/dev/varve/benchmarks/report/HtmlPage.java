package dev.varve.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.benchmarks.measure.Machine;
import dev.varve.report.Figures;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One page that needs no other file: the tables that were printed, and plots, which Chart.js draws.
 *
 * @param title its heading
 * @param facts pairs of what was asked for and where it ran
 * @param sections what was measured
 * @param plots what is drawn
 * @param goals what that is held against
 * @param caveats what can be held against it
 */
record HtmlPage(
    String title,
    List<List<String>> facts,
    List<Section> sections,
    List<Plot> plots,
    List<Goal.Outcome> goals,
    List<String> caveats) {
  private static final String TEMPLATE = "/dev/varve/benchmarks/report/page.html";
  private static final String CHART_VERSION =
      "/META-INF/maven/org.webjars.npm/chart.js/pom.properties";
  private static final String CHART_SCRIPT =
      "/META-INF/resources/webjars/chart.js/%s/dist/chart.umd.min.js";

  /** The page of a comparison, with what is drawn apart from each phase's own plots. */
  static HtmlPage of(Findings findings, List<Goal.Outcome> goals, List<Plot> drawn) {
    List<Plot> plots = new ArrayList<>(drawn);
    plots.addAll(Plot.of(findings.sections()));
    List<List<String>> facts = new ArrayList<>();
    Machine machine = findings.machine();
    facts.add(List.of("time", machine.time()));
    facts.add(
        List.of(
            "machine",
            "%d processors, %s, %s, %s"
                .formatted(
                    machine.processors(),
                    Figures.bytes(machine.memoryBytes()),
                    machine.system(),
                    machine.jvm())));
    findings.settings().forEach((name, value) -> facts.add(List.of(name, value)));
    findings.options().forEach((store, options) -> facts.add(List.of(store, options)));
    return new HtmlPage(
        "Varve and its peers: " + findings.command(),
        facts,
        findings.sections(),
        plots,
        goals,
        findings.caveats());
  }

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
        .replace("{{title}}", escape(title))
        .replace("{{plots}}", json(plots).replace("</", "<\\/"))
        .replace("{{chart.js}}", resource(script));
  }

  private String body() {
    StringBuilder body = new StringBuilder();
    body.append("<table class=\"facts\">\n");
    facts.forEach(fact -> row(body, "td", fact));
    body.append("</table>\n");
    body.append("<h2>Goals</h2>\n");
    goals(body);
    body.append("<ul>\n");
    caveats.forEach(each -> body.append("<li>%s</li>\n".formatted(escape(each))));
    body.append("</ul>\n");
    for (Section phase : sections) {
      PhaseTable table = new PhaseTable(phase);
      body.append("<h2>%s: %s</h2>\n".formatted(phase.id(), escape(phase.title())));
      body.append("<div class=\"wide\"><table>\n");
      row(body, "th", table.headings());
      table.rows().forEach(row -> row(body, "td", row));
      body.append("</table></div>\n<p>%s</p>\n".formatted(escape(table.ratio())));
      body.append("<div class=\"plots\" id=\"%s\"></div>\n".formatted(phase.id()));
    }
    return body.toString();
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
      if (goal.isMissed()) {
        body.append(
            "<tr><td colspan=\"%d\">%s</td></tr>\n"
                .formatted(Goal.Outcome.HEADINGS.size(), escape(goal.reason())));
      }
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
