package dev.varve.common.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.ComponentFile;
import dev.varve.common.page.ComponentFileOptions;
import dev.varve.common.page.ComponentFileWriter;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Filters: no key that was added is ever missed, and absent keys pass as often as was asked for.
 * Method: keys are the even numbers as 8 bytes, absent keys the odd ones.
 */
final class BloomFilterTest {
  private static final int PAGE_SIZE = 4096;
  private static final int MILLION = 1_000_000;

  private static final Path PATH = Path.of("/store/c-1-1.lsm");

  private final MemoryFileSystem files = new MemoryFileSystem();
  private final byte[] key = new byte[Long.BYTES];

  @ParameterizedTest
  @CsvSource({
    "0.1, 1000000", "0.01, 1000000", "0.001, 1000000",
    "0.1, 1100000", "0.01, 1100000", "0.001, 1100000",
    "0.01, 9223372036854775807", "0.0001, 1000000"
  })
  void aMillionKeysMeetTheRateTheyWereBuiltFor(double rate, long atMostKeys)
      throws StorageException {
    // Where the bound is above what came, the filter is larger than need be, and errs less.
    double spare = atMostKeys == 1_100_000 ? Math.pow(rate, 0.1) : 1;
    int page = build(BloomShape.forRate(rate), MILLION, atMostKeys);
    try (ComponentFile file = open(new PageCache(16 << 20))) {
      BloomFilter filter = BloomFilter.open(file, page);
      requireNoneMissed(filter, MILLION);
      double measured = measure(filter);
      assertTrue(
          measured > 0.8 * spare * rate && measured < 1.2 * rate,
          () -> "asked for " + rate + ", measured " + measured);
    }
  }

  @Test
  void aFilterForTooManyKeysIsFoldedToWhatCame() throws StorageException {
    BloomShape shape = BloomShape.forRate(0.01);
    int page = build(shape, 300_000, 2 * MILLION);
    try (ComponentFile file = open(new PageCache(16 << 20))) {
      BloomFilter filter = BloomFilter.open(file, page);
      assertTrue(filter.sizeBytes() < 2 * 300_000 * shape.bitsPerKey() / Byte.SIZE);
      requireNoneMissed(filter, 300_000);
      assertTrue(measure(filter) < 0.012);
      assertEquals(300_000, filter.keys());
    }
  }

  @Test
  void oneWordRulesOutMostAbsentKeysAndNoOthersAndReadsNothingFromDisk() throws StorageException {
    int page = build(BloomShape.forRate(0.01), 50_000, 50_000);
    PageCache cache = new PageCache(16 << 20);
    try (ComponentFile file = open(cache)) {
      BloomFilter filter = BloomFilter.open(file, page);
      long held = cache.stats().heldBytes();
      for (long hash = 1; hash != 0; hash <<= 1) {
        assertFalse(filter.rulesOut(hash, BloomFilter.positions(hash)));
      }
      assertEquals(held, cache.stats().heldBytes());
      assertEquals(BloomFilter.Answer.UNREAD, filter.answerFromMemory(-1));
      requireNoneMissed(filter, 50_000);
      int absent = 0;
      int ruledOut = 0;
      SplittableRandom random = new SplittableRandom(7);
      for (int i = 0; i < 100_000; i++) {
        long hash = random.nextLong();
        boolean isAbsent = filter.answerFromMemory(hash) == BloomFilter.Answer.ABSENT;
        boolean isRuledOut = filter.rulesOut(hash, BloomFilter.positions(hash));
        assertTrue(isAbsent || !isRuledOut);
        absent += isAbsent ? 1 : 0;
        ruledOut += isRuledOut ? 1 : 0;
      }
      assertTrue(ruledOut > 0.9 * absent, ruledOut + " of " + absent);
    }
  }

  @Test
  void aCacheThatHoldsNoMorePagesStillAnswers() throws StorageException {
    int page = build(BloomShape.forRate(0.01), 50_000, 50_000);
    PageCache cache = new PageCache(5 * PAGE_SIZE);
    try (ComponentFile file = open(cache)) {
      BloomFilter filter = BloomFilter.open(file, page);
      requireNoneMissed(filter, 50_000);
      assertEquals(2 * PAGE_SIZE, cache.stats().heldBytes());
      assertEquals(0, cache.stats().overruns());
    }
  }

  @Test
  void noKeysMakeNoFilterAndOneKeyMakesOnePage() throws StorageException {
    BloomShape shape = BloomShape.forRate(0.01);
    assertEquals(0, build(shape, 0, BloomFilterBuilder.UNKNOWN));
    files.delete(PATH);
    int page = build(shape, 1, 1);
    try (ComponentFile file = open(new PageCache(1 << 20))) {
      BloomFilter filter = BloomFilter.open(file, page);
      assertEquals(PAGE_SIZE, filter.sizeBytes());
      assertTrue(filter.mightContain(hash(0)));
      assertFalse(filter.mightContain(hash(1)));
    }
  }

