package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A search whose candidates take several batches, while the records that it finds change. */
class LongSearchTest {
  /** More than two batches of 65,536. */
  private static final int RECORDS = 140_000;

  private final TestStore store = TestStore.empty(1);

  @Test
  void aRecordThatChangesDuringASearchIsFoundOnce() throws StorageException {
    EngineOptions options = TestStore.options().logRetentionBytes(1 << 30).build();
    try (StorageEngine engine = store.open(options)) {
      Dataset dataset =
          engine.createDataset(
              DatasetOptions.of("d", "id")
                  .withIndexes(List.of(IndexDefinition.on("n")))
                  .withMemoryBytes(60 << 20));
      for (int id = 0; id < RECORDS; id++) {
        put(dataset, id, id);
      }
      BitSet found = new BitSet();
      try (RecordCursor cursor = dataset.search("n", ValueRange.all())) {
        for (int count = 0; cursor.next(); count++) {
          int id = (int) DatasetModel.id(cursor);
          assertTrue(!found.get(id), id + " twice");
          found.set(id);
          if (count % 1000 == 0) {
            // One that was found comes again behind the rest, as does one that will be, and one
            // that will be comes in front, where nobody looks any more.
            put(dataset, id, 2 * RECORDS + id);
            put(dataset, (id + 70_500) % RECORDS, 3 * RECORDS + id);
            put(dataset, (id + 400) % RECORDS, -id);
          }
        }
      }
      assertEquals(RECORDS, found.cardinality());
    }
  }

  private static void put(Dataset dataset, int id, int n) throws StorageException {
    dataset.upsert(TestStore.bytes("{\"id\":" + id + ",\"n\":" + n + "}"));
  }
}
