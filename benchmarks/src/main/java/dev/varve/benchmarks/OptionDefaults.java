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
              ofIndexes("eager,eager-keys,lazy,validation,mutable-bitmap", "120000", "32m", "16m"));

  private static Map<String, String> ofIndexes(String peers, String count) {
    return ofIndexes(peers, count, "512m", "64m");
  }

  private static Map<String, String> ofIndexes(
      String peers, String count, String cache, String memory) {
    return Map.of(
        "--peer", peers,
        "--n", count,
        "--cache", cache,
        "--memory", memory,
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
