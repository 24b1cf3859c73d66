package dev.varve.benchmarks.jmh;

import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageCache;
import dev.varve.common.page.PageFile;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The buffer cache, asked for pages that it holds. */
@State(Scope.Thread)
public class PageCacheBenchmark {
  @Param({"1000000"})
  private int entries;

  private DiskFixture fixture;
  private int pages;
  private long step;

  /** Writes a file and reads all of its pages once. */
  @Setup
  public void setUp() throws StorageException {
    fixture = new DiskFixture(entries, new PageCache(1L << 30));
    // The first page is the header and the last one the metadata; every other one is a unit long.
    pages = fixture.file().pageCount() - 2;
    for (int i = 1; i <= pages; i++) {
      try (PageFile.Page page = fixture.file().pin(i)) {
        assert page.bytes().length - page.at() >= fixture.file().pageSize();
      }
    }
  }

  /** Removes the file. */
  @TearDown
  public void tearDown() throws StorageException {
    fixture.close();
  }

  /** Pins any page, touches it and unpins it. */
  @Benchmark
  public byte hit() throws StorageException {
    try (PageFile.Page page = fixture.file().pin(1 + Keys.scattered(step++, pages))) {
      return page.bytes()[page.at()];
    }
  }
}
