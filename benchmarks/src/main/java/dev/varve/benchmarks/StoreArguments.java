package dev.varve.benchmarks;

import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.store.StoreMemory;
import dev.varve.report.command.ByteSize;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * Which stores are compared, over how much, and what each of them is given. Where a command has
 * other defaults, its {@link OptionDefaults} say so. Filled by picocli.
 */
final class StoreArguments {
  @Option(
      names = "--peer",
      paramLabel = "STORE",
      split = ",",
      defaultValue = "varve,rocksdb,rocksdb-default,asterixdb,lmdb,mvstore",
      description =
          "Stores that take part, the first is compared with the others (default:"
              + " ${DEFAULT-VALUE}).")
  List<String> peers = List.of();

  @Option(
      names = {"-n", "--n"},
      paramLabel = "N",
      defaultValue = "5000000",
      description = "How many records, points or texts there are (default: ${DEFAULT-VALUE}).")
  long records;

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
          "What each store may keep of what is written, two memory components of half of it where"
              + " it has such (default: ${DEFAULT-VALUE}).")
  ByteSize memory = new ByteSize(0);

  @Option(names = "--keep", description = "Leave the stores' last files where they are.")
  boolean keep;

  /** What each store may use. */
  StoreMemory memory() {
    return new StoreMemory(cache.bytes(), memory.bytes());
  }

  /** The stores that take part, of all that could. */
  <S extends Labelled> List<S> stores(S[] all, CommandSpec spec) {
    return named(all, peers, "store", spec);
  }

  /** What a command line names, in whatever case. */
  static <L extends Labelled> List<L> named(
      L[] all, List<String> labels, String noun, CommandSpec spec) {
    try {
      return Labelled.findAll(
          all, labels.stream().map(label -> label.toLowerCase(Locale.ROOT)).toList(), noun);
    } catch (IllegalArgumentException unknown) {
      throw new ParameterException(spec.commandLine(), unknown.getMessage(), unknown);
    }
  }
}
