package dev.varve.benchmarks;

import dev.varve.report.command.ByteSize;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The arguments of {@code varve bench ycsb}. Filled by picocli. */
final class YcsbArguments {
  @Option(
      names = "--peer",
      paramLabel = "STORE",
      split = ",",
      defaultValue = "varve,rocksdb",
      description =
          "Stores that take part, the first is compared with the others: varve, rocksdb (tuned),"
              + " rocksdb-default (default: ${DEFAULT-VALUE}).")
  List<String> peers = List.of();

  @Option(
      names = {"-n", "--n"},
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Records of ten fields of 100 bytes (default: ${DEFAULT-VALUE}).")
  long records;

  @Option(
      names = "--operations",
      paramLabel = "M",
      defaultValue = "1000000",
      description =
          "Operations of each pass over a workload; E has 15 %% of them, since it scans (default:"
              + " ${DEFAULT-VALUE}).")
  long operations;

  @Option(
      names = "--workloads",
      paramLabel = "WORKLOAD",
      split = ",",
      defaultValue = "a,b,c,d,e,f",
      description = "YCSB's core workloads to run, in this order (default: ${DEFAULT-VALUE}).")
  List<String> workloads = List.of();

  @Option(
      names = "--threads",
      paramLabel = "T",
      defaultValue = "2",
      description = "Threads of YCSB (default: ${DEFAULT-VALUE}).")
  int threads;

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
      description = "What each store may keep of what is written (default: ${DEFAULT-VALUE}).")
  ByteSize memory = new ByteSize(0);

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
}
