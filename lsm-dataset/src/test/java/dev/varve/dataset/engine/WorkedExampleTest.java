package dev.varve.dataset.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.BTreeFormat;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.component.ComponentMetadata;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilter;
import dev.varve.common.index.Entry;
import dev.varve.common.index.EntryCursor;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.Origin;
import dev.varve.common.page.ComponentFile;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.FileCall;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.dataset.catalog.DatasetOptions;
import dev.varve.dataset.catalog.IndexDefinition;
import dev.varve.dataset.catalog.MergePolicyOptions;
import dev.varve.dataset.partition.IndexStates;
import dev.varve.dataset.record.FieldPath;
import dev.varve.dataset.record.Key;
import dev.varve.dataset.record.ValueRange;
import dev.varve.transaction.log.LogCursor;
import dev.varve.transaction.log.LogRecord;
import dev.varve.transaction.log.RecordType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The running example of Storage Management in AsterixDB, section 4.5 and Figure 2, step by step:
 * transactions T1 to T5, a flush at two records, a merge at two components. The secondary index on
 * the location is a B+-tree, so deletions in it are antimatter. LSNs are given as in the paper,
 * where each log record of an index operation has 40 bytes and commit records do not count.
 */
class WorkedExampleTest {
  private static final Path PARTITION = TestStore.ROOT.resolve("store/data/d1/p0");
  private static final int PRIMARY = 1;
  private static final int SECONDARY = 2;

  private final TestStore store = TestStore.empty(45);

  /** Components as they were when they were published, by file name. */
  private final Map<String, String> published = new HashMap<>();

  private StorageEngine engine;
  private Dataset dataset;

  @Test
  void figureTwo() throws StorageException {
    store.files.onOperation(this::noteComponent);
    engine = store.open();
    dataset =
        engine.createDataset(
            DatasetOptions.of("example", "Id")
                .withIndexes(
                    List.of(
                        new IndexDefinition(
                            "Loc", List.of(FieldPath.parse("Loc.x"), FieldPath.parse("Loc.y")))))
                .withMergePolicy(MergePolicyOptions.constant(2)));

    // T1 inserts <1, (10, 10), "Kim">.
    dataset.insert(record(1, 10, "Kim"));
    assertEquals(List.of("+<1>"), memory(PRIMARY));
    assertEquals(List.of("+<10, 10, 1>"), memory(SECONDARY));
    assertEquals(List.of("0 prev -1 PIdx INSERT <1>", "40 prev 0 SIdx INSERT <10, 10, 1>"), log(0));

    // T2-A inserts <2, (20, 20), "Sam">.
    dataset.insert(record(2, 20, "Sam"));
    assertEquals(List.of("+<1>", "+<2>"), memory(PRIMARY));
    assertEquals(List.of("+<10, 10, 1>", "+<20, 20, 2>"), memory(SECONDARY));
    assertEquals(
        List.of("80 prev -1 PIdx INSERT <2>", "120 prev 80 SIdx INSERT <20, 20, 2>"), log(2));

    // T2-B: the memory is used up, both components are flushed.
    dataset.flush();
    assertEquals(List.of(), memory(PRIMARY));
    assertEquals(List.of(), memory(SECONDARY));
    assertEquals("+<1> +<2> [80] filter", published.get("i1/c-1-1"));
    assertEquals("+<10, 10, 1> +<20, 20, 2> [120]", published.get("i2/c-1-1"));

    // T3 deletes what lies around (22, 22): found in SC1, validated in the primary, deleted.
    List<Key> found =
        TestStore.keys(dataset.search("Loc", ValueRange.closed(Key.of(17, 17), Key.of(27, 27))));
    assertEquals(List.of(Key.of(2)), found);
    dataset.delete(found.get(0));
    assertEquals(List.of("-<2>"), memory(PRIMARY));
    assertEquals(List.of("-<20, 20, 2>"), memory(SECONDARY));
    assertEquals(
        List.of("160 prev -1 PIdx DELETE <2>", "200 prev 160 SIdx DELETE <20, 20, 2>"), log(4));

    // T4 inserts <2, (25, 25), "Sam">: the control entry in PC0 is replaced, that of SC0 stays.
    dataset.insert(record(2, 25, "Sam"));
    assertEquals(List.of("+<2>"), memory(PRIMARY));
    assertEquals(List.of("-<20, 20, 2>", "+<25, 25, 2>"), memory(SECONDARY));
    assertEquals(
        List.of("240 prev -1 PIdx INSERT <2>", "280 prev 240 SIdx INSERT <25, 25, 2>"), log(6));

    // T5-A inserts <3, (30, 30), "Tom">.
    dataset.insert(record(3, 30, "Tom"));
    assertEquals(List.of("+<2>", "+<3>"), memory(PRIMARY));
    assertEquals(List.of("-<20, 20, 2>", "+<25, 25, 2>", "+<30, 30, 3>"), memory(SECONDARY));
    assertEquals(
        List.of("320 prev -1 PIdx INSERT <3>", "360 prev 320 SIdx INSERT <30, 30, 3>"), log(8));

    // T5-B: both memory components are flushed.
    dataset.flush();
    assertEquals("+<2> +<3> [320] filter", published.get("i1/c-2-2"));
    assertEquals("-<20, 20, 2> +<25, 25, 2> +<30, 30, 3> [360]", published.get("i2/c-2-2"));

    // T5-C: two components are merged into one, and nothing deleted is left.
    store.executor.runUntilIdle();
    assertEquals("+<1> +<2> +<3> [320] filter", published.get("i1/c-1-2"));
    assertEquals("+<10, 10, 1> +<25, 25, 2> +<30, 30, 3> [360]", published.get("i2/c-1-2"));
    assertEquals(List.of("c-1-2.lsm"), files("i1"));
    assertEquals(List.of("c-1-2.lsm"), files("i2"));
    assertEquals(
        List.of(text(record(1, 10, "Kim")), text(record(2, 25, "Sam")), text(record(3, 30, "Tom"))),
        TestStore.records(dataset.scan(ValueRange.all())));
    assertEquals(List.of(), engine.verify().problems());
    store.files.onOperation(null);
    engine.close();
  }

