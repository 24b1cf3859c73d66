package dev.varve.benchmarks;

import dev.varve.benchmarks.jmh.JmhRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** {@code varve bench jmh}: the benchmarks beside the hot structures. */
@Command(
    name = "jmh",
    description = {
      "Run the benchmarks of single structures, with bytes allocated per operation.",
      "Arguments go to JMH: regular expressions of names, and its options; '-l' lists the"
          + " benchmarks, '-h' JMH's own help."
    },
    footer = {"", "Examples:", "  varve bench jmh", "  varve bench jmh MemoryTree -f 1 -wi 2 -i 3"})
final class JmhCommand implements Callable<Integer> {
  @Option(names = "--help", usageHelp = true, description = "Print this help and exit.")
  boolean help;

  @Unmatched private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() {
    return JmhRun.run(arguments);
  }
}
