package dev.varve.benchmarks.jmh;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilter;
import dev.varve.common.filter.BloomFilterBuilder;
import dev.varve.common.filter.BloomShape;
import dev.varve.common.page.ComponentFile;
import dev.varve.common.page.ComponentFileOptions;
import dev.varve.common.page.ComponentFileWriter;
import dev.varve.common.page.PageCache;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Probes of a Bloom filter with one per cent of false positives: of 10,000 keys, 13 KB that any
 * cache of a CPU holds, and of 20,000,000, 26 MB that are beyond a core's own cache.
 */
@State(Scope.Thread)
public class BloomFilterBenchmark {
  private static final long STORE = 1;

  @Param({"10000", "20000000"})
  private int entries;

  private Scratch scratch;
  private ComponentFile file;
  private BloomFilter filter;
  private long step;

  /** Writes the filter to a file and opens it. */
  @Setup
  @SuppressWarnings("MustBeClosedChecker") // closed by tearDown
  public void setUp() throws StorageException {
    scratch = new Scratch();
    Path path = scratch.directory().resolve("1" + ComponentFileWriter.SEALED_SUFFIX);
    ComponentFileOptions options =
        ComponentFileOptions.of(STORE, ComponentFileOptions.DEFAULT_PAGE_SIZE, 1);
    int first;
    try (ComponentFileWriter writer = ComponentFileWriter.create(scratch.files(), path, options)) {
      BloomFilterBuilder builder =
          new BloomFilterBuilder(BloomShape.forRate(BloomShape.DEFAULT_RATE), entries, writer);
      for (int i = 0; i < entries; i++) {
        builder.add(KeyHash.mix(i));
      }
      first = builder.finish();
      writer.seal(Bytes.EMPTY);
    }
    file = ComponentFile.open(scratch.files(), path, STORE, new PageCache(1L << 30));
    filter = BloomFilter.open(file, first);
  }

  /** Removes the file. */
  @TearDown
  public void tearDown() throws StorageException {
    file.close();
    scratch.close();
  }

  /** The hash of a key that was added. */
  @Benchmark
  public boolean hit() throws StorageException {
    boolean possible = filter.mightContain(KeyHash.mix(Keys.scattered(step++, entries)));
    assert possible;
    return possible;
  }

  /** The hash of a key that was not. */
  @Benchmark
  public boolean miss() throws StorageException {
    return filter.mightContain(KeyHash.mix(entries + step++));
  }
}
