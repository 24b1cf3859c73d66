package dev.varve.benchmarks.transfer;

import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.store.AccountStoreKind;
import dev.varve.benchmarks.store.StoreSettings;
import org.jspecify.annotations.Nullable;

/**
 * What the parent asks of a child, which opens the store and loads it at the first phase.
 *
 * @param store which one
 * @param settings how to open it
 * @param perTransaction records of a transaction; 0 for reads of single records
 * @param held of how many records the locks are held meanwhile, the first ones
 * @param work a phase, over all accounts, with threads that transfer or read, beside one that sums;
 *     null to close the store and end
 */
record TransferRequest(
    AccountStoreKind store,
    StoreSettings settings,
    int perTransaction,
    int held,
    @Nullable Work work) {
  /**
   * What came of a phase.
   *
   * @param measurement of the transactions or reads; its rows are sums, its wrong answers those
   *     that are torn
   * @param refused transactions that were refused and done again
   */
  record Answer(Measurement measurement, long refused) {}
}
