package dev.varve.benchmarks.jmh;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageCache;
import dev.varve.common.page.PageFile;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The buffer cache, asked for pages of a file that is 16 times its size and in the system's cache:
 * what a miss costs, and what of that is the system's call.
 */
@State(Scope.Thread)
public class PageMissBenchmark {
  private static final int CACHE_SHARE = 16;

  @Param({"4000000"})
  private int entries;

  private DiskFixture fixture;
  private StorageFile raw;
  private byte[] target;
  private int pages;
  private long step;

  /** Writes the file. */
  @Setup
  @SuppressWarnings("MustBeClosedChecker") // closed by tearDown
  public void setUp() throws StorageException {
    long bytes = (long) entries * (Keys.KEY_BYTES + Keys.VALUE_BYTES);
    fixture = new DiskFixture(entries, new PageCache(bytes / CACHE_SHARE));
    raw = fixture.files().open(Path.of(fixture.file().name()), OpenMode.READ_ONLY);
    target = new byte[fixture.file().pageSize()];
    // The first page is the header and the last one the metadata; every other one is a unit long.
    pages = fixture.file().pageCount() - 2;
  }

  /** Removes the file. */
  @TearDown
  public void tearDown() throws StorageException {
    raw.close();
    fixture.close();
  }

  /** Pins any page, which is rarely there, touches it and unpins it. */
  @Benchmark
  public byte miss() throws StorageException {
    try (PageFile.Page page = fixture.file().pin(1 + Keys.scattered(step++, pages))) {
      return page.bytes()[page.at()];
    }
  }

  /** Reads any page into one buffer, without a look at it. */
  @Benchmark
  public int read() throws StorageException {
    long position = (1L + Keys.scattered(step++, pages)) * target.length;
    return raw.read(position, target, 0, target.length);
  }
}
