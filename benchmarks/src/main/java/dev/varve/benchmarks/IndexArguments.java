package dev.varve.benchmarks;

import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.dataset.catalog.MergePolicyOptions;
import dev.varve.report.Figures;
import dev.varve.report.command.ByteSize;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The arguments that comparisons of indexes have in common. Filled by picocli. */
final class IndexArguments {
  @Option(
      names = "--peer",
      paramLabel = "STORE",
      split = ",",
      description =
          "Stores that take part, the first is compared with the others (default: all but those"
              + " that are said to be extra).")
  List<String> peers = List.of();

  @Option(
      names = {"-n", "--n"},
      paramLabel = "N",
      description = "How many there are (default: what the goals are about).")
  @Nullable Integer count;

  @Option(
      names = "--page",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "16k",
      description = "Pages of the stores that have pages (default: ${DEFAULT-VALUE}).")
  ByteSize page = new ByteSize(0);

  @Option(
      names = "--cache",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "512m",
      description = "What each store may keep of what it read (default: ${DEFAULT-VALUE}).")
  ByteSize cache = new ByteSize(0);

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "64m",
      description =
          "What each store may keep of what is written, two memory components of half of it"
              + " (default: ${DEFAULT-VALUE}).")
  ByteSize memory = new ByteSize(0);

  @Option(
      names = "--window",
      paramLabel = "SECONDS",
      defaultValue = "0.7",
      description = "A round of queries (default: ${DEFAULT-VALUE}).")
  double windowSeconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Rounds of queries, all stores in turn; the median counts (default: ${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--cap",
      paramLabel = "SECONDS",
      defaultValue = "25",
      description =
          "What a load takes at most before its flushes and merges are waited for; a store that is"
              + " cut off holds less (default: ${DEFAULT-VALUE}).")
  double capSeconds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "42",
      description = "Of data and queries (default: ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = {"-d", "--dir"},
      paramLabel = "DIR",
      description =
          "Where to make the directory for the stores' files (default: ./target, or the directory"
              + " for temporary files).")
  @Nullable Path directory;

  @Option(names = "--keep", description = "Leave the stores' files where they are.")
  boolean keep;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where report.html and report.json go (default: ./bench-results/TIME).")
  @Nullable Path out;

  @Option(
      names = "--json",
      description = "Print one JSON document to stdout, and nothing else there.")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help and exit.")
  boolean help;

  /** What a comparison is given. */
  IndexSettings settings(RunPlaces places, int defaultCount, CommandLine commandLine) {
    int number = count == null ? defaultCount : count;
    if (number < 1 || rounds < 1 || !(windowSeconds > 0) || !(capSeconds > 0)) {
      throw new ParameterException(
          commandLine, "--n, --rounds, --window and --cap must be above 0");
    }
    long bytes = page.bytes();
    if (Long.bitCount(bytes) != 1 || bytes < 1 << 12 || bytes > 1 << 17) {
      throw new ParameterException(commandLine, "--page must be a power of two from 4k to 128k");
    }
    return new IndexSettings(
        places.scratch(),
        number,
        seed,
        0,
        new IndexSettings.Budget(
            (int) bytes, cache.bytes(), memory.bytes(), MergePolicyOptions.DEFAULT.text()),
        new IndexSettings.Pace(capSeconds, windowSeconds, rounds));
  }

  /** The same in words. */
  static Map<String, String> words(IndexSettings settings, String noun) {
    Map<String, String> words = new LinkedHashMap<>();
    words.put(
        "data", "%s %s, seed %d".formatted(Figures.count(settings.count()), noun, settings.seed()));
    words.put(
        "each store",
        "pages of %s, cache %s, memory for writes %s"
            .formatted(
                Figures.bytes(settings.budget().pageBytes()),
                Figures.bytes(settings.budget().cacheBytes()),
                Figures.bytes(settings.budget().memoryBytes())));
    words.put(
        "pace",
        "%d rounds of %s s, loads cut off after %s s"
            .formatted(
                settings.pace().rounds(),
                settings.pace().windowSeconds(),
                settings.pace().capSeconds()));
    return words;
  }
}
