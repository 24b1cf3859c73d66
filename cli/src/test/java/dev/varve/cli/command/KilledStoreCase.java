package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.StorageEngine;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of which each has a copy of a {@link KilledStore} of its own, and leaves it clean. */
public abstract class KilledStoreCase {
  @TempDir static Path shared;

  /** For what a test makes beside the store. */
  @TempDir protected Path temporary;

  /** What the command printed. */
  protected final StringWriter out = new StringWriter();

  /** What it complained about. */
  protected final StringWriter err = new StringWriter();

  /** The store. */
  protected Path directory = Path.of("");

  @BeforeAll
  static void fill() throws Exception {
    KilledStore.fill(shared.resolve("killed"));
  }

  @BeforeEach
  void copy() throws IOException {
    directory = temporary.resolve("killed");
    KilledStore.copy(shared.resolve("killed"), directory);
  }

  @AfterEach
  void theStoreIsClean() throws StorageException {
    try (StorageEngine engine = StorageEngine.open(directory)) {
      assertTrue(engine.verify().clean(), () -> "the store is not clean");
    }
  }
}
