package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.EngineStats.WarmingSummary;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: a store that is opened reads its components into the cache by itself, or the pages of them
 * that were hot, at the cost of nothing else. Method: engines on one thread, whose steps the test
 * runs, with a few megabytes in components that nothing merges.
 */
class CacheWarmerTest {
  private static final int RECORDS = 3000;
  private static final int PAGE_BYTES = 4096;
  private static final long SECOND = 1_000_000_000L;

  private final TestStore store = TestStore.empty(41);

  @AfterEach
  void nothingIsOpen() {
    store.faults.assertNothingOpen();
  }

  private static EngineOptions.Builder options() {
    return TestStore.options().cacheBytes(16 << 20).logRetentionBytes(64 << 20);
  }

  /** Makes a store with components of so many records each. */
  private void fill(int components) throws StorageException {
    try (StorageEngine engine = store.open(options().build())) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "pairs",
              KeyValueOptions.DEFAULTS
                  .withMemoryBytes(16 << 20)
                  .withMergePolicy(new MergePolicyOptions("none")));
      for (int component = 0; component < components; component++) {
        try (KeyValueSession session = pairs.openSession()) {
          for (int i = 0; i < RECORDS; i++) {
            TestStore.put(session, component * RECORDS + i);
          }
        }
        pairs.flush();
      }
    }
  }

  /**
   * Opens the store and uses it, so that it becomes active; only those who read pages have work
   * then.
   */
  @MustBeClosed
  private StorageEngine open(EngineOptions.Builder options) throws StorageException {
    StorageEngine engine = store.open(options.build());
    store.executor.runUntilIdle();
    get(engine, 0);
    return engine;
  }

  private static void get(StorageEngine engine, int key) throws StorageException {
    assertTrue(engine.keyValueStore("pairs").get(TestStore.bytes("key " + key)).isPresent());
  }

  private static WarmingSummary warming(StorageEngine engine) throws StorageException {
    return engine.stats().cache().warming();
  }

  private static void requireAll(StorageEngine engine, int components) throws StorageException {
    for (int key = 0; key < components * RECORDS; key++) {
      get(engine, key);
    }
  }

  @Test
  void nothingIsMissedOnceAllIsWarm() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(options())) {
      assertEquals(0, warming(engine).plannedBytes());
      store.executor.runUntilIdle();
      WarmingSummary done = warming(engine);
      assertTrue(done.plannedBytes() > 2L * RECORDS * 1000, done::toString);
      assertEquals(done.plannedBytes(), done.passedBytes(), done::toString);
      assertEquals("", done.note());
      long misses = engine.stats().cache().misses();
      long calls = store.faults.callCount();
      requireAll(engine, 2);
      assertEquals(misses, engine.stats().cache().misses());
      assertEquals(calls, store.faults.callCount(), "files are read");
    }
  }

  @Test
  void aDatasetThatIsNotUsedStaysCold() throws StorageException {
    fill(1);
    try (StorageEngine engine = store.open(options().build())) {
      store.executor.runUntilIdle();
      assertEquals(new WarmingSummary(0, 0, ""), warming(engine));
    }
  }

  @Test
  void aColdCacheThatIsAskedForStaysCold() throws StorageException {
    fill(1);
    EngineOptions.Builder cold = options();
    cold.opening(cold.build().opening().withColdCache());
    try (StorageEngine engine = open(cold)) {
      long calls = store.faults.callCount();
      store.executor.runUntilIdle();
      assertEquals(calls, store.faults.callCount());
      assertEquals(new WarmingSummary(0, 0, ""), warming(engine));
    }
  }

  @Test
  void whatDoesNotFitIsNotReadWithoutAList() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(options().cacheBytes(4 << 20))) {
      long calls = store.faults.callCount();
      store.executor.runUntilIdle();
      assertEquals(calls, store.faults.callCount());
      assertEquals(0, warming(engine).plannedBytes());
      assertTrue(warming(engine).note().contains("do not fit"), warming(engine)::toString);
    }
  }

  /** Opens and uses the store of two components beside so much free memory. */
  @MustBeClosed
  private StorageEngine open(EngineOptions.Builder options, long freeMemoryBytes)
      throws StorageException {
    StorageEngine engine =
        StorageEngine.open(
            options.build(),
            new EngineSeams(store.faults, store.clock, store.executor, Seeds.random(store.seed))
                .withLimits(ProcessLimits.NONE.withFreeMemory(freeMemoryBytes)));
    store.executor.runUntilIdle();
    get(engine, 0);
    return engine;
  }

  private long bytesOfComponents() throws StorageException {
    long bytes = 0;
    for (Path file : store.files.list(Path.of("/node/store/data/d1/p0/i1"))) {
      bytes += file.toString().endsWith(".lsm") ? store.files.size(file) - PAGE_BYTES : 0;
    }
    return bytes;
  }

  /** The system's cache gets all of them, and this one no more than it is asked for. */
  @Test
  void whatDoesNotFitIsReadBeneathTheCacheWhereMemoryIsFreeForAllOfIt() throws StorageException {
    fill(2);
    long bytes = bytesOfComponents();
    try (StorageEngine engine = open(options().cacheBytes(4 << 20), bytes * 4 / 3 + 4)) {
      long resident = engine.stats().cache().residentBytes();
      store.executor.runUntilIdle();
      WarmingSummary done = warming(engine);
      assertEquals(bytes, done.plannedBytes());
      assertEquals(bytes, done.passedBytes());
      assertEquals(resident, engine.stats().cache().residentBytes());
      requireAll(engine, 2);
    }
    try (StorageEngine engine = open(options().cacheBytes(4 << 20).directReads(), 4 * bytes)) {
      store.executor.runUntilIdle();
      assertTrue(warming(engine).plannedBytes() < bytes, "nobody would find it there");
    }
  }

  @Test
  void itIsNotWhereMemoryIsFreeForAPartOfIt() throws StorageException {
    fill(2);
    long free = bytesOfComponents() * 4 / 3 - 4;
    try (StorageEngine engine = open(options().cacheBytes(4 << 20), free)) {
      long calls = store.faults.callCount();
      store.executor.runUntilIdle();
      assertEquals(calls, store.faults.callCount());
      assertEquals(0, warming(engine).plannedBytes());
    }
  }

  @Test
  void whatWasHotIsReadBeforeWhatLiesBeneathTheCache() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(small())) {
      getHot(engine);
    }
    long bytes = bytesOfComponents();
    try (StorageEngine engine = open(small(), 4 * bytes)) {
      while (warming(engine).plannedBytes() == 0) {
        assertTrue(store.executor.step());
      }
      long hot = warming(engine).plannedBytes() - bytes;
      assertTrue(hot > HOT * 1000, () -> "hot " + hot);
      while (warming(engine).passedBytes() < hot) {
        assertTrue(store.executor.step());
      }
      long misses = engine.stats().cache().misses();
      getHot(engine);
      assertEquals(misses, engine.stats().cache().misses());
      store.executor.runUntilIdle();
      assertEquals(warming(engine).plannedBytes(), warming(engine).passedBytes());
    }
  }

  /** Page by page they would take longer than all in order. */
  @Test
  void whatWasHotAllOverTheStoreIsReadOnceAllLiesBeneathTheCache() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(small())) {
      getScattered(engine);
    }
    long bytes = bytesOfComponents();
    try (StorageEngine engine = open(small(), 4 * bytes)) {
      long resident = engine.stats().cache().residentBytes();
      while (warming(engine).passedBytes() < bytes) {
        assertTrue(store.executor.step());
      }
      assertEquals(bytes, warming(engine).passedBytes());
      assertEquals(resident, engine.stats().cache().residentBytes());
      store.executor.runUntilIdle();
      assertEquals(warming(engine).plannedBytes(), warming(engine).passedBytes());
      long misses = engine.stats().cache().misses();
      getScattered(engine);
      assertEquals(misses, engine.stats().cache().misses());
    }
  }

  /** Reads some pages of both components, none beside another. */
  private static void getScattered(StorageEngine engine) throws StorageException {
    for (int key = 1000; key < 2 * RECORDS; key += 20) {
      get(engine, key);
    }
  }

  @Test
  void anEngineThatIsClosedMeanwhileStopsReading() throws StorageException {
    fill(2);
    for (int batches = 1; batches < 4; batches++) {
      try (StorageEngine engine = open(options())) {
        for (int batch = 0; batch < batches; batch++) {
          long passed = warming(engine).passedBytes();
          while (warming(engine).passedBytes() == passed) {
            assertTrue(store.executor.step());
          }
        }
        WarmingSummary midway = warming(engine);
        assertTrue(midway.passedBytes() < midway.plannedBytes(), midway::toString);
      }
      store.faults.assertNothingOpen();
    }
  }

  @Test
  void whileTheCacheIsFilledAReaderBringsOnePageAndLaterThoseBehindIt() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(options())) {
      while (warming(engine).passedBytes() < 1 << 20) {
        assertTrue(store.executor.step());
      }
      WarmingSummary midway = warming(engine);
      long missing = (midway.plannedBytes() - midway.passedBytes()) / PAGE_BYTES;
      long before = engine.stats().cache().misses();
      requireAll(engine, 2);
      long misses = engine.stats().cache().misses() - before;
      assertTrue(misses > missing * 9 / 10, () -> misses + " of " + missing);
      store.executor.runUntilIdle();
      KeyValueStore pairs = engine.keyValueStore("pairs");
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < RECORDS; i++) {
          TestStore.put(session, 2 * RECORDS + i);
        }
      }
      pairs.flush();
      long later = engine.stats().cache().misses();
      requireAll(engine, 3);
      long few = engine.stats().cache().misses() - later;
      assertTrue(few < RECORDS * 1000 / PAGE_BYTES / 4, () -> few + " misses");
    }
  }

  @Test
  void filtersAreReadBeforeAnythingElse() throws StorageException {
    try (StorageEngine engine = store.open(options().build())) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "pairs", KeyValueOptions.DEFAULTS.withMergePolicy(new MergePolicyOptions("none")));
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < 40_000; i++) {
          session.put(new Slice(TestStore.bytes("key " + i)), new Slice(new byte[10]));
          if (i == 20_000) {
            pairs.flush();
          }
        }
      }
      pairs.flush();
    }
    try (StorageEngine engine = open(options())) {
      for (int component = 0; component < 2; component++) {
        long passed = warming(engine).passedBytes();
        while (warming(engine).passedBytes() == passed) {
          assertTrue(store.executor.step());
        }
      }
      assertTrue(warming(engine).passedBytes() < 128 << 10, warming(engine)::toString);
      long calls = store.faults.callCount();
      for (int i = 0; i < 100; i++) {
        byte[] absent = TestStore.bytes("none " + i);
        assertFalse(engine.keyValueStore("pairs").get(absent).isPresent());
      }
      assertEquals(calls, store.faults.callCount(), "files are read");
    }
  }

  @Test
  void componentsThatAreMergedMeanwhileAreLeftOut() throws StorageException {
    fill(3);
    try (StorageEngine engine = open(options())) {
      while (warming(engine).passedBytes() == 0) {
        store.executor.step();
      }
      engine.keyValueStore("pairs").compact();
      store.executor.runUntilIdle();
      WarmingSummary done = warming(engine);
      assertTrue(done.passedBytes() <= done.plannedBytes(), done::toString);
      assertEquals("", done.note());
      assertEquals(1, TestStore.index(engine.keyValueStore("pairs")).components().size());
      requireAll(engine, 3);
      VerifyReport report = engine.verify();
      assertTrue(report.clean(), report::toString);
    }
  }

  @Test
  void aStoreIsDroppedWhileItWarms() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(options())) {
      while (warming(engine).passedBytes() == 0) {
        store.executor.step();
      }
      engine.drop("pairs");
      store.executor.runUntilIdle();
      assertEquals("", warming(engine).note());
      assertEquals(List.of(), engine.names());
    }
  }

  @Test
  void aDamagedComponentIsLeftToItsReaders() throws StorageException {
    fill(2);
    Path damaged = store.files.list(Path.of("/node/store/data/d1/p0/i1")).get(0);
    store.files.damage(damaged, 300 * 4096 + 100, 1);
    try (StorageEngine engine = open(options())) {
      store.executor.runUntilIdle();
      WarmingSummary done = warming(engine);
      assertTrue(done.note().contains(damaged.toString()), done::toString);
      long misses = engine.stats().cache().misses();
      for (int key = RECORDS; key < 2 * RECORDS; key++) {
        get(engine, key);
      }
      assertEquals(misses, engine.stats().cache().misses(), "the other component");
      assertThrows(CorruptionException.class, () -> requireAll(engine, 1));
    }
  }

  @Test
  void aBudgetIsKeptTo() throws StorageException {
    fill(2);
    long rate = 1_000_000;
    try (StorageEngine engine = open(options().ioBytesPerSecond(rate))) {
      store.executor.runForNanos(2 * SECOND);
      long passed = warming(engine).passedBytes();
      assertTrue(passed > rate && passed < 2.2 * rate, () -> "passed " + passed);
      store.executor.runForNanos(10 * SECOND);
      assertTrue(warming(engine).passedBytes() > 6_000_000, warming(engine)::toString);
    }
  }

  @Test
  void underABudgetMergesGoFirst() throws StorageException {
    fill(3);
    try (StorageEngine engine = open(options().ioBytesPerSecond(1_000_000))) {
      engine.keyValueStore("pairs").setMergePolicy(new MergePolicyOptions("constant(2)"));
      store.executor.runForNanos(2 * SECOND);
      assertEquals(0, warming(engine).passedBytes());
      store.executor.runForNanos(60 * SECOND);
      assertTrue(warming(engine).passedBytes() > 0);
    }
  }

  private static final Path LIST = TestStore.ROOT.resolve(HotPages.NAME);
  private static final int HOT = 900;

  /** A cache that half of two components fit into. */
  private static EngineOptions.Builder small() {
    return options().cacheBytes(4 << 20);
  }

  private static void getHot(StorageEngine engine) throws StorageException {
    for (int key = 1000; key < 1000 + HOT; key++) {
      get(engine, key);
    }
  }

  @Test
  void whatDoesNotFitIsReadAsFarAsItWasInTheCacheWhenTheEngineWasClosed() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(small())) {
      getHot(engine);
    }
    try (StorageEngine engine = open(small())) {
      store.executor.runUntilIdle();
      WarmingSummary done = warming(engine);
      assertTrue(done.plannedBytes() > HOT * 1000, done::toString);
      assertTrue(done.plannedBytes() < 3 * HOT * 1000, done::toString);
      assertEquals(done.plannedBytes(), done.passedBytes(), done::toString);
      long misses = engine.stats().cache().misses();
      getHot(engine);
      assertEquals(misses, engine.stats().cache().misses());
    }
    // Pages that came in so, and were read without a pin, are as hot as before.
    try (StorageEngine engine = open(small())) {
      store.executor.runUntilIdle();
      assertTrue(warming(engine).plannedBytes() > HOT * 1000, warming(engine)::toString);
      requireAll(engine, 2);
    }
  }

  @Test
  void anEngineThatIsKilledLeavesTheListOfTheLastFiveMinutes() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(small())) {
      getHot(engine);
      store.executor.runForNanos(CacheWarmer.LIST_NANOS - SECOND);
      assertFalse(store.files.exists(LIST));
      store.executor.runForNanos(2 * SECOND);
      assertTrue(store.files.exists(LIST));
      store.files.delete(LIST);
      store.executor.runForNanos(CacheWarmer.LIST_NANOS + SECOND);
      assertTrue(store.files.exists(LIST), "again and again");
    }
  }

  @Test
  void aListIsGoneOnceAllFits() throws StorageException {
    fill(2);
    open(small()).close();
    assertTrue(store.files.exists(LIST));
    open(options()).close();
    assertFalse(store.files.exists(LIST));
  }

  @Test
  void anEngineThatStaysColdLeavesTheListAlone() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(small())) {
      getHot(engine);
    }
    long size = store.files.size(LIST);
    EngineOptions.Builder cold = small();
    cold.opening(cold.build().opening().withColdCache());
    open(cold).close();
    assertEquals(size, store.files.size(LIST));
  }

  @Test
  void listedComponentsThatAreGoneAreLeftOut() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(small())) {
      getHot(engine);
    }
    EngineOptions.Builder cold = small();
    cold.opening(cold.build().opening().withColdCache());
    try (StorageEngine engine = open(cold)) {
      engine.keyValueStore("pairs").compact();
    }
    try (StorageEngine engine = open(small())) {
      store.executor.runUntilIdle();
      assertEquals(new WarmingSummary(0, 0, ""), warming(engine));
      requireAll(engine, 2);
    }
  }

  @Test
  void aListThatIsDamagedOrNoneIsSaidToBeSoAndCostsNothing() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(small())) {
      getHot(engine);
    }
    long component = hotComponent();
    store.files.damage(LIST, store.files.size(LIST) / 2, 1);
    requireNote("wrong checksum");
    ShownFile list = new ShownFile(store.files, LIST);
    for (String ranges :
        List.of("", "x", "1", "1+0", "-1+2", "1+2+3", "1+2 3", "1+99999999999", "0+1 ")) {
      list.write("{\"" + component + "\":\"" + ranges + "\"}");
      requireNote("no range of pages");
    }
    list.write("{\"" + component + "\":7}");
    requireNote("is no text");
  }

  private long hotComponent() throws StorageException {
    String json = new ShownFile(store.files, LIST).read().orElseThrow();
    return Long.parseLong(json.substring(2, json.indexOf('"', 2)));
  }

  private void requireNote(String note) throws StorageException {
    EngineOptions.Builder options = small();
    try (StorageEngine engine = store.open(options.build())) {
      get(engine, 0);
      store.executor.runUntilIdle();
      assertTrue(warming(engine).note().contains(note), warming(engine)::toString);
      requireAll(engine, 2);
      store.files.delete(LIST);
    }
  }

  @Test
  void pagesBehindTheEndOfAComponentAreNotRead() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(small())) {
      getHot(engine);
    }
    new ShownFile(store.files, LIST).write("{\"" + hotComponent() + "\":\"9+2 10+100000 0+5\"}");
    try (StorageEngine engine = open(small())) {
      store.executor.runUntilIdle();
      assertEquals(new WarmingSummary(2 * 4096, 2 * 4096, ""), warming(engine));
    }
  }

  @Test
  void aListThatCannotBeWrittenDoesNotKeepAnEngineFromClosing() throws StorageException {
    fill(2);
    try (StorageEngine engine = open(small())) {
      getHot(engine);
      store.faults.setPlan("create " + HotPages.NAME + "* 1 ENOSPC persistent");
    }
    assertEquals(1, store.faults.faultCount());
    store.faults.setPlan("");
    assertFalse(store.files.exists(LIST));
    try (StorageEngine engine = open(small())) {
      requireAll(engine, 2);
    }
  }

  @Test
  void theListIsWrittenAsItsPageSays() throws StorageException {
    store.files.createDirectories(TestStore.ROOT);
    BitSet one = new BitSet();
    one.set(1, 4);
    one.set(8);
    BitSet other = new BitSet();
    other.set(5, 105);
    Map<Long, BitSet> pages = new LinkedHashMap<>();
    pages.put(1099512676353L, one);
    pages.put(7L, new BitSet());
    pages.put(1099513724930L, other);
    new HotPages(store.files, TestStore.ROOT).write(pages);
    try (StorageFile file = store.files.open(LIST, FileSystem.OpenMode.READ_ONLY)) {
      byte[] bytes = new byte[(int) file.size()];
      file.read(0, bytes, 0, bytes.length);
      // The worked example of docs/format/hot-pages.md.
      assertEquals(
          "{\"1099512676353\":\"0+3 4+1\",\"1099513724930\":\"4+100\",\"crc32c\":\"00302f01\"}\n",
          new String(bytes, StandardCharsets.UTF_8));
    }
  }
}
