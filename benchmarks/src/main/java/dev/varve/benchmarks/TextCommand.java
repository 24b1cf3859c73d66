package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.text.TextBench;
import dev.varve.benchmarks.text.TextStoreKind;
import dev.varve.common.error.DiskException;
import dev.varve.report.command.CommandContext;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code varve bench text}: inverted indexes side by side. */
@Command(
    name = "text",
    sortOptions = false,
    defaultValueProvider = OptionDefaults.class,
    description =
        "Run inverted indexes of words and of 3-grams side by side, each in a process of its own"
            + " with the same texts and memory, and say what each phase took and where Varve stands"
            + " against its goals.",
    footer = {
      "",
      "Stores: varve, asterixdb, lucene.",
      "Nothing else should run on the machine. Ctrl-C ends the stores and removes their files.",
      "",
      "Examples:",
      "  varve bench text",
      "  varve bench text --n 20000 --peer varve,lucene"
    })
final class TextCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private IndexArguments arguments = new IndexArguments();

  TextCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    return IndexRun.compare(
        context,
        new IndexRun.Subject(
            "bench text",
            BenchProcess.Kind.TEXT,
            List.of(TextStoreKind.values()),
            TextBench.PHASES,
            TextBench.GOALS,
            "texts of 140 characters, Zipf's law over 50,000 words"),
        arguments,
        spec);
  }
}
