package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.MemoryComponent;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.invertedindex.token.TokenKey;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.geometry.SpatialKeyEncoder;
import dev.varve.rtree.query.RegionQuery;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A dataset with one index of each kind: what each takes, answers and refuses. */
class MixedIndexesTest {
  private static final List<String> INDEXES =
      List.of("n", "rtree:at", "rtree-deleted-keys:at", "keyword:text", "ngram3:text");

  private static final SpatialSearch EVERYWHERE = new SpatialSearch(RegionQuery.everything());

  private final TestStore store = TestStore.empty(11);
  private StorageEngine engine;
  private Dataset dataset;

  @BeforeEach
  void create() throws StorageException {
    engine =
        store.open(
            TestStore.options().recordLimits(new RecordLimits(32 << 10, 32, 32, 512)).build());
    dataset =
        engine.createDataset(
            DatasetOptions.of("mix", "id")
                .withIndexes(INDEXES.stream().map(IndexDefinition::parse).toList())
                .withMemoryBytes(1 << 20));
    dataset.insert(record(1, "oak tree"));
    dataset.insert(record(2, "elm tree"));
  }

  @AfterEach
  void close() throws StorageException {
    engine.close();
  }

  private static byte[] record(int id, String text) {
    return TestStore.bytes(
        "{\"id\":%d,\"n\":%d,\"at\":[%d,%d],\"text\":\"%s\"}".formatted(id, id, id, id, text));
  }

  /** A search for each index that finds both records. */
  private static Map<String, IndexSearch> searches() {
    Map<String, IndexSearch> searches = new LinkedHashMap<>();
    searches.put("n", new KeySearch(ValueRange.all()));
    searches.put("rtree:at", EVERYWHERE);
    searches.put("rtree-deleted-keys:at", EVERYWHERE);
    searches.put("keyword:text", TextSearch.allWords("tree"));
    searches.put("ngram3:text", TextSearch.containing("tree"));
    return searches;
  }

  @Test
  void everyKindAnswersItsOwnSearchesAndRefusesOthers() throws StorageException {
    for (Map.Entry<String, IndexSearch> own : searches().entrySet()) {
      String index = own.getKey();
      assertEquals(
          List.of(Key.of(1), Key.of(2)), TestStore.keys(dataset.search(index, own.getValue())));
      for (IndexSearch other : searches().values()) {
        if (!other.getClass().equals(own.getValue().getClass())) {
          unsupported(index, other);
        }
      }
    }
    unsupported("n", new NearestSearch(0, 0));
    unsupported("keyword:text", new NearestSearch(0, 0));
    unsupported("keyword:text", TextSearch.containing("tree"));
    unsupported("keyword:text", TextSearch.withinEdits("oak tree", 1));
    unsupported("ngram3:text", TextSearch.allWords("tree"));
    unsupported("ngram3:text", TextSearch.containing("ee"));
    assertThrows(RequestException.class, () -> dataset.search("rtree:n", EVERYWHERE));
  }

  private void unsupported(String index, IndexSearch search) {
    RequestException refused =
        assertThrows(RequestException.class, () -> dataset.search(index, search), index);
    assertEquals(RequestException.Reason.UNSUPPORTED, refused.reason(), refused.getMessage());
  }

  @Test
  void aValueThatStaysWritesNothingIntoItsIndex() throws StorageException {
    List<Long> before = memoryEntries();
    dataset.upsert(
        TestStore.bytes(
            "{\"id\":1,\"n\":1,\"at\":{\"x\":1,\"y\":1.0},\"text\":\"oak tree\",\"new\":[]}"));
    assertEquals(before, memoryEntries());
    dataset.upsert(record(1, "oak trees"));
    List<Long> after = memoryEntries();
    assertEquals(before.subList(0, 4), after.subList(0, 4));
    assertFalse(before.subList(4, 6).equals(after.subList(4, 6)));
    assertEquals(List.of(), engine.verify().problems());
  }

  private List<Long> memoryEntries() throws StorageException {
    return indexes().stream().map(IndexStats::memoryEntries).toList();
  }

