package dev.varve.benchmarks;

import dev.varve.report.command.CommandContext;
import dev.varve.report.command.Program;
import dev.varve.report.command.ProgressOption;
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
      "  varve bench ycsb",
      "  varve bench spatial",
      "  varve bench text",
      "  varve bench secondary",
      "  varve bench twophase",
      "  varve bench adoc",
      "  varve bench transfer",
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
    new Program(BenchCommand::commands, List.of()).runAndExit(arguments);
  }

  /** The commands of this program, under one called {@code varve}. */
  public static CommandLine commands(CommandContext context) {
    CommandSpec varve =
        CommandSpec.create()
            .name("varve")
            .addMixin("progress", CommandSpec.forAnnotatedObject(new ProgressOption(context)));
    CommandLine bench =
        new CommandLine(new BenchCommand())
            .addSubcommand(new KvCommand(context))
            .addSubcommand(IndexCommand.spatial(context))
            .addSubcommand(IndexCommand.text(context))
            .addSubcommand(IndexCommand.secondary(context))
            .addSubcommand(new YcsbCommand(context))
            .addSubcommand(new TwoPhaseCommand(context))
            .addSubcommand(new AdocCommand(context))
            .addSubcommand(new TransferCommand(context))
            .addSubcommand(new CommandLine(new JmhCommand()).setStopAtUnmatched(true));
    return new CommandLine(varve).addSubcommand(bench).addSubcommand(new ReproduceCommand(context));
  }
}