  private static byte[] record(int id, int at, String name) {
    return TestStore.bytes(
        "{\"Id\":%d,\"Loc\":{\"x\":%d,\"y\":%d},\"Name\":\"%s\"}".formatted(id, at, at, name));
  }

  private static String text(byte[] json) {
    return new String(json, java.nio.charset.StandardCharsets.UTF_8);
  }

  /** The entries of an index that are in memory. */
  private List<String> memory(int indexId) throws StorageException {
    List<String> entries = new ArrayList<>();
    try (LsmCursor cursor =
        IndexStates.open(dataset.managed().hosts().get(0).openIndexes(), indexId - PRIMARY)) {
      while (cursor.next()) {
        if (cursor.origin() == Origin.MEMORY) {
          entries.add(text(cursor.entry()));
        }
      }
    }
    return entries;
  }

  private static String text(Entry entry) {
    return (entry.antimatter() ? "-" : "+") + Key.ofSlice(entry.key());
  }

  /**
   * The log records of index operations from the one with this number on, with the paper's LSNs.
   */
  private List<String> log(int from) throws StorageException {
    Map<Long, Long> papersLsn = papersLsns();
    List<String> records = new ArrayList<>();
    try (LogCursor cursor = engine.parts().services().log().read(0)) {
      for (int number = 0; cursor.next(); ) {
        LogRecord record = cursor.record();
        if (record.type() == RecordType.UPDATE && number++ >= from) {
          records.add(
              papersLsn.get(record.lsn())
                  + " prev "
                  + papersLsn.get(record.previousLsn())
                  + (record.index() == PRIMARY ? " PIdx " : " SIdx ")
                  + record.operation()
                  + " "
                  + Key.ofSlice(record.key()));
        }
      }
    }
    return records;
  }

  private Map<Long, Long> papersLsns() throws StorageException {
    Map<Long, Long> lsns = new HashMap<>(Map.of(-1L, -1L));
    try (LogCursor cursor = engine.parts().services().log().read(0)) {
      while (cursor.next()) {
        if (cursor.record().type() == RecordType.UPDATE) {
          lsns.put(cursor.record().lsn(), 40L * (lsns.size() - 1));
        }
      }
    }
    return lsns;
  }

  private List<String> files(String index) throws StorageException {
    return store.files.list(PARTITION.resolve(index)).stream()
        .map(path -> path.getFileName().toString())
        .toList();
  }

  /** Looks at a component in the moment in which it gets its name. */
  private void noteComponent(MemoryFileSystem.Operation operation) {
    String name = String.valueOf(operation.path().getFileName());
    if (operation.call() == FileCall.RENAME && name.startsWith("c-")) {
      String index = operation.path().getParent().getFileName().toString();
      String component = name.substring(0, name.indexOf('.'));
      try {
        published.put(
            index + "/" + component, describe(operation.path().resolveSibling(component + ".lsm")));
      } catch (StorageException e) {
        throw new AssertionError(e);
      }
    }
  }

  private String describe(Path component) throws StorageException {
    MemoryFileSystem copy = new MemoryFileSystem();
    byte[] bytes = store.files.content(component);
    copy.createDirectories(component.getParent());
    try (StorageFile file = copy.open(component, OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
    }
    long storeId = engine.parts().services().catalog().storeId();
    try (ComponentFile file =
        ComponentFile.open(copy, component, storeId, new PageCache(1 << 20))) {
      ComponentMetadata metadata = ComponentMetadata.decode(file.metadata(), file.name());
      List<String> text = new ArrayList<>();
      try (EntryCursor entries = new BTreeFormat().open(file, metadata.rootPage()).scan()) {
        while (entries.next()) {
          text.add(text(entries.entry()));
          if (metadata.filterPage() != 0) {
            BloomFilter filter = BloomFilter.open(file, metadata.filterPage());
            assertTrue(filter.mightContain(KeyHash.hash(entries.entry().key())));
          }
        }
      }
      text.add("[" + papersLsns().get(metadata.componentLsn()) + "]");
      if (metadata.filterPage() != 0) {
        text.add("filter");
      }
      return String.join(" ", text);
    }
  }
}
