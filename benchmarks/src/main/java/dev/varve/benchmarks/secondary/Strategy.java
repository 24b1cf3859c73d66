package dev.varve.benchmarks.secondary;

import dev.varve.benchmarks.index.DatasetIndex;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexKind;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.store.ChildHeap;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexMaintenance;
import java.util.Map;

/** The ways to keep secondary indexes that are compared. */
enum Strategy implements IndexKind {
  /** Old records are read. */
  EAGER("eager", IndexMaintenance.EAGER),
  /** The same with an index of primary keys. */
  EAGER_KEYS("eager-keys", IndexMaintenance.EAGER),
  /** Nothing is read, and nothing is cleaned. */
  LAZY("lazy", IndexMaintenance.LAZY),
  /** Nothing is read, and merges clean. */
  VALIDATION("validation", IndexMaintenance.VALIDATION),
  /** The same, and it is known which records are dead. */
  MUTABLE_BITMAP("mutable-bitmap", IndexMaintenance.MUTABLE_BITMAP);

  private final String label;
  private final IndexMaintenance maintenance;

  Strategy(String label, IndexMaintenance maintenance) {
    this.label = label;
    this.maintenance = maintenance;
  }

  @Override
  public String label() {
    return label;
  }

  /** A dataset that is kept so. */
  DatasetOptions of(DatasetOptions options) {
    return this == EAGER_KEYS
        ? options.withPrimaryKeyIndex()
        : options.withMaintenance(maintenance);
  }

  @Override
  public IndexContender contender(IndexSettings settings) {
    IndexSettings.Budget budget = settings.budget();
    return new IndexContender(
        label,
        "maintenance %s%s, merge policy %s, one session, forced after each %d operations"
            .formatted(
                maintenance,
                this == EAGER_KEYS ? ", index of primary keys" : "",
                budget.mergePolicy(),
                DatasetIndex.OPERATIONS_A_FORCE),
        ChildHeap.arguments(budget.memory().cacheBytes() + 2 * budget.memory().writeBytes()),
        settings.in(settings.directory().resolve(label)),
        Map.of());
  }
}
