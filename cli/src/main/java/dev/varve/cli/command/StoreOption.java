package dev.varve.cli.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which dataset or key-value store a command reads. Filled by picocli. */
final class StoreOption {
  @Option(
      names = "--dataset",
      paramLabel = "NAME",
      description = "The dataset or key-value store; needed where there are several.")
  @Nullable String name;
}
