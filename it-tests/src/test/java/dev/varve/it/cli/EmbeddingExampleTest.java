package dev.varve.it.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.error.StorageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the README's example works, also on a directory that it filled before. Method: run it twice
 * and read what it prints.
 */
final class EmbeddingExampleTest {
  @TempDir Path directory;

  @Test
  void examplePrintsWhatItFound() throws StorageException {
    List<String> expected =
        List.of(
            "{\"id\": 3, \"name\": \"Grace\", \"address\": {\"city\": \"New York\"}}",
            "{\"id\": 1, \"name\": \"Ada\", \"address\": {\"city\": \"London\"}}",
            "{\"id\": 2, \"name\": \"Alan\", \"address\": {\"city\": \"London\"}}");
    assertEquals(expected, printed(EmbeddingExample::run));
    assertEquals(expected, printed(EmbeddingExample::run));
  }

  @Test
  void theTransactionChangesAllStores() throws StorageException {
    String invoice = "{\"order\": 7, \"cents\": 4200}";
    assertEquals(List.of(invoice, "1"), printed(TransactionExample::transfer));
    assertEquals(List.of(invoice, "2"), printed(TransactionExample::transfer));
  }

  /** A program of the README. */
  private interface Example {
    void run(Path directory) throws StorageException;
  }

  private List<String> printed(Example example) throws StorageException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      example.run(directory);
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
