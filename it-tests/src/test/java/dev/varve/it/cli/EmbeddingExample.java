package dev.varve.it.cli;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The embedding example of the README: what is between the marks stands there, line by line. */
final class EmbeddingExample {
  private EmbeddingExample() {}

  // begin
  static void run(Path directory) throws StorageException {
    try (StorageEngine engine = StorageEngine.open(directory)) {
      Dataset people =
          engine.openDataset(
              DatasetOptions.of("people", "id")
                  .withIndexes(List.of(IndexDefinition.on("address.city"))));

      people.upsert(utf8("{\"id\": 1, \"name\": \"Ada\", \"address\": {\"city\": \"London\"}}"));
      people.upsert(utf8("{\"id\": 2, \"name\": \"Alan\", \"address\": {\"city\": \"London\"}}"));
      people.upsert(
          utf8("{\"id\": 3, \"name\": \"Grace\", \"address\": {\"city\": \"New York\"}}"));

      System.out.println(text(people.get(Key.of(3)).orElseThrow()));

      try (RecordCursor found =
          people.search("address.city", ValueRange.exactly(Key.of("London")))) {
        while (found.next()) {
          System.out.println(text(found.value().toByteArray()));
        }
      }
    }
  }

  // end

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
