package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.report.Metric;
import dev.varve.benchmarks.report.Section;
import dev.varve.report.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Operations a second of each store in one table: a row for each workload, a cold and a warm column
 * for each store.
 *
 * @param sections what was measured: the load, then a cold and a warm section for each workload,
 *     and more where there are more passes
 * @param passes over each workload
 */
public record ColdAndWarm(List<Section> sections, int passes) {
  /** Prints it. */
  public void print(PrintWriter out) {
    assert sections.size() % passes == 1 : "a load, and all passes of each workload";
    List<String> headings = new ArrayList<>(List.of("workload"));
    for (Outcome store : sections.get(0).outcomes()) {
      headings.add(store.store() + " cold op/s");
      headings.add("warm op/s");
    }
    out.println();
    out.println("cold and warm");
    Table table = new Table(headings.toArray(String[]::new));
    for (int at = 1; at < sections.size(); at += passes) {
      table.row(row(sections.get(at), sections.get(at + 1)).toArray(String[]::new));
    }
    table.print(out);
    out.flush();
  }

  private static List<String> row(Section cold, Section warm) {
    assert cold.outcomes().size() == warm.outcomes().size();
    List<String> row = new ArrayList<>(List.of(cold.title().split(":", 2)[0]));
    for (int store = 0; store < cold.outcomes().size(); store++) {
      row.add(rate(cold.outcomes().get(store)));
      row.add(rate(warm.outcomes().get(store)));
    }
    return row;
  }

  private static String rate(Outcome outcome) {
    return outcome.measurement() == null ? "-" : Metric.text(Metric.RATE.of(outcome.measurement()));
  }
}
