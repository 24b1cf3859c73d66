package dev.varve.common.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Golden;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.ComponentFile;
import dev.varve.common.page.ComponentFileOptions;
import dev.varve.common.page.ComponentFileWriter;
import dev.varve.common.page.PageCache;
import dev.varve.common.page.PageFileWriter;
import dev.varve.common.page.PageLayout;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Filters have the bytes of docs/format/filter.md, and those of every release. */
final class BloomFilterFormatTest {
  private static final String SCATTERED = "v1/filter.txt";
  private static final String RESOURCE = "v2/filter.txt";
  private static final int PAGE_SIZE = 256;
  private static final Path STORE = Path.of("/store");
  private static final int PROBES = 6;
  private static final String[] KEYS = {"one", "two", "three", "four"};

  @Test
  void aFilterHasTheBytesOfTheFormatPage() throws StorageException {
    List<byte[]> pages = new ArrayList<>();
    BloomFilterBuilder builder =
        new BloomFilterBuilder(new BloomShape(0.01, PROBES, 10), KEYS.length, new Pages(pages));
    for (String key : KEYS) {
      builder.add(hash(key));
    }
    builder.finish();
    Golden.requireSame(RESOURCE, "filter.md", Golden.dump(pages.get(0)));
  }

  @Test
  void theFilterOfVersionOneAnswers() throws StorageException {
    requireAnswers(SCATTERED);
  }

  @Test
  void theFilterOfVersionTwoAnswers() throws StorageException {
    requireAnswers(RESOURCE);
  }

  private static void requireAnswers(String resource) throws StorageException {
    MemoryFileSystem files = new MemoryFileSystem();
    files.createDirectories(STORE);
    Path path = STORE.resolve("c-1-1.lsm");
    int first;
    try (ComponentFileWriter writer =
        ComponentFileWriter.create(files, path, ComponentFileOptions.of(1, PAGE_SIZE, 2))) {
      first = writer.append(PageLayout.KIND_FILTER, Golden.bytes(resource), 1);
      writer.seal(new byte[0]);
    }
    try (ComponentFile file = ComponentFile.open(files, path, 1, new PageCache(1 << 20))) {
      BloomFilter filter = BloomFilter.open(file, first);
      for (String key : KEYS) {
        assertTrue(filter.mightContain(hash(key)), key);
        assertEquals(BloomFilter.Answer.POSSIBLE, filter.answerFromMemory(hash(key)), key);
      }
      assertFalse(filter.mightContain(hash("five")));
      assertEquals(BloomFilter.Answer.ABSENT, filter.answerFromMemory(hash("five")));
    }
  }

  private static long hash(String text) {
    byte[] key = text.getBytes(StandardCharsets.US_ASCII);
    return KeyHash.hash(key, 0, key.length);
  }

  /** Collects pages as they are appended, without their headers. */
  private record Pages(List<byte[]> pages) implements PageFileWriter {
    @Override
    public int pageSize() {
      return PAGE_SIZE;
    }

    @Override
    public int nextPage() {
      return pages.size() + 1;
    }

    @Override
    public int append(byte kind, byte[] page, int units) {
      pages.add(page);
      return pages.size();
    }

    @Override
    public long writtenBytes() {
      return (long) pages.size() * PAGE_SIZE;
    }
  }
}
