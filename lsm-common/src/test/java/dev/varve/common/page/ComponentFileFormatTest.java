package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Golden;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Component files have the bytes of docs/format/page-file.md, and those of every release. */
final class ComponentFileFormatTest {
  private static final Path PATH = Path.of("/store/c-1-1.lsm");
  private static final String RESOURCE = "v1/component-file.txt";
  private static final byte[] BODY = "a body".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] METADATA = "metadata".getBytes(StandardCharsets.US_ASCII);

  private final MemoryFileSystem disk = new MemoryFileSystem();

  @BeforeEach
  void makeDirectory() throws StorageException {
    disk.createDirectories(Path.of("/store"));
  }

  @Test
  void aFileHasTheBytesOfTheFormatPage() throws StorageException {
    ComponentFileOptions options = ComponentFileOptions.of(0x1122334455667788L, 128, 42);
    try (ComponentFileWriter writer = ComponentFileWriter.create(disk, PATH, options)) {
      byte[] page = new byte[128];
      System.arraycopy(BODY, 0, page, PageLayout.BODY, BODY.length);
      writer.append((byte) 1, page, 1);
      writer.seal(METADATA);
    }
    Golden.requireSame(RESOURCE, "page-file.md", Golden.dump(disk.content(PATH)));
  }

  @Test
  void theFileOfVersionOneIsRead() throws StorageException {
    byte[] golden = Golden.bytes(RESOURCE);
    try (StorageFile file = disk.open(PATH, OpenMode.CREATE_NEW)) {
      file.write(0, golden, 0, golden.length);
    }
    try (ComponentFile file =
            ComponentFile.open(disk, PATH, 0x1122334455667788L, new PageCache(1 << 20));
        PageFile.Page page = file.pin(1)) {
      file.verify();
      assertEquals(42, file.fileId());
      assertEquals(3, file.pageCount());
      assertArrayEquals(METADATA, file.metadata());
      int body = page.at() + PageLayout.BODY;
      assertArrayEquals(BODY, Arrays.copyOfRange(page.bytes(), body, body + BODY.length));
    }
  }
}
