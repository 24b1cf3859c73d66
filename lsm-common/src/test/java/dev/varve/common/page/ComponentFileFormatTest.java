package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Golden;
import dev.varve.common.error.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Component files have the bytes of docs/format/page-file.md, and those of every release. */
final class ComponentFileFormatTest {
  private static final Path PATH = Path.of("/store/c-1-1.lsm");
  private static final String RESOURCE = "v1/component-file.txt";
  private static final byte[] BODY = "a body".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] METADATA = "metadata".getBytes(StandardCharsets.US_ASCII);

  private final HeapFileSystem files = new HeapFileSystem();

  @Test
  void aFileHasTheBytesOfTheFormatPage() throws StorageException {
    ComponentFileOptions options = ComponentFileOptions.of(0x1122334455667788L, 128, 42);
    try (ComponentFileWriter writer = ComponentFileWriter.create(files, PATH, options)) {
      byte[] page = new byte[128];
      System.arraycopy(BODY, 0, page, PageLayout.BODY, BODY.length);
      writer.append((byte) 1, page, 1);
      writer.seal(METADATA);
    }
    Golden.requireSame(RESOURCE, "page-file.md", Golden.dump(files.files.get(PATH).content));
  }

  @Test
  void theFileOfVersionOneIsRead() throws StorageException {
    HeapFileSystem.HeapFile golden = files.new HeapFile(PATH);
    golden.content = Golden.bytes(RESOURCE);
    files.files.put(PATH, golden);
    try (ComponentFile file =
            ComponentFile.open(files, PATH, 0x1122334455667788L, new PageCache(1 << 20));
        PageFile.Page page = file.pin(1)) {
      file.verify();
      assertEquals(42, file.fileId());
      assertEquals(3, file.pageCount());
      assertArrayEquals(METADATA, file.metadata());
      assertArrayEquals(
          BODY, Arrays.copyOfRange(page.bytes(), PageLayout.BODY, PageLayout.BODY + BODY.length));
    }
  }
}
