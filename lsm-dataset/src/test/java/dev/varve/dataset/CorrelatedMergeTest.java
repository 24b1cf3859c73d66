package dev.varve.dataset;

import static dev.varve.dataset.TestStore.person;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: primary and secondaries merge together when the policy is correlated. Method: flushes of
 * which some have nothing for a secondary, so that numbers of flushes are not in step.
 */
class CorrelatedMergeTest {
  private final TestStore store = TestStore.empty(23);

  private static List<Integer> componentCounts(Dataset people) throws StorageException {
    return people.stats().partitions().get(0).indexes().stream()
        .map(index -> index.components().size())
        .toList();
  }

  private static void fill(StorageEngine engine, Dataset people, int from, int to)
      throws StorageException {
    for (int round = from; round < to; round++) {
      for (int id = 0; id < 20; id++) {
        int key = 20 * round + id;
        people.insert(
            round % 4 == 3
                ? TestStore.bytes("{\"id\":" + key + "}")
                : person(key, "name " + id, "city " + round, key));
      }
      people.flush();
      assertTrue(engine.awaitQuiet(60_000));
    }
  }

  @Test
  void secondariesMergeWhatThePrimaryMerges() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people =
          engine.createDataset(
              TestStore.people()
                  .withMergePolicy(new MergePolicyOptions("correlated(constant(4))")));
      fill(engine, people, 0, 3);
      assertEquals(List.of(3, 3, 3), componentCounts(people));
      // The fourth flush has nothing for the secondaries; they merge all the same.
      fill(engine, people, 3, 4);
      assertEquals(List.of(1, 1, 1), componentCounts(people));
      fill(engine, people, 4, 6);
      assertEquals(List.of(3, 3, 3), componentCounts(people));
    }
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.dataset("people");
      assertEquals("correlated(constant(4))", people.options().mergePolicy().text());
      fill(engine, people, 6, 7);
      for (IndexStats index : people.stats().partitions().get(0).indexes()) {
        assertEquals(1, index.components().size(), index.toString());
      }
      // Every round but the fourth has one.
      assertEquals(
          6, TestStore.keys(people.search("name", ValueRange.exactly(Key.of("name 7")))).size());
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aDatasetBecomesCorrelatedWhileItIsOpen() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people =
          engine.createDataset(TestStore.people().withMergePolicy(MergePolicyOptions.none()));
      fill(engine, people, 0, 3);
      people.setMergePolicy(new MergePolicyOptions("correlated(constant(3))"));
      assertTrue(engine.awaitQuiet(60_000));
      assertEquals(List.of(1, 1, 1), componentCounts(people));
      assertEquals(List.of(), engine.verify().problems());
    }
  }
}
