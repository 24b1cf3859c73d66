package dev.varve.cli.command;

import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import dev.varve.report.command.FailureReport;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What an import did: printed as a table, or as JSON with these names.
 *
 * @param command {@code import}
 * @param target where the records went
 * @param counts of records
 * @param bytes of the records as JSON
 * @param seconds time on the clock, with the sorting and the last force
 * @param fields of the first records, with their types
 * @param stopped {@code SIGNAL} if that ended the import, else empty
 */
record ImportSummary(
    String command,
    Target target,
    Counts counts,
    long bytes,
    double seconds,
    Map<String, String> fields,
    String stopped) {
  /**
   * Where the records went.
   *
   * @param directory of the store
   * @param dataset name of the dataset or key-value store
   * @param method how they got in: {@code bulk load}, {@code upserts} or {@code puts}
   */
  record Target(String directory, String dataset, String method) {}

  /**
   * Of records.
   *
   * @param read from the inputs
   * @param taken durably; of a stopped import so many at least
   * @param replaced how many of those replaced another with the same key; puts do not know
   * @param rejected how many were not taken
   */
  record Counts(long read, long taken, long replaced, long rejected) {}

  /** 0 when all records were taken. */
  int exitCode() {
    return counts.rejected == 0 ? 0 : FailureReport.FAILED;
  }

  void print(Console console) {
    Table.ofFacts()
        .row("dataset", target.dataset + " in " + target.directory)
        .row("read", Figures.count(counts.read) + " records, " + Figures.bytes(bytes))
        .row("taken", Figures.count(counts.taken) + " by " + target.method)
        .row("replaced", Figures.count(counts.replaced))
        .row("rejected", Figures.count(counts.rejected))
        .row(
            "time",
            Figures.seconds(seconds)
                + ", "
                + Figures.bytes(Math.round(bytes / Math.max(seconds, 1e-9)))
                + "/s")
        .row(
            "fields",
            fields.entrySet().stream()
                .map(field -> field.getKey() + ": " + field.getValue())
                .collect(Collectors.joining(", ")))
        .print(console);
  }
}
