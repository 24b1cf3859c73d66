package dev.varve.cli.command;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of a command that works on a directory. Filled by picocli. */
final class CommonOptions extends OutputOptions {
  @Option(
      names = {"-d", "--dir"},
      required = true,
      paramLabel = "DIR",
      description = "Directory of a cluster, or of the one engine of a program.")
  Path directory = Path.of("");
}
