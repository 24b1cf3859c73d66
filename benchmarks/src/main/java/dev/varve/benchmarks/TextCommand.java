package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.text.TextBench;
import dev.varve.benchmarks.text.TextStoreKind;
import dev.varve.common.error.DiskException;
import dev.varve.report.command.CommandContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve bench text}: inverted indexes side by side. */
@Command(
    name = "text",
    sortOptions = false,
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
  private static final int TEXTS = 300_000;

  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private IndexArguments arguments = new IndexArguments();

  TextCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    RunPlaces places = RunPlaces.of(context, arguments.directory, arguments.out);
    IndexSettings settings = arguments.settings(places, TEXTS, spec.commandLine());
    List<IndexContender> contenders = contenders(settings);
    IndexRun.Plan plan =
        new IndexRun.Plan(
            "bench text",
            BenchProcess.Kind.TEXT,
            TextBench.PHASES,
            IndexRun.estimatedSeconds(TextBench.PHASES, settings, contenders.size()),
            IndexArguments.words(settings, "texts of 140 characters, Zipf's law over 50,000 words"),
            sections -> TextBench.GOALS.stream().map(goal -> goal.check(sections)).toList());
    return new IndexRun(context, new IndexRun.Output(arguments.json, arguments.keep))
        .run(plan, settings, contenders, places);
  }

  private List<IndexContender> contenders(IndexSettings settings) {
    if (arguments.peers.isEmpty()) {
      return List.of(TextStoreKind.values()).stream()
          .map(kind -> kind.contender(settings))
          .toList();
    }
    List<IndexContender> contenders = new ArrayList<>();
    for (String label : arguments.peers) {
      contenders.add(
          TextStoreKind.ofLabel(label)
              .orElseThrow(
                  () ->
                      new ParameterException(
                          spec.commandLine(), "no store is called '" + label + "'"))
              .contender(settings));
    }
    return contenders;
  }
}
