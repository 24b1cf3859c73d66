package dev.varve.cli.command;

import picocli.CommandLine.Option;

/** How a command prints. Filled by picocli. */
abstract class OutputOptions {
  @Option(
      names = "--json",
      description = "Print one JSON document to stdout, and nothing else there.")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help and exit.")
  boolean help;
}
