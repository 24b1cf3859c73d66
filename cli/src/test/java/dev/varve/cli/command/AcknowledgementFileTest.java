package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: what was appended is read, whatever a kill left behind it. */
final class AcknowledgementFileTest {
  @TempDir Path directory;

  private final FileSystem files = new LocalFileSystem();

  @Test
  void highestIdOfEachPartitionIsRead() throws StorageException {
    Path path = directory.resolve("acks");
    try (AcknowledgementFile file = AcknowledgementFile.open(files, path)) {
      file.append(0, 10);
      file.append(1, 7);
      file.append(0, 25);
    }
    try (AcknowledgementFile file = AcknowledgementFile.open(files, path)) {
      file.append(1, 30);
      file.append(0, 12);
    }
    assertEquals(Map.of(0, 25L, 1, 30L), AcknowledgementFile.read(files, path));
  }

  @Test
  void tornLastLineIsOverlookedAndCutOff() throws StorageException, IOException {
    Path path = directory.resolve("acks");
    try (AcknowledgementFile file = AcknowledgementFile.open(files, path)) {
      file.append(0, 10);
    }
    Files.writeString(path, "0 9999", StandardOpenOption.APPEND);
    assertEquals(Map.of(0, 10L), AcknowledgementFile.read(files, path));
    try (AcknowledgementFile file = AcknowledgementFile.open(files, path)) {
      file.append(0, 11);
    }
    assertEquals("0 10\n0 11\n", Files.readString(path));
  }

  @Test
  void fileOfSomethingElseIsRefused() throws IOException {
    Path path = directory.resolve("acks");
    Files.writeString(path, "0 1\nhello\n");
    assertThrows(CorruptionException.class, () -> AcknowledgementFile.read(files, path));
  }
}
