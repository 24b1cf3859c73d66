package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.BTreeFormat;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.disk.ComponentMetadata;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilter;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.Origin;
import dev.varve.common.page.ComponentFile;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.FileCall;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.dataset.internal.partition.IndexStates;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.rtree.RTreeFormat;
import dev.varve.rtree.geometry.SpatialKey;
import dev.varve.transaction.log.LogCursor;
import dev.varve.transaction.log.LogRecord;
import dev.varve.transaction.log.RecordType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the running example of Storage Management in AsterixDB, section 4.5, needs to be looked at
 * step by step: what is in memory, what stands in the log, with LSNs as in the paper, where each
 * log record of an index operation has 40 bytes and commit records do not count, and what
 * components hold in the moment in which they are published.
 */
final class WorkedExample {
  private static final Path PARTITION = TestStore.ROOT.resolve("store/data/d1/p0");
  static final int PRIMARY = 1;
  static final int SECONDARY = 2;

  final TestStore store = TestStore.empty(45);

  /** Components as they were when they were published, by file name. */
  final Map<String, String> published = new HashMap<>();

  final StorageEngine engine;
  final Dataset dataset;

  /** A dataset with one index, flushed on demand and merged at two components. */
  WorkedExample(IndexDefinition index) throws StorageException {
    store.files.onOperation(this::noteComponent);
    engine = store.open();
    dataset =
        engine.createDataset(
            DatasetOptions.of("example", "Id")
                .withIndexes(List.of(index))
                .withMergePolicy(MergePolicyOptions.constant(2)));
  }

  static byte[] record(int id, int at, String name) {
    return TestStore.bytes(
        "{\"Id\":%d,\"Loc\":{\"x\":%d,\"y\":%d},\"Name\":\"%s\"}".formatted(id, at, at, name));
  }

  static String text(byte[] json) {
    return new String(json, java.nio.charset.StandardCharsets.UTF_8);
  }

  /** The entries of an index that are in memory. */
  List<String> memory(int indexId) throws StorageException {
    List<String> entries = new ArrayList<>();
    try (LsmCursor cursor =
        IndexStates.open(dataset.managed.lifecycles().get(0).openIndexes(), indexId - PRIMARY)) {
      while (cursor.next()) {
        if (cursor.origin() == Origin.MEMORY) {
          entries.add(text(cursor.entry()));
        }
      }
    }
    return entries;
  }

  private static String text(Entry entry) {
    return (entry.antimatter() ? "-" : "+") + key(entry.key());
  }

  /** A key of encoded values, or a point before one. */
  private static String key(Slice key) {
    if (!SpatialKey.isWellFormed(key)) {
      return Key.ofSlice(key).toString();
    }
    return String.format(
        "(%.0f, %.0f)%s",
        SpatialKey.minX(key),
        SpatialKey.minY(key),
        Key.ofSlice(SpatialKey.viewPrimaryKey(key, new Slice())));
  }

  /**
   * The log records of index operations from the one with this number on, with the paper's LSNs.
   */
  List<String> log(int from) throws StorageException {
    Map<Long, Long> papersLsn = papersLsns();
    List<String> records = new ArrayList<>();
    try (LogCursor cursor = engine.parts().node().log().read(0)) {
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
                  + key(record.key()));
        }
      }
    }
    return records;
  }

  private Map<Long, Long> papersLsns() throws StorageException {
    Map<Long, Long> lsns = new HashMap<>(Map.of(-1L, -1L));
    try (LogCursor cursor = engine.parts().node().log().read(0)) {
      while (cursor.next()) {
        if (cursor.record().type() == RecordType.UPDATE) {
          lsns.put(cursor.record().lsn(), 40L * (lsns.size() - 1));
        }
      }
    }
    return lsns;
  }

  List<String> files(String index) throws StorageException {
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
    long storeId = engine.parts().node().catalog().storeId();
    try (ComponentFile file =
        ComponentFile.open(copy, component, storeId, new PageCache(1 << 20))) {
      ComponentMetadata metadata = ComponentMetadata.decode(file.metadata(), file.name());
      List<String> text = new ArrayList<>();
      boolean spatial = metadata.format().equals("rtree-deleted-keys");
      try (EntryCursor entries = open(file, metadata.rootPage(), spatial).scan()) {
        while (entries.next()) {
          text.add(text(entries.entry()));
          if (metadata.filterPage() != 0 && !spatial) {
            checkFilter(file, metadata, entries.entry());
          }
        }
      }
      if (metadata.deletedKeys() > 0) {
        text.add("deleted");
        try (EntryCursor keys = open(file, metadata.deletedRootPage(), false).scan()) {
          while (keys.next()) {
            text.add(key(keys.entry().key()));
            checkFilter(file, metadata, keys.entry());
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

  private static DiskIndex<?> open(ComponentFile file, int root, boolean spatial)
      throws StorageException {
    return spatial
        ? RTreeFormat.withDeletedKeys().open(file, root)
        : new BTreeFormat().open(file, root);
  }

  private static void checkFilter(ComponentFile file, ComponentMetadata metadata, Entry entry)
      throws StorageException {
    BloomFilter filter = BloomFilter.open(file, metadata.filterPage());
    assertTrue(filter.mightContain(KeyHash.hash(entry.key())));
  }
}
