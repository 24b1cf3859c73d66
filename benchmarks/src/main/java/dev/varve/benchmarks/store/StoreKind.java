package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Labelled;
import dev.varve.dataset.options.KeyValueOptions;
import java.util.List;
import java.util.Optional;

/**
 * The stores that can be compared. A constant loads nothing of its library until {@link #open}, so
 * that every process has the one library that it measures.
 */
public enum StoreKind implements Labelled {
  VARVE("varve", new VarveSetup(KeyValueOptions.DEFAULTS.mergePolicy().text())),
  /** Varve under other merge policies than its default. */
  VARVE_TIERING_5("varve-tiering-5", new VarveSetup("tiering(5)")),
  VARVE_TIERING_3("varve-tiering-3", new VarveSetup("tiering(3)")),
  VARVE_LEVELING("varve-leveling", new VarveSetup("leveling(10)")),
  VARVE_PARTITIONED("varve-partitioned", new VarveSetup("partitioned-leveling(10, 64m, 16m, 4)")),
  /** RocksDB as its guides would have it set up for this load. */
  ROCKSDB("rocksdb", new RocksDbSetup(RocksDbTuning.TUNED)),
  /** RocksDB as it comes. */
  ROCKSDB_DEFAULT("rocksdb-default", new RocksDbSetup(RocksDbTuning.DEFAULT)),
  ASTERIXDB("asterixdb", new AsterixDbSetup()),
  LMDB("lmdb", new LmdbSetup()),
  MVSTORE("mvstore", new MvStoreSetup());

  private final String label;
  private final StoreSetup setup;

  StoreKind(String label, StoreSetup setup) {
    this.label = label;
    this.setup = setup;
  }

  @Override
  public String label() {
    return label;
  }

  /** Whether it can promise this level of durability, write by write. */
  public boolean supports(StoreDurability durability) {
    return refusal(durability).isEmpty();
  }

  /** Why it cannot promise this level of durability; empty when it can. */
  public Optional<String> refusal(StoreDurability durability) {
    return setup.refusal(durability);
  }

  /** Whether its cursors go this way; {@link StoreSession#scan} throws where they do not. */
  public boolean supports(ScanDirection direction) {
    return direction == ScanDirection.FORWARD || setup.scansBackward();
  }

  /** All of its options that matter, in one line. */
  public String options(StoreSettings settings) {
    return setup.options(settings);
  }

  /** Arguments of the JVM that it runs in: the smallest heap that it works well with, and doors. */
  public List<String> jvmArguments(StoreSettings settings) {
    return setup.jvmArguments(settings);
  }

  /** Opens the store in its directory, creating it when there is none. */
  public Store open(StoreSettings settings) throws BenchmarkException {
    Optional<String> refusal = refusal(settings.durability());
    if (refusal.isPresent()) {
      throw new IllegalArgumentException(label + ": " + refusal.get());
    }
    return setup.open(settings);
  }
}
