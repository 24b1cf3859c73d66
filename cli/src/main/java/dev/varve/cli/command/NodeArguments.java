package dev.varve.cli.command;

import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.report.command.ByteSize;
import dev.varve.scheduler.admission.WriteGate;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.scheduling.FairScheduler;
import dev.varve.scheduler.tuner.Tuner;
import dev.varve.scheduler.tuner.TunerText;
import dev.varve.transaction.log.Durability;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of nodes that a command starts. Filled by picocli. */
final class NodeArguments {
  /** Their names. */
  static final List<String> NAMES =
      List.of("--durability", "--budget", "--scheduler", "--gate", "--tuner");

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      defaultValue = "POWER_LOSS",
      description =
          "What an acknowledged tweet survives: power_loss, process_crash or none (default:"
              + " power_loss).")
  Durability durability = Durability.POWER_LOSS;

  @Option(
      names = "--budget",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "0",
      description =
          "Bytes that flushes and merges of all nodes of a process may write to a device in a"
              + " second, 0 for no limit (default: 0).")
  ByteSize budget = new ByteSize(0);

  @Option(
      names = "--scheduler",
      paramLabel = "SCHEDULER",
      converter = SchedulerArgument.class,
      defaultValue = "fair",
      description =
          "How merges share the disk: fair, single, arrival:N, greedy:N, greedy:N:node,"
              + " bounded-greedy:N[:node] or gear:BYTES (default: ${DEFAULT-VALUE}).")
  MergeScheduler scheduler = new FairScheduler();

  @Option(
      names = "--gate",
      paramLabel = "GATE",
      converter = GateArgument.class,
      defaultValue = "stop",
      description =
          "How writers are held back: stop, slow:FROM:BYTES, spring:FROM:BYTES or cap:BYTES, with"
              + " bytes per second, or controller, RocksDB's (default: ${DEFAULT-VALUE}).")
  WriteGate gate = WriteGates.STOP;

  @Option(
      names = "--tuner",
      paramLabel = "TUNER",
      converter = TunerArgument.class,
      defaultValue = "fixed",
      description =
          "What changes threads, memory and the budget while nodes run: fixed, varve, adoc-paper,"
              + " adoc-artifact, adoc-t, adoc-b, auto-tuned, silk-d, silk-p, silk-o or"
              + " static:THREADS:BYTES (default: ${DEFAULT-VALUE}).")
  Tuner tuner = TunerText.FIXED;

  /** Sets them. */
  EngineOptions.Builder apply(EngineOptions.Builder engine) {
    return engine
        .durability(durability)
        .ioBytesPerSecond(budget.bytes())
        .mergeScheduler(scheduler)
        .writeGate(gate)
        .tuner(tuner);
  }
}