  @Test
  void aPageThatIsNoFilterIsCorruption() throws StorageException {
    int page = build(BloomShape.forRate(0.01), 50_000, 50_000);
    try (ComponentFile file = open(new PageCache(1 << 20))) {
      assertThrows(CorruptionException.class, () -> BloomFilter.open(file, page + 1));
      assertThrows(CorruptionException.class, () -> BloomFilter.open(file, 1));
      assertThrows(CorruptionException.class, () -> BloomFilter.open(file, 0));
    }
  }

  @Test
  void fourProbesLieInAWordAndTheOthersAnywhere() {
    int keys = 100_000;
    int scattered = FilterLayout.MAX_PROBES - FilterLayout.TOGETHER;
    int[] together = bits(keys, FilterLayout.TOGETHER);
    int[] all = bits(keys, FilterLayout.MAX_PROBES);
    double inWord = 1 - Math.pow(1 - 1.0 / FilterLayout.WORD_BITS, FilterLayout.TOGETHER);
    double expectedTogether = keys * inWord * FilterLayout.WORD_BITS / FilterLayout.BLOCK_BITS;
    double missed = Math.pow(1 - 1.0 / FilterLayout.BLOCK_BITS, scattered);
    double expected = keys - (keys - expectedTogether) * missed;
    for (int bit = 0; bit < FilterLayout.BLOCK_BITS; bit++) {
      // Six standard deviations.
      assertEquals(expectedTogether, together[bit], 6 * Math.sqrt(expectedTogether));
      assertEquals(expected, all[bit], 6 * Math.sqrt(expected));
    }
  }

  /** How many of some keys set each bit of the block. */
  private int[] bits(int keys, int probes) {
    int[] keysOfBit = new int[FilterLayout.BLOCK_BITS];
    for (int i = 0; i < keys; i++) {
      byte[] page = new byte[FilterLayout.BLOCKS + FilterLayout.BLOCK_BYTES];
      FilterLayout.set(page, FilterLayout.BLOCKS, hash(i), probes);
      assertTrue(FilterLayout.test(page, FilterLayout.BLOCKS, hash(i), probes));
      int words = 0;
      for (int at = FilterLayout.BLOCKS; at < page.length; at += Long.BYTES) {
        words += Bytes.getLong(page, at) == 0 ? 0 : 1;
      }
      assertTrue(words == 1 || probes > FilterLayout.TOGETHER);
      for (int bit = 0; bit < keysOfBit.length; bit++) {
        keysOfBit[bit] += page[FilterLayout.BLOCKS + bit / 8] >>> (bit % 8) & 1;
      }
    }
    return keysOfBit;
  }

  @Test
  void ratesThatMakeNoSenseAreRefused() {
    for (double rate : new double[] {0, -1, 1, 0.51, 0.00001, Double.NaN}) {
      assertThrows(IllegalArgumentException.class, () -> BloomShape.forRate(rate));
    }
  }

  @BeforeEach
  void makeDirectory() throws StorageException {
    files.createDirectories(Path.of("/store"));
  }

  private int build(BloomShape shape, int keys, long atMostKeys) throws StorageException {
    try (ComponentFileWriter writer =
        ComponentFileWriter.create(files, PATH, ComponentFileOptions.of(1, PAGE_SIZE, 2))) {
      writer.append((byte) 1, new byte[PAGE_SIZE], 1);
      BloomFilterBuilder builder = new BloomFilterBuilder(shape, atMostKeys, writer);
      for (int i = 0; i < keys; i++) {
        builder.add(hash(2L * i));
      }
      int page = builder.finish();
      writer.seal(new byte[0]);
      return page;
    }
  }

  private ComponentFile open(PageCache cache) throws StorageException {
    return ComponentFile.open(files, PATH, 1, cache);
  }

  private void requireNoneMissed(BloomFilter filter, int keys) throws StorageException {
    for (int i = 0; i < keys; i++) {
      assertTrue(filter.mightContain(hash(2L * i)));
    }
  }

  private double measure(BloomFilter filter) throws StorageException {
    int maybes = 0;
    for (int i = 0; i < MILLION; i++) {
      maybes += filter.mightContain(hash(2L * i + 1)) ? 1 : 0;
    }
    return (double) maybes / MILLION;
  }

  private long hash(long number) {
    Bytes.putLongBigEndian(key, 0, number);
    return KeyHash.hash(key, 0, key.length);
  }
}
