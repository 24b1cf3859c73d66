package dev.varve.benchmarks.jmh;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Comparison and hash of one key: what every search and every filter begins with. */
@State(Scope.Thread)
public class KeyBenchmark {
  /** The first byte in which the keys differ. */
  @Param({"0", "15"})
  private int differAt;

  private final Slice left = new Slice(new byte[Keys.KEY_BYTES]);
  private final Slice right = new Slice(new byte[Keys.KEY_BYTES]);

  /** Makes two keys. */
  @Setup
  public void setUp() {
    Keys.random(left.bytes(), 1);
    Keys.random(right.bytes(), 1);
    right.bytes()[differAt] ^= 1;
  }

  /** Byte by byte order. */
  @Benchmark
  public int compare() {
    return left.compareBytes(right);
  }

  /** Order by the first eight bytes as a number. */
  @Benchmark
  public int compareHeads() {
    return Long.compareUnsigned(left.head(), right.head());
  }

  /** The hash that filters and locks are addressed with. */
  @Benchmark
  public long hash() {
    return KeyHash.hash(left);
  }
}
