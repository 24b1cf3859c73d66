package dev.varve.benchmarks;

import dev.varve.cli.VarveCommand;
import dev.varve.cli.command.CommandContext;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve bench}: what the kinds of benchmarks hang under. */
@Command(
    name = "bench",
    description = "Compare Varve with other stores, or run the benchmarks of single structures.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  varve bench kv",
      "  varve bench kv --peer varve,rocksdb --suite main --phases load,read-hit --n 1000000",
      "  varve bench spatial",
      "  varve bench text",
      "  varve bench twophase",
      "  varve bench jmh Checksum"
    })
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help and exit.")
  boolean help;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    VarveCommand.main(
        context -> List.of(commandLine(context), new CommandLine(new ReproduceCommand(context))),
        arguments);
  }

  private static CommandLine commandLine(CommandContext context) {
    return new CommandLine(new BenchCommand())
        .addSubcommand(new KvCommand(context))
        .addSubcommand(new SpatialCommand(context))
        .addSubcommand(new TextCommand(context))
        .addSubcommand(new TwoPhaseCommand(context))
        .addSubcommand(new CommandLine(new JmhCommand()).setStopAtUnmatched(true));
  }
}
