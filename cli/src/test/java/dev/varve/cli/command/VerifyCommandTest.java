package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.cli.VarveCommand;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.report.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code varve verify} says besides its counts. */
final class VerifyCommandTest {
  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int verify(String... more) {
    out.getBuffer().setLength(0);
    String[] arguments = new String[3 + more.length];
    arguments[0] = "verify";
    arguments[1] = "--dir";
    arguments[2] = directory.toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return VarveCommand.run(new Console(new PrintWriter(out), new PrintWriter(err)), arguments);
  }

  @Test
  void itNamesTheFilesInQuarantineAndWhy() throws Exception {
    try (StorageEngine engine = StorageEngine.open(directory)) {
      engine.createDataset(DatasetOptions.of("d", "id"));
      engine.createDataset(DatasetOptions.of("gone", "id"));
      engine.drop("gone");
    }
    leaveFilesOfTheDroppedDataset();
    assertEquals(0, verify(), err::toString);
    String note = "is in quarantine, from store/data/d2: dataset 2 was dropped";
    assertTrue(out.toString().contains("node 0: "), out::toString);
    assertTrue(out.toString().contains(note), out::toString);

    leaveFilesOfTheDroppedDataset();
    assertEquals(0, verify("--json"), err::toString);
    JsonNode notes = new ObjectMapper().readTree(out.toString()).at("/nodes/0/report/notes");
    assertEquals(1, notes.size(), out::toString);
    assertTrue(notes.get(0).asText().contains(note), out::toString);
  }

  /** What a crash in a drop may leave; an orderly close deletes it. */
  private void leaveFilesOfTheDroppedDataset() throws IOException {
    Path index = directory.resolve("store/data/d2/p0/i2");
    Files.createDirectories(index);
    Files.writeString(index.resolve("c-1-1.lsm"), "records of a dataset that is gone");
  }
}
