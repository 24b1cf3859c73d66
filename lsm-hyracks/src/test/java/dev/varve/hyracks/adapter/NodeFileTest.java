package dev.varve.hyracks.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Goal: a node's document is there whole or not at all, and damage to it is noticed. */
final class NodeFileTest {
  private static final Path PATH = Path.of("/node/document.json");

  private final MemoryFileSystem files = new MemoryFileSystem();

  @Test
  void givesBackWhatWasWrittenLast() throws Exception {
    files.createDirectories(PATH.getParent());
    NodeFile file = new NodeFile(files, PATH);
    assertEquals(Optional.empty(), file.read("test", 1));
    file.write(NodeFile.newDocument("test", 1).put("a", 1));
    file.write(NodeFile.newDocument("test", 1).put("a", 2).put("b", 3));
    assertEquals(
        "{\"kind\":\"test\",\"format\":1,\"a\":2,\"b\":3}",
        file.read("test", 1).orElseThrow().toString());
  }

  @Test
  void refusesAFormatThatIsNewerOrMissing() throws Exception {
    files.createDirectories(PATH.getParent());
    NodeFile file = new NodeFile(files, PATH);
    file.write(NodeFile.newDocument("test", 3));
    assertThrows(FormatVersionException.class, () -> file.read("test", 2));
    file.write(NodeFile.newDocument("test", 0));
    assertThrows(CorruptionException.class, () -> file.read("test", 2));
  }

  @Test
  void refusesADocumentOfAnotherKind() throws Exception {
    files.createDirectories(PATH.getParent());
    NodeFile file = new NodeFile(files, PATH);
    file.write(NodeFile.newDocument("another", 1));
    CorruptionException refused =
        assertThrows(CorruptionException.class, () -> file.read("test", 1));
    assertTrue(refused.getMessage().contains("'another'"), refused.getMessage());
  }

  @Test
  void noticesEveryChangedByte() throws Exception {
    files.createDirectories(PATH.getParent());
    NodeFile file = new NodeFile(files, PATH);
    file.write(NodeFile.newDocument("test", 1));
    long size = files.size(PATH);
    for (long position = 0; position < size; position++) {
      flip(position);
      assertThrows(CorruptionException.class, () -> file.read("test", 1), "byte " + position);
      flip(position);
    }
    assertTrue(file.read("test", 1).isPresent());
  }

  private void flip(long position) throws Exception {
    try (StorageFile file = files.open(PATH, OpenMode.READ_WRITE)) {
      byte[] one = new byte[1];
      file.read(position, one, 0, 1);
      one[0] ^= 4;
      file.write(position, one, 0, 1);
    }
  }
}
