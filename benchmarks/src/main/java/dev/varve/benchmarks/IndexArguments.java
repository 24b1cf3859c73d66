package dev.varve.benchmarks;

import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.report.Figures;
import dev.varve.report.command.ByteSize;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The arguments that comparisons of indexes have in common. Filled by picocli. */
final class IndexArguments {
  @Mixin StoreArguments stores = new StoreArguments();

  @Option(
      names = "--page",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "16k",
      description = "Pages of the stores that have pages (default: ${DEFAULT-VALUE}).")
  ByteSize page = new ByteSize(0);

  @Option(
      names = "--direct-reads",
      negatable = true,
      defaultValue = "false",
      fallbackValue = "true",
      description =
          "Whether datasets read past the system's cache, so that a page that is not in their own"
              + " comes from the device (default: ${DEFAULT-VALUE}).")
  boolean directReads;

  @Mixin PaceArguments pace = new PaceArguments();
  @Mixin OutputArguments output = new OutputArguments();

  /** What a comparison is given. */
  IndexSettings settings(RunPlaces places, CommandLine commandLine) {
    if (stores.records < 1 || stores.records > Integer.MAX_VALUE || !pace.isPositive()) {
      throw new ParameterException(
          commandLine, "--n, --rounds, --window and --cap must be above 0, --n below 2 to the 31");
    }
    long bytes = page.bytes();
    if (Long.bitCount(bytes) != 1 || bytes < 1 << 12 || bytes > 1 << 17) {
      throw new ParameterException(commandLine, "--page must be a power of two from 4k to 128k");
    }
    return new IndexSettings(
        places.scratch(),
        (int) stores.records,
        pace.seed,
        0,
        new IndexSettings.Budget(
            (int) bytes, stores.memory(), MergePolicyOptions.DEFAULT.text(), directReads),
        pace.pace());
  }

  /** The same in words. */
  static Map<String, String> words(IndexSettings settings, String noun) {
    Map<String, String> words = new LinkedHashMap<>();
    words.put(
        "data", "%s %s, seed %d".formatted(Figures.count(settings.count()), noun, settings.seed()));
    words.put(
        "each store",
        "pages of %s, cache %s, memory for writes %s%s"
            .formatted(
                Figures.bytes(settings.budget().pageBytes()),
                Figures.bytes(settings.budget().memory().cacheBytes()),
                Figures.bytes(settings.budget().memory().writeBytes()),
                settings.budget().directReads() ? ", datasets read past the system's cache" : ""));
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
