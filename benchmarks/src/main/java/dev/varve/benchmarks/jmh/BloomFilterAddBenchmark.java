package dev.varve.benchmarks.jmh;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilterBuilder;
import dev.varve.common.filter.BloomShape;
import dev.varve.common.page.ComponentFileOptions;
import dev.varve.common.page.PageFileWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Adding a key to a Bloom filter under construction, with its share of making the pages, which go
 * nowhere. Few keys are kept as hashes until the end; of many, the bits are set at once.
 */
@State(Scope.Thread)
public class BloomFilterAddBenchmark {
  @Param({"10000", "20000000"})
  private int entries;

  private final BloomShape shape = BloomShape.forRate(BloomShape.DEFAULT_RATE);
  private BloomFilterBuilder builder;
  private int added;
  private long step;

  /** Begins a filter. */
  @Setup
  public void setUp() {
    builder = newBuilder();
  }

  private BloomFilterBuilder newBuilder() {
    return new BloomFilterBuilder(shape, entries, new Discarding());
  }

  /** One more key; a filter that has all of them is finished and the next one begun. */
  @Benchmark
  public long add() throws StorageException {
    if (added == entries) {
      builder.finish();
      builder = newBuilder();
      added = 0;
    }
    builder.add(KeyHash.mix(step));
    added++;
    return step++;
  }

  /** A file that nobody will read. */
  private static final class Discarding implements PageFileWriter {
    private int nextPage = 1;

    @Override
    public int pageSize() {
      return ComponentFileOptions.DEFAULT_PAGE_SIZE;
    }

    @Override
    public int nextPage() {
      return nextPage;
    }

    @Override
    public int append(byte kind, byte[] page, int units) {
      int number = nextPage;
      nextPage += units;
      return number;
    }

    @Override
    public long writtenBytes() {
      return (long) nextPage * pageSize();
    }
  }
}