  private List<IndexStats> indexes() throws StorageException {
    return dataset.stats().partitions().get(0).indexes();
  }

  @Test
  void statisticsTellTheKindOfEachIndex() throws StorageException {
    assertEquals(
        List.of("btree", "btree", "rtree", "rtree-deleted-keys", "keyword", "ngram3"),
        indexes().stream().map(IndexStats::kind).toList());
  }

  @Test
  void theLongestPrimaryKeyGoesIntoEveryKind() throws StorageException {
    String id = "k".repeat(480);
    String at = "[1.5,2.5,3.5,4.5]";
    dataset.insert(
        TestStore.bytes(
            "{\"id\":\""
                + id
                + "\",\"n\":1,\"at\":"
                + at
                + ",\"text\":\""
                + "tree ".repeat(5_000)
                + "\"}"));
    for (int round = 0; round < 3; round++) {
      for (Map.Entry<String, IndexSearch> search : searches().entrySet()) {
        assertTrue(
            TestStore.keys(dataset.search(search.getKey(), search.getValue()))
                .contains(Key.of(id)));
      }
      assertEquals(List.of(), engine.verify().problems());
      if (round == 0) {
        dataset.flush();
        dataset.delete(Key.of(2));
      } else {
        dataset.compact();
      }
    }
  }

  @Test
  void verifyFindsWhatAnIndexLacksAndWhatItShouldNotHave() throws StorageException {
    Slice one = Key.of(1).toSlice();
    Slice nobody = Key.of(9).toSlice();
    for (int round = 0; round < 2; round++) {
      Map<String, Slice> entries = new LinkedHashMap<>();
      entries.put("n", new KeyEncoder().addLong(1).addEncoded(one).toSlice());
      entries.put("rtree:at", spatial(1, one));
      entries.put("rtree-deleted-keys:at", spatial(1, one));
      entries.put("keyword:text", TokenKey.document(one, new Slice()));
      entries.put("ngram3:text", TokenKey.document(one, new Slice()));
      for (Map.Entry<String, Slice> entry : entries.entrySet()) {
        put(entry.getKey(), entry.getValue(), "", true);
        problem(entry.getKey(), "lacks the entry of record <1>");
        put(entry.getKey(), entry.getValue(), "oak tree", false);
        assertEquals(List.of(), engine.verify().problems());
      }
      put("keyword:text", TokenKey.document(one, new Slice()), "", true);
      put("keyword:text", TokenKey.document(one, new Slice()), "oak trees", false);
      problem("keyword:text", "has an old entry of record <1>");
      problem("keyword:text", "lacks the entry of record <1>");
      put("keyword:text", TokenKey.document(one, new Slice()), "", true);
      put("keyword:text", TokenKey.document(one, new Slice()), "oak tree", false);
      put("rtree-deleted-keys:at", spatial(7, nobody), "", false);
      problem("rtree-deleted-keys:at", "has an entry of record <9> of partition 0 of 'mix', which");
      put("rtree-deleted-keys:at", spatial(7, nobody), "", true);
      assertEquals(List.of(), engine.verify().problems());
      dataset.flush();
    }
  }

  private static Slice spatial(double at, Slice primaryKey) {
    return new SpatialKeyEncoder().encode(new Rectangle(at, at, at, at), primaryKey);
  }

  private void problem(String index, String text) throws StorageException {
    List<String> problems = engine.verify().problems();
    assertTrue(
        problems.stream().anyMatch(p -> p.startsWith("index '" + index + "'") && p.contains(text)),
        index + ": " + problems);
  }

  /** Puts something into an index past everything that keeps it in agreement. */
  private void put(String index, Slice key, String value, boolean antimatter) {
    LsmIndex<?> lsm =
        dataset.managed.lifecycles().get(0).openIndexes().all().get(1 + INDEXES.indexOf(index));
    MemoryComponent<?> component = lsm.tryEnter();
    Entry entry = new Entry().antimatter(antimatter);
    entry.key().set(key.bytes(), key.offset(), key.length());
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    entry.value().set(bytes, 0, bytes.length);
    component.put(entry, engine.parts().node().log().endLsn() - 1);
    component.exit();
  }
}
