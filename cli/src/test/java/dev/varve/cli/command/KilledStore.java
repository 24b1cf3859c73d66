package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.KeyValueOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The store of a program that embeds an engine, as a process that ended in the middle leaves it: a
 * dataset of people under indexes of every kind, and pairs of a key-value store, with a tail of the
 * log that no component holds.
 */
public final class KilledStore {
  private static final int HALTED = 9;

  private KilledStore() {}

  /** Fills the store in a process of its own, which then ends without closing it. */
  public static void fill(Path directory) throws IOException, InterruptedException {
    Path log = directory.resolveSibling(directory.getFileName() + ".log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                KilledStore.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertTrue(process.waitFor(5, TimeUnit.MINUTES), () -> "it stands still: " + log);
      assertEquals(HALTED, process.exitValue(), Files.readString(log));
    } finally {
      process.toHandle().destroyForcibly();
    }
  }

  /** Copies a store at rest. */
  public static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }

  /** The process that fills the store, in the directory that its argument names. */
  public static void main(String[] arguments) throws StorageException {
    try (StorageEngine engine = StorageEngine.open(Path.of(arguments[0]))) {
      List<IndexDefinition> indexes =
          Stream.of("address.city", "rtree:at", "keyword:does", "ngram3:does")
              .map(IndexDefinition::parse)
              .toList();
      Dataset people = engine.createDataset(DatasetOptions.of("people", "id").withIndexes(indexes));
      KeyValueStore pairs = engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS);
      people.upsert(person(1, "London"));
      people.flush();
      people.upsert(person(2, "London"));
      people.upsert(person(3, "New York"));
      pairs.put(utf8("k1"), utf8("one"));
      pairs.put(utf8("k2"), new byte[] {0, 1});
      Runtime.getRuntime().halt(HALTED);
    }
  }

  private static byte[] person(int id, String city) {
    return utf8(
        """
        {"id":%d,"address":{"city":"%s"},"at":[%d,%d],"does":"analytical engine"}"""
            .formatted(id, city, id, id));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
