package dev.varve.cli.command;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;

/**
 * A command whose program is in another module, with other stores on its class path: the script
 * {@code varve} runs it there. In the list of commands it stands with all others; whoever calls it
 * past the script is told where it is. Immutable.
 *
 * @param name of the command
 * @param description what it does
 * @param footer what stands below in its help
 */
public record SourceCommand(String name, String description, List<String> footer)
    implements Runnable {
  /** Benchmarks beside other stores. */
  public static final SourceCommand BENCH =
      new SourceCommand(
          "bench",
          "Compare Varve with other stores, or run the benchmarks of single structures.",
          List.of());

  /** The paper's experiments. */
  public static final SourceCommand REPRODUCE =
      new SourceCommand(
          "reproduce",
          "Run an experiment of Storage Management in AsterixDB with spatial indexes. The figures"
              + " of merge schedulers are 'varve simulate --reproduce FIGURE'.",
          List.of());

  /** YCSB's own client. */
  public static final SourceCommand YCSB =
      new SourceCommand(
          "ycsb",
          "Run YCSB's client against a store of Varve in its own process. All arguments are YCSB's:"
              + " -load or -t, -P FILE, -p NAME=VALUE, -threads N.",
          List.of(
              "",
              "Properties of Varve are in docs/OPTIONS.md; one that is misspelt is refused.",
              "",
              "Examples:",
              "  varve ycsb -load -P ycsb-binding/workloads/a.properties -p varve.dir=/tmp/ycsb",
              "  varve ycsb -t -P ycsb-binding/workloads/a.properties -p varve.dir=/tmp/ycsb"));

  /** Copies the list. */
  public SourceCommand {
    footer = List.copyOf(footer);
  }

  /** The command as picocli has it: it takes any arguments. */
  public CommandSpec spec() {
    UsageMessageSpec message =
        new UsageMessageSpec().description(description).footer(footer.toArray(new String[0]));
    return CommandSpec.wrapWithoutInspection(this)
        .name(name)
        .usageMessage(message)
        .mixinStandardHelpOptions(true)
        .addPositional(
            PositionalParamSpec.builder()
                .paramLabel("ARGUMENT")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("0..*")
                .build());
  }

  @Override
  public void run() {
    CommandSpec here = spec();
    throw new ParameterException(
        new CommandLine(here),
        "its program is not in this one: './varve " + name + "' of the sources runs it");
  }
}
