package dev.varve.benchmarks;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What commands give to options that they share, where that is not what the option says itself: the
 * sizes that their goals are about. Immutable.
 */
final class OptionDefaults implements IDefaultValueProvider {
  private static final Map<String, Map<String, String>> OF_COMMANDS =
      Map.of(
          "ycsb", Map.of("--peer", "varve,rocksdb", "--n", "1000000"),
          "spatial",
              ofIndexes(
                  "varve,varve-keys,varve-records,asterixdb,lucene,lucene-latlon,jts", "2000000"),
          "text", ofIndexes("varve,varve-keys,varve-records,asterixdb,lucene", "300000"),
          "secondary",
              Map.of(
                  "--peer", "eager,eager-keys,lazy,validation,mutable-bitmap,asterixdb",
                  "--n", "120000",
                  "--cache", "32m",
                  "--memory", "16m",
                  "--window", "0.7",
                  "--cap", "25",
                  "--direct-reads", "true"));

  private static Map<String, String> ofIndexes(String peers, String count) {
    return Map.of(
        "--peer", peers,
        "--n", count,
        "--cache", "512m",
        "--memory", "64m",
        "--window", "0.7",
        "--cap", "25");
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? OF_COMMANDS.getOrDefault(option.command().name(), Map.of()).get(option.longestName())
        : null;
  }
}
