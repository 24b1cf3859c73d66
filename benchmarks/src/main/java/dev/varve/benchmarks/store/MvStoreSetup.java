package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.List;

/** H2's MVStore, which keeps pages as objects on the heap. */
final class MvStoreSetup implements StoreSetup {
  @Override
  public Store open(StoreSettings settings) throws BenchmarkException {
    return new MvStoreStore(settings);
  }

  @Override
  public String options(StoreSettings settings) {
    String commits =
        switch (settings.durability()) {
          case NONE -> "commits by itself, after 1 s or when the buffer is full";
          case PROCESS_CRASH ->
              "commit() after each write (it has no smaller step that survives a crash),"
                  + " retentionTime=0, which only a power loss forbids";
          case POWER_LOSS -> "commit() and sync() after each write";
        };
    return ("cacheSize=%d MiB, autoCommitBufferSize=%d KiB, ByteArrayDataType for keys and values, no"
            + " compression, the rest as it comes; %s")
        .formatted(
            MvStoreStore.cacheMebibytes(settings), MvStoreStore.bufferKibibytes(settings), commits);
  }

  /** Half as much again as the cache counts: it counts pages, and not what becomes garbage. */
  @Override
  public List<String> jvmArguments(StoreSettings settings) {
    return ChildHeap.arguments(
        settings.memory().cacheBytes() * 3 / 2 + settings.memory().writeBytes());
  }
}
