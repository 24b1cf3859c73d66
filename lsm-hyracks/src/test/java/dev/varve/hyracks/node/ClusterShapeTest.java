package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.hyracks.adapter.NodeFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Goal: a cluster is never opened with other nodes or partitions than its data lies in. */
final class ClusterShapeTest {
  private static final Path DIRECTORY = Path.of("/cluster");

  private final MemoryFileSystem files = new MemoryFileSystem();

  @Test
  void isWrittenOnceAndRefusesAnotherAfterwards() throws Exception {
    assertEquals(Optional.empty(), ClusterShape.read(files, DIRECTORY));
    new ClusterShape(2, 3).keep(files, DIRECTORY);
    new ClusterShape(2, 3).keep(files, DIRECTORY);
    assertEquals(Optional.of(new ClusterShape(2, 3)), ClusterShape.read(files, DIRECTORY));
    ConflictException refused =
        assertThrows(ConflictException.class, () -> new ClusterShape(3, 2).keep(files, DIRECTORY));
    assertEquals(ConflictException.Reason.OPTIONS_MISMATCH, refused.reason());
    assertTrue(refused.getMessage().contains("2 nodes with 3 partitions"), refused.getMessage());
  }

  /** The worked example of docs/format/node-documents.md. */
  @Test
  void standsInItsFileAsTheFormatPageSays() throws Exception {
    new ClusterShape(2, 2).keep(files, DIRECTORY);
    byte[] bytes = new byte[200];
    int length;
    try (StorageFile file =
        files.open(DIRECTORY.resolve("cluster.json"), FileSystem.OpenMode.READ_ONLY)) {
      length = file.read(0, bytes, 0, bytes.length);
    }
    assertEquals(
        """
        {"kind":"varve-cluster","format":1,"nodes":2,"partitionsPerNode":2}
        #crc32c 271f9a31
        """,
        new String(bytes, 0, length, StandardCharsets.UTF_8));
  }

  @Test
  void refusesAFileOfANewerVersion() throws Exception {
    files.createDirectories(DIRECTORY);
    new NodeFile(files, DIRECTORY.resolve("cluster.json"))
        .write(NodeFile.newDocument("varve-cluster", 2).put("nodes", 2));
    assertThrows(FormatVersionException.class, () -> ClusterShape.read(files, DIRECTORY));
  }

  @Test
  void reportsAllProblemsAtOnce() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new ClusterShape(0, 65));
    assertEquals(
        "nodes 0 is not between 1 and 64; partitionsPerNode 65 is not between 1 and 64",
        refused.getMessage());
  }
}
