package dev.varve.benchmarks.report;

import dev.varve.benchmarks.kv.Results;
import java.util.List;

/** page. */
record HtmlPage(Results results, List<Goal.Outcome> goals) {
  String text() {
    return "";
  }
}
