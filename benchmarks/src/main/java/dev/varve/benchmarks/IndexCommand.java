package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.report.Caveats;
import dev.varve.benchmarks.secondary.SecondaryBench;
import dev.varve.benchmarks.spatial.SpatialBench;
import dev.varve.benchmarks.spatial.SpatialStoreKind;
import dev.varve.benchmarks.text.TextBench;
import dev.varve.benchmarks.text.TextStoreKind;
import dev.varve.common.error.DiskException;
import dev.varve.report.command.CommandContext;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands that run indexes side by side. */
@Command(sortOptions = false, defaultValueProvider = OptionDefaults.class)
final class IndexCommand implements Callable<Integer> {
  private final CommandContext context;
  private final IndexRun.Subject subject;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private IndexArguments arguments = new IndexArguments();

  private IndexCommand(CommandContext context, IndexRun.Subject subject) {
    this.context = context;
    this.subject = subject;
  }

  /** {@code varve bench spatial}: spatial indexes side by side. */
  static CommandLine spatial(CommandContext context) {
    return of(
        context,
        new IndexRun.Subject(
            "bench spatial",
            BenchProcess.Kind.SPATIAL,
            List.of(SpatialStoreKind.values()),
            SpatialBench.PHASES,
            SpatialBench.GOALS,
            "points in 4,500 clusters",
            Caveats.OF_INDEXES),
        "Run spatial indexes side by side, each in a process of its own with the same points and"
            + " memory, and say what each phase took and where Varve stands against its goals.",
        "Stores: varve, the index alone; varve-keys and varve-records, through a dataset; asterixdb,"
            + " lucene, lucene-latlon, jts; extra: varve-deleted-keys, and in-place, an R-tree that is"
            + " changed in place.",
        "--n 200000 --peer varve,lucene,jts");
  }

  /** {@code varve bench text}: inverted indexes side by side. */
  static CommandLine text(CommandContext context) {
    return of(
        context,
        new IndexRun.Subject(
            "bench text",
            BenchProcess.Kind.TEXT,
            List.of(TextStoreKind.values()),
            TextBench.PHASES,
            TextBench.GOALS,
            "texts of 140 characters, Zipf's law over 50,000 words",
            Caveats.OF_INDEXES),
        "Run inverted indexes of words and of 3-grams side by side, each in a process of its own"
            + " with the same texts and memory, and say what each phase took and where Varve stands"
            + " against its goals.",
        "Stores: varve, the index alone; varve-keys and varve-records, through a dataset; asterixdb,"
            + " lucene.",
        "--n 20000 --peer varve,lucene");
  }

  /** {@code varve bench secondary}: strategies for secondary indexes side by side. */
  static CommandLine secondary(CommandContext context) {
    return of(
        context,
        new IndexRun.Subject(
            "bench secondary",
            BenchProcess.Kind.SECONDARY,
            SecondaryBench.STRATEGIES,
            SecondaryBench.PHASES,
            SecondaryBench.GOALS,
            "records of 1 KB with 8 numbers",
            Caveats.OF_STRATEGIES),
        "Run a dataset under each strategy for its secondary indexes, each in a process of its own"
            + " with the same records and memory, and say what each phase took and where the"
            + " strategies stand against their goals.",
        "Stores: eager, eager-keys (with an index of primary keys), lazy, validation, mutable-bitmap;"
            + " asterixdb, its storage alone.",
        "--n 50000 --peer eager,validation");
  }

  private static CommandLine of(
      CommandContext context,
      IndexRun.Subject subject,
      String description,
      String stores,
      String example) {
    CommandLine line = new CommandLine(new IndexCommand(context, subject));
    String name = subject.command();
    line.getCommandSpec().name(name.substring(name.indexOf(' ') + 1));
    line.getCommandSpec()
        .usageMessage()
        .description(description)
        .footer(
            "",
            stores,
            "Nothing else should run on the machine. Ctrl-C ends the stores and removes their"
                + " files.",
            "",
            "Examples:",
            "  varve " + name,
            "  varve " + name + " " + example);
    return line;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    return IndexRun.compare(context, subject, arguments, spec);
  }
}
