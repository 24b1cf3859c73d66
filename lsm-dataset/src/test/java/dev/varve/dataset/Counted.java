package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.OrderedSearch;
import dev.varve.dataset.model.RecordCursor;
import java.util.ArrayList;
import java.util.List;

/** Searches of which it was checked that keys and counts say what records say. */
final class Counted {
  private Counted() {}

  /** A search by value. */
  static RecordCursor search(Dataset dataset, String index, KeyRange values)
      throws StorageException {
    return search(dataset, index, new KeySearch(values));
  }

  /** A search; nobody may write meanwhile. */
  static RecordCursor search(Dataset dataset, String index, IndexSearch search)
      throws StorageException {
    for (Partition partition : dataset.managed.partitions()) {
      List<Key> found = keys(partition.search(index, search));
      assertSameKeys(found, keys(partition.searchKeys(index, search)), search);
    }
    List<Key> all = keys(dataset.search(index, search));
    assertSameKeys(all, keys(dataset.searchKeys(index, search)), search);
    assertEquals(all.size(), dataset.countBy(index, search), search::toString);
    return dataset.search(index, search);
  }

  /** Keys come in the order of their records where the search says which one that is. */
  private static void assertSameKeys(List<Key> records, List<Key> keys, IndexSearch search) {
    if (search instanceof NearestSearch || search instanceof OrderedSearch) {
      assertEquals(records, keys, search::toString);
    } else {
      assertEquals(
          records.stream().sorted().toList(), keys.stream().sorted().toList(), search::toString);
    }
  }

  /** All keys of a cursor, which is closed. */
  static List<Key> keys(KeyCursor opened) throws StorageException {
    List<Key> keys = new ArrayList<>();
    try (KeyCursor cursor = opened) {
      while (cursor.next()) {
        keys.add(Key.ofSlice(cursor.key()));
      }
    }
    return keys;
  }
}
