package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.List;
import java.util.Optional;

/** AsterixDB's LSM B+-tree, whose pages are on the heap, without the server around it. */
final class AsterixDbSetup implements StoreSetup {
  @Override
  public Store open(StoreSettings settings) throws BenchmarkException {
    return AsterixDbStore.open(settings);
  }

  @Override
  public String options(StoreSettings settings) {
    return AsterixDbNode.describe(
            AsterixDbStore.PAGE_BYTES,
            settings.memory().cacheBytes(),
            settings.memory().writeBytes())
        + "; keys of 16 raw bytes, insert by the index's own check, an accessor for writes, one with"
        + " a cursor for reads";
  }

  @Override
  public List<String> jvmArguments(StoreSettings settings) {
    return AsterixDbNode.jvmArguments(settings.memory().totalBytes());
  }

  @Override
  public Optional<String> refusal(StoreDurability durability) {
    return durability == StoreDurability.NONE
        ? Optional.empty()
        : Optional.of("its log belongs to the server, the storage alone has none");
  }

  @Override
  public boolean scansBackward() {
    return false;
  }
}
