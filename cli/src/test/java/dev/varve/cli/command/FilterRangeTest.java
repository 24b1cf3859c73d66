package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.cli.VarveCommand;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.report.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: {@code --filter-range} prints the records in the range and no others, {@code stats} says
 * which values a component has, and a dataset that is not filtered is refused. Method: a small
 * store of an embedded engine.
 */
final class FilterRangeTest {
  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void fill() throws StorageException {
    try (StorageEngine engine = StorageEngine.open(directory)) {
      Dataset timed =
          engine.createDataset(
              DatasetOptions.of("timed", "id")
                  .withIndexes(List.of(IndexDefinition.on("n")))
                  .withFilterField(Optional.of(FieldPath.parse("t"))));
      engine.createDataset(DatasetOptions.of("plain", "id"));
      for (int id = 0; id < 8; id++) {
        timed.insert(
            "{\"id\":%d,\"n\":%d,\"t\":%d}"
                .formatted(id, id % 2, 100 + id)
                .getBytes(StandardCharsets.UTF_8));
      }
      timed.flush();
    }
  }

  private int run(String line) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] arguments = (line + " --dir " + directory).split(" ");
    return VarveCommand.run(new Console(new PrintWriter(out), new PrintWriter(err)), arguments);
  }

  @Test
  void onlyRecordsInTheRangeAreFoundAndDumped() {
    assertEquals(0, run("dump --dataset timed --filter-range 103:104"), err::toString);
    assertEquals(2, out.toString().lines().count(), out::toString);
    assertTrue(out.toString().contains("\"t\":103") && out.toString().contains("\"t\":104"));
    String find = "find --dataset timed --by n --range 1:1 --filter-range 104:";
    assertEquals(0, run(find), err::toString);
    assertTrue(out.toString().contains("\"t\":105") && out.toString().contains("\"t\":107"));
    assertTrue(!out.toString().contains("\"t\":103") && !out.toString().contains("\"t\":106"));
  }

  @Test
  void anImportMakesADatasetThatIsFiltered() throws IOException {
    Path file = directory.resolveSibling(directory.getFileName() + ".ndjson");
    Files.writeString(file, "{\"id\":1,\"t\":5}\n{\"id\":2,\"t\":6}\n");
    String into = "import --progress none --dataset new --key id --filter ";
    assertEquals(0, run(into + "t " + file), err::toString);
    assertEquals(0, run("dump --dataset new --filter-range 6:"), err::toString);
    assertEquals(1, out.toString().lines().count(), out::toString);
    assertTrue(out.toString().contains("\"t\":6"), out::toString);
    assertTrue(run(into + "id " + file) != 0, "another filter field than it has");
    assertTrue(run("import --dataset pairs --pairs --filter t " + file) != 0);
    assertTrue(err.toString().contains("--pairs goes with none of"), err::toString);
  }

  @Test
  void statsSayWhichValuesComponentsHave() {
    assertEquals(0, run("stats"), err::toString);
    assertTrue(out.toString().contains("<100> to <107>"), out::toString);
    assertEquals(0, run("stats --json"), err::toString);
    assertTrue(out.toString().contains("\"smallest\" : \"<100>\""), out::toString);
  }

  @Test
  void aDatasetThatIsNotFilteredIsRefused() {
    assertTrue(run("dump --dataset plain --filter-range 1:2") != 0);
    assertTrue(err.toString().contains("not filtered"), err::toString);
  }
}
