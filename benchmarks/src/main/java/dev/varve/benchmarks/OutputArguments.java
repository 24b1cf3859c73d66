package dev.varve.benchmarks;

import dev.varve.benchmarks.report.Report;
import dev.varve.common.error.DiskException;
import dev.varve.report.command.CommandContext;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where every command that measures has its files, and what it prints. Filled by picocli. */
final class OutputArguments {
  @Option(
      names = {"-d", "--dir"},
      paramLabel = "DIR",
      description =
          "Where to make the directory for the stores' files (default: ./target, or the directory"
              + " for temporary files).")
  @Nullable Path directory;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where report.html and report.json go (default: ./bench-results/TIME).")
  @Nullable Path out;

  @Option(
      names = "--json",
      description = "Print one JSON document to stdout, and nothing else there.")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help and exit.")
  boolean help;

  /** The places of a run that begins now. */
  RunPlaces places(CommandContext context) throws DiskException {
    return RunPlaces.of(context, directory, out);
  }

  /** What is printed. */
  Report.Form form() {
    return json ? Report.Form.JSON : Report.Form.TABLES;
  }
}
