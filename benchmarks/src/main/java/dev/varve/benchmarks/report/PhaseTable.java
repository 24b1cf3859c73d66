package dev.varve.benchmarks.report;

import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.report.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A phase as a table: a row for each store, and what the first one's rate is to the best of the
 * others.
 *
 * @param outcome the phase
 */
record PhaseTable(Section outcome) {
  List<String> headings() {
    List<String> headings = new ArrayList<>(List.of("store"));
    for (Metric metric : columns()) {
      headings.add(metric.label());
    }
    headings.add("note");
    return headings;
  }

  List<List<String>> rows() {
    return outcome.outcomes().stream().map(this::row).toList();
  }

  private List<Metric> columns() {
    return outcome.columns();
  }

  private List<String> row(Outcome store) {
    Measurement measured = store.measurement();
    List<String> row = new ArrayList<>(List.of(store.store()));
    for (Metric metric : columns()) {
      row.add(measured == null ? "-" : Metric.text(metric.of(measured)));
    }
    String note =
        switch (store.status()) {
          case DONE, PARTLY -> store.note();
          case UNSUPPORTED -> "unsupported: " + store.note();
          case FAILED -> "FAILED: " + store.note();
        };
    if (measured != null && measured.latency().timedEvery() > 1) {
      note += (note.isEmpty() ? "" : "; ") + "1 in " + measured.latency().timedEvery() + " timed";
    }
    row.add(note);
    return row;
  }

  /** The first store against the best of the others; empty when one of them has no figure. */
  String ratio() {
    Metric metric = outcome.decisive();
    String first = outcome.outcomes().get(0).store();
    double best = Double.NaN;
    String name = "";
    for (Outcome other : outcome.outcomes().subList(1, outcome.outcomes().size())) {
      Measurement measured = other.measurement();
      if (measured == null
          || other.status() == Outcome.Status.PARTLY
          || other.store().equals(Outcome.DEVICE)) {
        continue;
      }
      double value = metric.of(measured);
      boolean better = metric.higherIsBetter() ? value > best : value < best;
      if (name.isEmpty() || better) {
        best = value;
        name = other.store();
      }
    }
    Measurement ours = outcome.outcomes().get(0).measurement();
    if (ours == null || name.isEmpty()) {
      return "";
    }
    double ratio = metric.higherIsBetter() ? metric.of(ours) / best : best / metric.of(ours);
    return String.format(
        Locale.ROOT, "%s / best peer, %s: %.2f (%s)", first, metric.label(), ratio, name);
  }

  void print(PrintWriter out) {
    out.println();
    out.println(outcome.id() + ": " + outcome.title());
    Table table = new Table(headings().toArray(String[]::new));
    rows().forEach(row -> table.row(row.toArray(String[]::new)));
    table.print(out);
    if (!ratio().isEmpty()) {
      out.println("  " + ratio());
    }
    out.flush();
  }
}
