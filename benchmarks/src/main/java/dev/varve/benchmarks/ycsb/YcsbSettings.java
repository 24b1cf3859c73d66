package dev.varve.benchmarks.ycsb;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.varve.benchmarks.store.ChildHeap;
import dev.varve.benchmarks.store.StoreDurability;
import dev.varve.benchmarks.store.StoreMemory;
import dev.varve.benchmarks.store.StoreSettings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What every store is given alike.
 *
 * @param directory where the stores are, each in a directory of its own
 * @param records which are loaded
 * @param operations of a pass over a workload
 * @param threads of YCSB, each with a client of its own
 * @param memory what a store may use of it
 * @param maintenance of Varve's engine; other stores have their own
 */
public record YcsbSettings(
    Path directory,
    Records records,
    long operations,
    int threads,
    StoreMemory memory,
    Maintenance maintenance) {
  /**
   * Records that are loaded.
   *
   * @param count how many
   * @param fieldBytes size of each of the ten fields of one
   */
  public record Records(long count, int fieldBytes) {
    /** As YCSB has them. */
    public static final int FIELDS = 10;

    /** Bytes of one, without key and names of fields. */
    public int bytes() {
      return FIELDS * fieldBytes;
    }
  }

  /** What a store is opened with. */
  StoreSettings of(YcsbStore store) {
    return new StoreSettings(
        directory.resolve(store.label()), StoreDurability.PROCESS_CRASH, memory, records.bytes());
  }

  /** The flags of every store's JVM: a heap that holds cache and memory, and nothing else. */
  @JsonIgnore
  public List<String> jvmArguments() {
    return ChildHeap.arguments(memory.totalBytes());
  }

  /** How long it will take, roughly: so many stores and workloads, on two cores. */
  public double estimatedSeconds(int stores, List<YcsbPass> passes, @Nullable YcsbArrivals pace) {
    assert stores > 0;
    double seconds = records.count / 60e3 + 2;
    for (YcsbPass pass : passes) {
      YcsbWorkload workload = pass.workload();
      double rate = workload.scans() ? 9e3 : 60e3;
      double once = workload.operations(operations) / rate;
      seconds += 2 * once + 3;
      if (pace != null) {
        seconds += pace.passes() * (pace.seconds() == 0 ? once : pace.seconds());
      }
    }
    return stores * seconds;
  }
}
