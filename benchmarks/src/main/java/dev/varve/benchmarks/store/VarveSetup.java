package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.transaction.log.Durability;
import java.util.List;

/**
 * Varve as it comes; memory, cache and durability are those of the comparison.
 *
 * @param policy merge policy of the store
 */
record VarveSetup(String policy) implements StoreSetup {
  @Override
  public Store open(StoreSettings settings) throws BenchmarkException {
    return VarveStore.open(engineOptions(settings), storeOptions(settings));
  }

  @Override
  public String options(StoreSettings settings) {
    EngineOptions engine = engineOptions(settings);
    KeyValueOptions store = storeOptions(settings);
    return ("key-value store, one session a thread, forced after each operation; pageBytes=%d"
            + " cacheBytes=%d durability=%s logSegmentBytes=%d logRetentionBytes=%d"
            + " directMergeBytes=%d mergeThreads=%d memoryBytes=%d mergePolicy=%s"
            + " filterFalsePositiveRate=%s, no compression, checksums on")
        .formatted(
            engine.newStorePageBytes(),
            engine.components().cacheBytes(),
            engine.sessions().durability(),
            engine.log().segmentBytes(),
            engine.log().retentionBytes(),
            engine.components().direct().directMergeBytes(),
            engine.maintenance().mergeThreads(),
            store.memoryBytes(),
            store.mergePolicy(),
            store.filterFalsePositiveRate());
  }

  @Override
  public List<String> jvmArguments(StoreSettings settings) {
    return ChildHeap.arguments(settings.memory().totalBytes());
  }

  private static EngineOptions engineOptions(StoreSettings settings) {
    EngineOptions defaults = EngineOptions.of(settings.directory());
    return EngineOptions.builder(settings.directory())
        .cacheBytes(settings.memory().cacheBytes())
        .activeDatasetBytes(
            Math.max(defaults.memory().activeDatasetBytes(), settings.memory().writeBytes()))
        .durability(
            switch (settings.durability()) {
              case NONE -> Durability.NONE;
              case PROCESS_CRASH -> Durability.PROCESS_CRASH;
              case POWER_LOSS -> Durability.POWER_LOSS;
            })
        .build();
  }

  private KeyValueOptions storeOptions(StoreSettings settings) {
    return KeyValueOptions.DEFAULTS
        .withMergePolicy(new MergePolicyOptions(policy))
        .withMemoryBytes(settings.memory().writeBytes());
  }
}
