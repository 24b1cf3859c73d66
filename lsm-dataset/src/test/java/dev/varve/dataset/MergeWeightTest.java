package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.scheduler.scheduling.FairScheduler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: the weight in a dataset's merge policy is what schedulers divide the bandwidth by, for all
 * of its indexes, from when it is set and after a restart. Method: a scheduler that notes what it
 * is shown.
 */
class MergeWeightTest {
  private final TestStore store = TestStore.empty(47);
  private final TreeSet<Integer> seen = new TreeSet<>();

  @AfterEach
  void nothingIsOpen() {
    store.faults.assertNothingOpen();
  }

  /** Notes the weights of merges. */
  private final class Noting implements MergeScheduler {
    @Override
    public MergeAllocation allocate(List<MergeProgress> merges) {
      merges.forEach(merge -> seen.add(merge.weight()));
      return new FairScheduler().allocate(merges);
    }

    @Override
    public String describe() {
      return "noting";
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"constant(2)", "correlated(constant(2))", "constant(2) reclaim none"})
  void aSchedulerSeesTheWeightOfTheDataset(String policy) throws StorageException {
    try (StorageEngine engine = open()) {
      Dataset dataset =
          engine.createDataset(
              DatasetOptions.of("records", "id")
                  .withIndexes(List.of(IndexDefinition.on("value")))
                  .withMergePolicy(new MergePolicyOptions(policy + " weight 5")));
      merge(dataset, 0);
      assertEquals(List.of(5), weights());
      dataset.setMergePolicy(new MergePolicyOptions(policy + " weight 9"));
      merge(dataset, 10);
      assertEquals(List.of(9), weights());
    }
    try (StorageEngine engine = open()) {
      merge(engine.dataset("records"), 20);
      assertEquals(List.of(9), weights());
      engine.dataset("records").setMergePolicy(new MergePolicyOptions(policy));
      merge(engine.dataset("records"), 30);
      assertEquals(List.of(1), weights());
    }
  }

  private StorageEngine open() throws StorageException {
    return store.open(TestStore.options().mergeScheduler(new Noting()).build());
  }

  private List<Integer> weights() {
    List<Integer> weights = List.copyOf(seen);
    seen.clear();
    return weights;
  }

  private void merge(Dataset dataset, int first) throws StorageException {
    for (int id = first; id < first + 3; id++) {
      dataset.upsert("{\"id\":%d,\"value\":%d}".formatted(id, id).getBytes(StandardCharsets.UTF_8));
      dataset.flush();
      store.executor.runUntilIdle();
    }
    for (IndexStats index : dataset.stats().partitions().get(0).indexes()) {
      assertEquals(true, index.components().size() <= 2, index.toString());
    }
  }
}
