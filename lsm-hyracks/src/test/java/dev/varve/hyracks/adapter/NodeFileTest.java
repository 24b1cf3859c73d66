package dev.varve.hyracks.adapter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.charset.StandardCharsets;
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
    assertEquals(Optional.empty(), file.read());
    file.write(bytes("{\"a\":1}"));
    file.write(bytes("{\"a\":2,\"b\":3}"));
    assertArrayEquals(bytes("{\"a\":2,\"b\":3}"), file.read().orElseThrow());
  }

  @Test
  void noticesEveryChangedByte() throws Exception {
    files.createDirectories(PATH.getParent());
    NodeFile file = new NodeFile(files, PATH);
    file.write(bytes("{\"a\":1}"));
    long size = files.size(PATH);
    for (long position = 0; position < size; position++) {
      flip(position);
      assertThrows(CorruptionException.class, file::read, "byte " + position);
      flip(position);
    }
    assertArrayEquals(bytes("{\"a\":1}"), file.read().orElseThrow());
  }

  private void flip(long position) throws Exception {
    try (StorageFile file = files.open(PATH, OpenMode.READ_WRITE)) {
      byte[] one = new byte[1];
      file.read(position, one, 0, 1);
      one[0] ^= 4;
      file.write(position, one, 0, 1);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
