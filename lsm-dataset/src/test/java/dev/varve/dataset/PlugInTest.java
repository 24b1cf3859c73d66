package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Goal: a kind of index and a tokenizer that the engine does not know are in a dataset what the
 * built-in ones are, and a store that needs one that is not there is refused as it is. Method: a
 * kind with nothing but the required methods and a tokenizer on the tests' class path.
 */
class PlugInTest {
  private static final int REQUIRED_METHODS = 8;

  private final TestStore store = TestStore.empty(5);

  @Test
  void aKindImplementsEightMethodsAtMost() {
    List<String> required =
        Stream.of(IndexKind.class, DiskIndexBuilder.class, DiskIndex.class)
            .flatMap(type -> Arrays.stream(type.getMethods()))
            .filter(method -> Modifier.isAbstract(method.getModifiers()))
            .map(Method::getName)
            .distinct()
            .toList();
    assertTrue(required.size() <= REQUIRED_METHODS, required::toString);
  }

  @Test
  void aBareKindIsInADatasetWhatTheBuiltInKindsAre() throws StorageException {
    RandomGenerator random = Seeds.random(1);
    Map<Long, Integer> model = new TreeMap<>();
    StorageEngine engine = store.open();
    Dataset dataset =
        engine.createDataset(
            DatasetOptions.of("d", "id")
                .withIndexes(
                    List.of(IndexDefinition.parse("bare(7):v"), IndexDefinition.parse("rtree:at")))
                .withMemoryBytes(512 << 10));
    for (int i = 0; i < 2000; i++) {
      long id = random.nextInt(300);
      if (random.nextInt(4) == 0) {
        dataset.delete(Key.of(id));
        model.remove(id);
      } else {
        int value = random.nextInt(10);
        dataset.upsert(TestStore.bytes("{\"id\":" + id + ",\"v\":" + value + ",\"at\":[1,2]}"));
        model.put(id, value);
      }
      if (i % 500 == 499) {
        check(dataset, model);
        dataset.flush();
        check(dataset, model);
      }
    }
    dataset.compact();
    check(dataset, model);
    dataset.upsert(TestStore.bytes("{\"id\":1,\"v\":3}"));
    model.put(1L, 3);
    TestStore crashed = new TestStore(store.files.crash(0, random), 5);
    try (StorageEngine again = crashed.open()) {
      check(again.dataset("d"), model);
    }
    engine.close();
  }

  private static void check(Dataset dataset, Map<Long, Integer> model) throws StorageException {
    for (int value = 0; value < 10; value++) {
      int wanted = value;
      List<Key> ids =
          model.entrySet().stream()
              .filter(record -> record.getValue() == wanted)
              .map(record -> Key.of(record.getKey()))
              .toList();
      KeySearch search = new KeySearch(ValueRange.exactly(Key.of(value)));
      assertEquals(ids, TestStore.keys(dataset.search("bare(7):v", search)), "" + value);
    }
    assertEquals(List.of(), dataset.verify().problems());
    assertEquals("bare(7)", dataset.stats().partitions().get(0).indexes().get(1).kind());
  }

  @Test
  void aTokenizerIsFoundByItsName() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset =
          engine.createDataset(
              DatasetOptions.of("d", "id")
                  .withIndexes(List.of(IndexDefinition.parse("commas:tags"))));
      dataset.insert(TestStore.bytes("{\"id\":1,\"tags\":\"new york,Rome\"}"));
      dataset.insert(TestStore.bytes("{\"id\":2,\"tags\":\"york,rome\"}"));
    }
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.dataset("d");
      assertEquals(List.of(Key.of(1)), found(dataset, TextSearch.allWords("Rome,new york")));
      assertEquals(List.of(Key.of(2)), found(dataset, TextSearch.anyWord("york,Paris")));
      RequestException refused =
          assertThrows(
              RequestException.class, () -> found(dataset, TextSearch.containing("new york")));
      assertEquals(RequestException.Reason.UNSUPPORTED, refused.reason());
      assertEquals(List.of(), dataset.verify().problems());
    }
  }

  private static List<Key> found(Dataset dataset, TextSearch search) throws StorageException {
    return TestStore.keys(dataset.search("commas:tags", search));
  }

  @Test
  void aStoreWhoseKindIsMissingIsRefusedAndLeftAsItIs() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset =
          engine.createDataset(
              DatasetOptions.of("d", "id")
                  .withIndexes(
                      List.of(
                          new IndexDefinition(
                              "i", new BareKind("elsewhere"), List.of(FieldPath.parse("v"))))));
      dataset.insert(TestStore.bytes("{\"id\":1,\"v\":3}"));
    }
    List<String> before = contents(store.files, TestStore.ROOT);
    RequestException refused = assertThrows(RequestException.class, store::open);
    assertEquals(RequestException.Reason.MISSING_PLUG_IN, refused.reason());
    String message = String.valueOf(refused.getMessage());
    for (String part : List.of("'elsewhere'", "'i'", "'d'", "rtree", IndexKind.class.getName())) {
      assertTrue(message.contains(part), message);
    }
    assertEquals(before, contents(store.files, TestStore.ROOT));
  }

  private static List<String> contents(MemoryFileSystem files, Path directory)
      throws StorageException {
    List<String> contents = new ArrayList<>();
    for (Path path : files.list(directory)) {
      if (files.isDirectory(path)) {
        contents.addAll(contents(files, path));
      } else {
        contents.add(path + " " + HexFormat.of().formatHex(files.content(path)));
      }
    }
    return contents.stream().sorted().toList();
  }
}
