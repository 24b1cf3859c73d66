package dev.varve.benchmarks;

import dev.varve.benchmarks.kv.Suite;
import dev.varve.report.command.ByteSize;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The arguments of {@code varve bench kv}. Filled by picocli. */
final class KvArguments {
  @Option(
      names = "--peer",
      paramLabel = "STORE",
      split = ",",
      description =
          "Stores that take part, the first is compared with the others: varve, rocksdb (tuned),"
              + " rocksdb-default, asterixdb, lmdb, mvstore (default: all).")
  List<String> peers = List.of();

  @Option(
      names = "--suite",
      paramLabel = "SUITE",
      split = ",",
      converter = SuiteConverter.class,
      defaultValue = "main,beyond-cache,large-values,increasing,durable,recovery",
      description =
          "What they do (default: ${DEFAULT-VALUE}); scale is the first store alone with up to ten"
              + " times the records.")
  List<Suite> suites = List.of();

  @Option(
      names = "--phases",
      paramLabel = "PHASE",
      split = ",",
      description =
          "Of the suites, only phases with these names, such as load,read-hit or main.load"
              + " (default: all). What they need is filled in unmeasured.")
  List<String> phases = List.of();

  @Option(
      names = {"-n", "--n"},
      paramLabel = "N",
      defaultValue = "5000000",
      description = "Records of the main data (default: ${DEFAULT-VALUE}).")
  long records;

  @Option(
      names = "--value",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "100",
      description = "Size of a value; keys have 16 bytes (default: ${DEFAULT-VALUE}).")
  ByteSize value = new ByteSize(0);

  @Option(
      names = "--cache",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "2g",
      description = "What each store may keep of what it read (default: ${DEFAULT-VALUE}).")
  ByteSize cache = new ByteSize(0);

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      defaultValue = "128m",
      description =
          "What each store may keep of what is written, two memory components of half of it"
              + " (default: ${DEFAULT-VALUE}).")
  ByteSize memory = new ByteSize(0);

  @Option(
      names = "--window",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "A round of a short phase (default: ${DEFAULT-VALUE}).")
  double windowSeconds;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Rounds of a short phase, all stores in turn; the median counts (default:"
              + " ${DEFAULT-VALUE}). Forced puts and scans of all records have three times as many, a"
              + " third as long.")
  int rounds;

  @Option(
      names = "--cap",
      paramLabel = "SECONDS",
      defaultValue = "40",
      description =
          "What the main load takes at most, op by op, and half of it for the other changes;"
              + " one of which less than a twentieth is done after a quarter of the longest load of"
              + " its data ends there. The rest is filled in batches, unmeasured (default:"
              + " ${DEFAULT-VALUE}).")
  double capSeconds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "42",
      description = "Of keys, values and choices (default: ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = {"-d", "--dir"},
      paramLabel = "DIR",
      description =
          "Where to make the directory for the stores' files (default: ./target, or the directory"
              + " for temporary files).")
  @Nullable Path directory;

  @Option(names = "--keep", description = "Leave the stores' last files where they are.")
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

  /** Reads the name of a suite. */
  static final class SuiteConverter implements ITypeConverter<Suite> {
    @Override
    public Suite convert(String text) {
      return Stream.of(Suite.values())
          .filter(suite -> suite.label().equals(text.toLowerCase(Locale.ROOT)))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException("no suite is called '" + text + "'"));
    }
  }
}
