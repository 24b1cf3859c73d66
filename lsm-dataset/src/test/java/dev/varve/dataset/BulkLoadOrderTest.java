package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.rtree.query.RegionQuery;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A bulk load publishes its secondary indexes before the primary: whoever reads while it ends finds
 * a record by all of its indexes or by none. Method: everything is read at each operation on disk.
 */
class BulkLoadOrderTest {
  private static final int RECORDS = 20;

  private static final Map<String, IndexSearch> SEARCHES =
      Map.of(
          "n", new KeySearch(ValueRange.all()),
          "rtree:at", new SpatialSearch(RegionQuery.everything()),
          "keyword:text", TextSearch.allWords("tree"));

  private final TestStore store = TestStore.empty(1);

  /** How often something was found, and how often nothing. */
  private int withRecords;

  private int empty;

  @Test
  void aRecordIsFoundByAllIndexesOrByNone() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset =
          engine.createDataset(
              DatasetOptions.of("d", "id")
                  .withIndexes(SEARCHES.keySet().stream().map(IndexDefinition::parse).toList())
                  .withMemoryBytes(1 << 20));
      try (RecordLoader loader = dataset.partition(0).bulkLoad()) {
        for (int id = 0; id < RECORDS; id++) {
          String json = "{\"id\":%d,\"n\":%d,\"at\":[%d,1],\"text\":\"tree\"}";
          loader.add(new Slice(TestStore.bytes(json.formatted(id, id, id))));
        }
        store.files.onOperation(operation -> look(dataset, operation.toString()));
        loader.finish();
        store.files.onOperation(null);
      }
      look(dataset, "the end");
      assertEquals(List.of(), engine.verify().problems());
    }
    assertTrue(empty > SEARCHES.size(), empty + " looks found nothing");
    assertTrue(withRecords > 0, withRecords + " looks found records");
  }

  private void look(Dataset dataset, String at) {
    try {
      int records = TestStore.records(dataset.scan(KeyRange.all())).size();
      for (Map.Entry<String, IndexSearch> search : SEARCHES.entrySet()) {
        int found = TestStore.records(dataset.search(search.getKey(), search.getValue())).size();
        assertEquals(records, found, search.getKey() + " at " + at);
      }
      if (records == 0) {
        empty++;
      } else {
        withRecords++;
      }
    } catch (StorageException e) {
      throw new AssertionError(at, e);
    }
  }
}
