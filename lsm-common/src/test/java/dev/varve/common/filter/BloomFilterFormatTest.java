package dev.varve.common.filter;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Golden;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFileWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Filters have the bytes of docs/format/filter.md, and those of every release. */
final class BloomFilterFormatTest {
  private static final String RESOURCE = "v1/filter.txt";
  private static final int PAGE_SIZE = 256;
  private static final int BLOCKS = 3;
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
  void theFilterOfVersionOneAnswers() {
    byte[] page = Golden.bytes(RESOURCE);
    for (String key : KEYS) {
      assertTrue(mightContain(page, key));
    }
    assertFalse(mightContain(page, "five"));
  }

  private static boolean mightContain(byte[] page, String key) {
    return FilterLayout.test(page, FilterLayout.block(hash(key), BLOCKS), hash(key), PROBES);
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
