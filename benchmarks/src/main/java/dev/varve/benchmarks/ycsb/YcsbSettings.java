package dev.varve.benchmarks.ycsb;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.varve.benchmarks.store.ChildHeap;
import dev.varve.benchmarks.store.StoreDurability;
import dev.varve.benchmarks.store.StoreSettings;
import java.nio.file.Path;
import java.util.List;

/**
 * What every store is given alike.
 *
 * @param directory where the stores are, each in a directory of its own
 * @param records how many are loaded
 * @param operations of a pass over a workload
 * @param threads of YCSB, each with a client of its own
 * @param memory what a store may use of it
 */
public record YcsbSettings(
    Path directory, long records, long operations, int threads, Memory memory) {
  /** Ten fields of a hundred bytes. */
  static final int RECORD_BYTES = 1_000;

  /**
   * Bytes that a store may use.
   *
   * @param cacheBytes memory for what is read
   * @param writeBytes memory for what is written
   */
  public record Memory(long cacheBytes, long writeBytes) {}

  /** What a store is opened with. */
  StoreSettings of(YcsbStore store) {
    return new StoreSettings(
        directory.resolve(store.label()),
        StoreDurability.PROCESS_CRASH,
        memory.cacheBytes,
        memory.writeBytes,
        RECORD_BYTES);
  }

  /** The flags of every store's JVM: a heap that holds cache and memory, and nothing else. */
  @JsonIgnore
  public List<String> jvmArguments() {
    return ChildHeap.arguments(memory.cacheBytes + memory.writeBytes);
  }

  /** How long it will take, roughly: so many stores and workloads, on two cores. */
  public double estimatedSeconds(int stores, List<YcsbWorkload> workloads) {
    assert stores > 0;
    double seconds = records / 90e3 + 2;
    for (YcsbWorkload workload : workloads) {
      double rate = workload.scans() ? 14e3 : 100e3;
      seconds += 2 * workload.operations(operations) / rate + 3;
    }
    return stores * seconds;
  }
}
