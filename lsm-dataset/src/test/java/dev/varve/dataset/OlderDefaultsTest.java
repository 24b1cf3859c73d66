package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A store that was made when other sizes were the defaults, and was killed with part of its records
 * in the log, opens with the sizes of now: pages and log segments that are there keep theirs, new
 * segments have the new one.
 */
class OlderDefaultsTest {
  private static final int RECORDS = 1200;

  /** Pages of whatever size the store has, as by default, and segments of 128 KiB. */
  private static EngineOptions.Builder withOtherSizes() {
    return TestStore.options().pageBytes(0);
  }

  private static void put(KeyValueStore pairs, int from, int to) throws StorageException {
    try (KeyValueSession session = pairs.openSession()) {
      for (int key = from; key < to; key++) {
        TestStore.put(session, key);
      }
    }
  }

  private static int count(KeyValueStore pairs) throws StorageException {
    return KeyValueModel.texts(pairs.scan(KeyRange.all())).size();
  }

  private static List<Long> segmentSizes(MemoryFileSystem files) throws StorageException {
    List<Long> sizes = new ArrayList<>();
    for (Path path : files.list(TestStore.ROOT.resolve("store/log"))) {
      sizes.add(files.size(path));
    }
    return sizes;
  }

  @Test
  void aKilledStoreOfLargerPagesAndSegmentsGoesOnWithTheDefaults() throws StorageException {
    TestStore old = TestStore.empty(11);
    EngineOptions then = withOtherSizes().pageBytes(16 << 10).logSegmentBytes(256 << 10).build();
    StorageEngine killed = old.open(then);
    KeyValueStore pairs =
        killed.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
    put(pairs, 0, RECORDS / 2);
    pairs.flush();
    put(pairs, RECORDS / 2, RECORDS);
    TestStore now = new TestStore(old.files.crash(1, Seeds.random(11)), 11);
    try (StorageEngine engine = now.open(withOtherSizes().build())) {
      KeyValueStore there = engine.keyValueStore("pairs");
      assertEquals(RECORDS, count(there));
      put(there, RECORDS, 2 * RECORDS);
      there.compact();
      assertEquals(2 * RECORDS, count(there));
      assertEquals(List.of(), engine.verify().problems());
      assertTrue(segmentSizes(now.files).contains(128L << 10), segmentSizes(now.files)::toString);
    }
    try (StorageEngine engine = now.open(then)) {
      assertEquals(2 * RECORDS, count(engine.keyValueStore("pairs")));
      assertEquals(List.of(), engine.verify().problems());
    }
  }
}
