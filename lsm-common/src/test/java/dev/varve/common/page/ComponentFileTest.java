package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes into a component file comes out, by every way of reading. */
final class ComponentFileTest {
  private static final Path PATH = Path.of("/store/c-1-1.lsm");
  private static final int PAGE_SIZE = 256;
  private static final byte[] METADATA = {1, 2, 3};

  private final MemoryFileSystem files = new MemoryFileSystem();

  @BeforeEach
  void makeDirectory() throws StorageException {
    files.createDirectories(Path.of("/store"));
  }

  @Test
  void pagesOfAnyLengthAreReadBackByPinByReadAndInSequence() throws StorageException {
    int[] unitsOfPages = {1, 3, 1, 7, 255, 1, 2};
    int[] numbers = write(unitsOfPages);
    PageCache cache = new PageCache(1 << 20);
    try (ComponentFile file = ComponentFile.open(files, PATH, 7, cache)) {
      assertArrayEquals(METADATA, file.metadata());
      assertEquals(9, file.fileId());
      assertEquals(1 + Arrays.stream(unitsOfPages).sum() + 1, file.pageCount());
      PageFile.SequentialReader sequential = file.sequentialReader(1024);
      byte[] buffer = new byte[0];
      for (int i = 0; i < numbers.length; i++) {
        try (PageFile.Page page = file.pin(numbers[i])) {
          byte[] bytes = page.bytes();
          requireContent(Arrays.copyOfRange(bytes, page.at(), bytes.length), i, unitsOfPages[i]);
        }
        buffer = file.readUncached(numbers[i], buffer);
        requireContent(buffer, i, unitsOfPages[i]);
        buffer = sequential.read(numbers[i], buffer);
        requireContent(buffer, i, unitsOfPages[i]);
      }
      file.verify();
      assertEquals(numbers.length, cache.stats().misses() + cache.stats().readAhead());
    }
    assertEquals(0, cache.stats().heldBytes());
  }

  @Test
  void aFileHasItsSealedNameOnlyOnceSealed() throws StorageException {
    Path building = Path.of("/store/c-1-1.building");
    try (ComponentFileWriter writer = create()) {
      assertTrue(files.exists(building));
      writer.seal(METADATA);
      assertFalse(files.exists(building));
    }
    assertTrue(files.exists(PATH));
    files.delete(PATH);
    create().close();
    assertEquals(List.of(), files.list(Path.of("/store")));
  }

  @Test
  void pagesOutsideTheFileAreRefused() throws StorageException {
    write(1);
    try (ComponentFile file = ComponentFile.open(files, PATH, 7, new PageCache(1 << 20))) {
      for (int number : new int[] {Integer.MIN_VALUE, -1, 0, 2, 3, Integer.MAX_VALUE}) {
        assertThrows(CorruptionException.class, () -> file.pin(number));
        assertThrows(CorruptionException.class, () -> file.readUncached(number, new byte[0]));
        assertThrows(
            CorruptionException.class, () -> file.sequentialReader(999).read(number, new byte[0]));
      }
    }
  }

  private ComponentFileWriter create() throws StorageException {
    return ComponentFileWriter.create(
        files, PATH, new ComponentFileOptions(7, PAGE_SIZE, 9, 1000, false, 4000));
  }

  private int[] write(int... unitsOfPages) throws StorageException {
    int[] numbers = new int[unitsOfPages.length];
    try (ComponentFileWriter writer = create()) {
      for (int i = 0; i < unitsOfPages.length; i++) {
        byte[] page = new byte[unitsOfPages[i] * PAGE_SIZE];
        Arrays.fill(page, (byte) i);
        numbers[i] = writer.append((byte) 5, page, unitsOfPages[i]);
      }
      writer.seal(METADATA);
    }
    return numbers;
  }

  private static void requireContent(byte[] page, int fill, int units) {
    assertEquals(5, page[PageLayout.KIND]);
    assertEquals(units, page[PageLayout.UNITS] & 0xFF);
    for (int i = PageLayout.BODY; i < units * PAGE_SIZE; i++) {
      assertEquals(fill, page[i]);
    }
  }
}
