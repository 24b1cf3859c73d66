package dev.varve.benchmarks.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: what is said to be dropped was, and files stay as they are. Method: files of a test. */
final class ColdFilesTest {
  @TempDir Path directory;

  @Test
  void filesOfADirectoryAreTakenOutOfTheCache() throws Exception {
    Path below = Files.createDirectories(directory.resolve("below"));
    Files.write(below.resolve("file"), new byte[1 << 20]);
    boolean dropped = ColdFiles.drop(directory);
    // Where the system has no such command nothing is dropped, and the report says so.
    assertEquals(Files.isExecutable(Path.of("/usr/bin/dd")), dropped);
    assertEquals(1 << 20, Files.size(below.resolve("file")));
  }

  @Test
  void whatIsNotThereIsNotSaidToBeDropped() {
    assertFalse(ColdFiles.drop(directory.resolve("absent")));
  }
}
