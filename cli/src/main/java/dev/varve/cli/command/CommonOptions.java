package dev.varve.cli.command;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that every command has. Filled by picocli. */
final class CommonOptions {
  @Option(
      names = {"-d", "--dir"},
      required = true,
      paramLabel = "DIR",
      description = "Directory of a cluster, or of the one engine of a program.")
  Path directory = Path.of("");

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
