package dev.varve.benchmarks.jmh;

import dev.varve.common.bytes.Crc32c;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The checksum of a page and of a log record. */
@State(Scope.Thread)
public class ChecksumBenchmark {
  @Param({"16384", "120"})
  private int bytes;

  private final Crc32c sum = new Crc32c();
  private byte[] page;

  /** Fills a page. */
  @Setup
  public void setUp() {
    page = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      page[i] = (byte) (i * 31);
    }
  }

  /** A sum that its owner reuses. */
  @Benchmark
  public int checksum() {
    return sum.reset().update(page, 0, page.length).value();
  }
}
