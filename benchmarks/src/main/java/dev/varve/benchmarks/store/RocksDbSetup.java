package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.List;

/** RocksDB, which keeps everything of its own outside of the heap. */
final class RocksDbSetup implements StoreSetup {
  private final RocksDbTuning tuning;

  RocksDbSetup(RocksDbTuning tuning) {
    this.tuning = tuning;
  }

  @Override
  public Store open(StoreSettings settings) throws BenchmarkException {
    return RocksDbStore.open(settings, tuning);
  }

  @Override
  public String options(StoreSettings settings) {
    String shape =
        switch (tuning) {
          case TUNED ->
              "bloom=10 bits, max_background_jobs=2, write_buffer_size="
                  + settings.memory().writeBytes() / 2
                  + ", max_write_buffer_number=2, block cache (HyperClock)="
                  + settings.memory().cacheBytes()
                  + ", compression=none, the rest as it comes";
          case DEFAULT ->
              "as it comes: write_buffer_size=64 MiB, max_write_buffer_number=2,"
                  + " max_background_jobs=2, block cache (HyperClock) 32 MiB, no filter, compression=lz4";
        };
    String writes =
        switch (settings.durability()) {
          case NONE -> "disableWAL";
          case PROCESS_CRASH -> "WAL, sync=false";
          case POWER_LOSS -> "WAL, sync=true";
        };
    return shape
        + "; "
        + writes
        + "; insert is get then put, without a lock between them; an iterator is refreshed from scan"
        + " to scan";
  }

  @Override
  public List<String> jvmArguments(StoreSettings settings) {
    return ChildHeap.arguments(0);
  }
}
