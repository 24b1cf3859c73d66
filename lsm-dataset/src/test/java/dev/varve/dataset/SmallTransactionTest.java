package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a transaction may take of a dataset's memory. One that is small against it is never aborted
 * for the memory's sake, whatever else fills it: the flush that frees it waits for a moment only.
 */
class SmallTransactionTest {
  private static final int TOGETHER = 5;
  private static final int RECORDS = 10;

  private final TestStore store = TestStore.empty(Seeds.one(7));

  private static DatasetOptions sixIndexes(long memoryBytes) {
    List<IndexDefinition> indexes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      indexes.add(IndexDefinition.on("f" + i));
    }
    return DatasetOptions.of("wide", "id")
        .withIndexes(indexes)
        .withMemoryBytes(memoryBytes)
        .withMergePolicy(MergePolicyOptions.constant(3));
  }

  private static Slice record(int id, int round) {
    StringBuilder json = new StringBuilder("{\"id\":").append(id);
    for (int i = 0; i < 6; i++) {
      json.append(",\"f").append(i).append("\":\"value ").append(round).append(' ').append(id);
      json.append("\"");
    }
    return new Slice(TestStore.bytes(json.append('}').toString()));
  }

  @Test
  void smallTransactionsAreNeverAbortedForWantOfMemory() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset wide = engine.createDataset(sixIndexes(512 << 10));
      for (int round = 0; round < 10; round++) {
        List<RecordTransaction> scopes = new ArrayList<>();
        for (int i = 0; i < TOGETHER; i++) {
          scopes.add(wide.partition(0).beginTransaction());
        }
        for (int record = 0; record < RECORDS; record++) {
          for (int i = 0; i < TOGETHER; i++) {
            scopes.get(i).upsert(record(i * RECORDS + record, round));
          }
        }
        for (RecordTransaction scope : scopes) {
          scope.commit();
        }
      }
      assertEquals(List.of(), engine.verify().problems());
      assertEquals(TOGETHER * RECORDS, engine.verify().records());
    }
  }

  @Test
  void aTransactionThatIsLargeAgainstTheMemoryIsStillRefused() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset wide = engine.createDataset(sixIndexes(512 << 10));
      assertThrows(
          StorageException.class,
          () -> {
            try (RecordTransaction scope = wide.partition(0).beginTransaction()) {
              for (int id = 0; id < 10_000; id++) {
                scope.insert(record(id, 0));
              }
            }
          });
      assertEquals(0, engine.verify().records());
    }
  }
}
