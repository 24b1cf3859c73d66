package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageCache;
import dev.varve.common.page.ReaderShare.Room;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.OpeningOptions;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceFitTest {
  private static final long MIB = 1 << 20;
  private static final Path HERE = Path.of("/store");

  private static ProcessLimits heap(long mebibytes) {
    return new ProcessLimits(mebibytes * MIB, 1 << 20);
  }

  private static EngineOptions fitted(EngineOptions.Builder options, ProcessLimits limits)
      throws LimitException {
    return ResourceFit.of(options.build(), limits, 0).options();
  }

  @Test
  void defaultsAreWhatTheyWereFromAGibibyteOn() throws LimitException {
    for (long heap : new long[] {1024, 4096, Long.MAX_VALUE / MIB}) {
      ResourceFit fit = ResourceFit.of(EngineOptions.of(HERE), heap(heap), 0);
      assertEquals(128 * MIB, fit.options().components().cacheBytes());
      assertEquals(512 * MIB, fit.options().memory().activeDatasetBytes());
      assertEquals(512 * MIB, fit.mostDatasetBytes());
      assertEquals(1 << 14, fit.options().components().openFiles());
    }
  }

  @Test
  void defaultsFitAnyHeapThatIsWorthIt() throws LimitException {
    for (long heap = 16; heap < 1024; heap++) {
      ResourceFit fit = ResourceFit.of(EngineOptions.of(HERE), heap(heap), 0);
      EngineOptions options = fit.options();
      long taken = options.components().cacheBytes() + options.memory().activeDatasetBytes();
      assertTrue(taken <= heap * MIB * 5 / 8, heap + ": " + taken);
      assertTrue(fit.mostDatasetBytes() <= options.memory().activeDatasetBytes() / 2);
      assertTrue(options.components().openFiles() <= heap * 16);
    }
    assertThrows(
        LimitException.class, () -> ResourceFit.of(EngineOptions.of(HERE), heap(8), 0).options());
  }

  @Test
  void whatIsGivenIsKeptAndTheRestFitsBesideIt() throws LimitException {
    EngineOptions cache = fitted(EngineOptions.builder(HERE).cacheBytes(640 * MIB), heap(1024));
    assertEquals(640 * MIB, cache.components().cacheBytes());
    assertEquals((1024 - 640 - 10) * MIB, cache.memory().activeDatasetBytes());
    EngineOptions write =
        fitted(EngineOptions.builder(HERE).activeDatasetBytes(900 * MIB), heap(1024));
    assertEquals(900 * MIB, write.memory().activeDatasetBytes());
    assertEquals((1024 - 900 - 10) * MIB, write.components().cacheBytes());
    EngineOptions shared =
        fitted(EngineOptions.builder(HERE).sharedMemoryBytes(950 * MIB), heap(1024));
    assertEquals((1024 - 950 - 10) * MIB, shared.components().cacheBytes());
  }

  @Test
  void whatDoesNotFitIsRefusedWithWhatWould() {
    for (EngineOptions.Builder options :
        new EngineOptions.Builder[] {
          EngineOptions.builder(HERE).cacheBytes(60 * MIB),
          EngineOptions.builder(HERE).activeDatasetBytes(60 * MIB),
          EngineOptions.builder(HERE).activeDatasetBytes(1L << 62),
          EngineOptions.builder(HERE).sharedMemoryBytes(60 * MIB),
          EngineOptions.builder(HERE).cacheBytes(30 * MIB).activeDatasetBytes(30 * MIB)
        }) {
      LimitException refused = assertThrows(LimitException.class, () -> fitted(options, heap(64)));
      String message = refused.getMessage();
      assertTrue(message.contains("both are " + 54 * MIB + " together"), message);
      assertTrue(message.endsWith("at most " + 64 * MIB), message);
    }
  }

  @Test
  void openFilesAreHeldAgainstWhatTheProcessMayOpen() throws LimitException {
    ProcessLimits few = new ProcessLimits(1024 * MIB, 64);
    assertEquals(16, fitted(EngineOptions.builder(HERE), few).components().openFiles());
    assertEquals(
        48, fitted(EngineOptions.builder(HERE).openFiles(48), few).components().openFiles());
    LimitException refused =
        assertThrows(
            LimitException.class, () -> fitted(EngineOptions.builder(HERE).openFiles(49), few));
    assertTrue(refused.getMessage().contains("ulimit -n"), refused.getMessage());
    assertThrows(
        LimitException.class,
        () -> fitted(EngineOptions.builder(HERE), new ProcessLimits(1024 * MIB, 20)));
  }

  @Test
  void aDatasetGetsWhatItAsksForOrIsRefusedUnlessItAsksForTheDefault() throws StorageException {
    TestStore store = TestStore.empty(1);
    EngineSeams seams = new EngineSeams(store.files, store.clock, store.executor, Seeds.random(1));
    EngineOptions options = EngineOptions.builder(TestStore.ROOT).logSegmentBytes(2 << 20).build();
    try (StorageEngine engine = StorageEngine.open(options, seams.withLimits(heap(2048)))) {
      engine.createKeyValueStore("large", KeyValueOptions.DEFAULTS.withMemoryBytes(500 * MIB));
      KeyValueStore plain = engine.createKeyValueStore("plain", KeyValueOptions.DEFAULTS);
      assertEquals(64 * MIB, plain.stats().memoryBudgetBytes());
    }
    try (StorageEngine engine = StorageEngine.open(options, seams.withLimits(heap(64)))) {
      assertEquals(16 * MIB, engine.keyValueStore("large").stats().memoryBudgetBytes());
      assertEquals(16 * MIB, engine.keyValueStore("plain").stats().memoryBudgetBytes());
      engine.createKeyValueStore("small", KeyValueOptions.DEFAULTS);
      LimitException refused =
          assertThrows(
              LimitException.class,
              () ->
                  engine.createKeyValueStore(
                      "second", KeyValueOptions.DEFAULTS.withMemoryBytes(65 * MIB)));
      assertTrue(refused.getMessage().contains("activeDatasetBytes"), refused.getMessage());
    }
  }

  @Test
  void aDatasetOf128MebibytesFitsBesideTheDefaultsOfAGibibyte() throws LimitException {
    // What the serial collector leaves of -Xmx1g.
    ResourceFit fit = ResourceFit.of(EngineOptions.of(HERE), heap(989), 0);
    assertTrue(fit.refusedAbove() >= 128 * MIB, fit.toString());
    ResourceFit besideCache =
        ResourceFit.of(EngineOptions.builder(HERE).cacheBytes(640 * MIB).build(), heap(1024), 0);
    assertTrue(besideCache.refusedAbove() >= 128 * MIB, besideCache.toString());
  }

  @Test
  void enginesOfAProcessShareItsHeap() throws StorageException {
    TestStore store = TestStore.empty(2);
    ProcessLimits limits = heap(256);
    EngineSeams seams =
        new EngineSeams(store.files, store.clock, store.executor, Seeds.random(1))
            .withLimits(limits);
    List<StorageEngine> engines = new ArrayList<>();
    long taken = 0;
    LimitException refused = null;
    while (refused == null && engines.size() < 20) {
      try {
        engines.add(StorageEngine.open(small("e" + engines.size()).build(), seams));
        taken += engines.get(engines.size() - 1).parts().heap().fit().heapBytes();
        assertTrue(taken <= 256 * MIB, engines.size() + " engines have " + taken);
      } catch (LimitException e) {
        refused = e;
      }
    }
    assertTrue(engines.size() >= 3, engines.size() + " engines");
    assertTrue(
        refused != null && refused.getMessage().contains("other engines of the process"),
        String.valueOf(refused));
    engines.remove(0).close();
    engines.add(StorageEngine.open(small("e0").build(), seams));
    for (StorageEngine engine : engines) {
      engine.close();
    }
    assertEquals(
        32 * MIB,
        ResourceFit.of(EngineOptions.of(HERE), limits, 0).options().components().cacheBytes());
    for (int again = 0; again < 3; again++) {
      StorageEngine alone = StorageEngine.open(small("e0").build(), seams);
      assertEquals(32 * MIB, alone.parts().heap().fit().options().components().cacheBytes());
      alone.close();
      alone.close();
    }
  }

  private static EngineOptions.Builder small(String directory) {
    return EngineOptions.builder(TestStore.ROOT.resolve(directory)).logSegmentBytes(2 << 20);
  }

  @Test
  void enginesThatAreOpenedTogetherGetEqualParts() throws LimitException {
    ProcessLimits limits = heap(1024).dividedBy(4);
    ResourceFit first = ResourceFit.of(EngineOptions.of(HERE), limits, 0);
    ResourceFit last = ResourceFit.of(EngineOptions.of(HERE), limits, 3 * first.heapBytes());
    assertEquals(
        first.options().components().cacheBytes(), last.options().components().cacheBytes());
    assertEquals(first.mostDatasetBytes(), last.mostDatasetBytes());
    assertTrue(first.heapBytes() <= 256 * MIB, first.toString());
  }

  @Test
  void anEngineThatIsRefusedTakesNothing() throws StorageException {
    TestStore store = TestStore.empty(3);
    EngineSeams seams =
        new EngineSeams(store.files, store.clock, store.executor, Seeds.random(1))
            .withLimits(heap(64));
    for (int attempt = 0; attempt < 100; attempt++) {
      EngineOptions absent =
          small("absent").opening(OpeningOptions.DEFAULTS.withMustExist()).build();
      assertThrows(ConflictException.class, () -> StorageEngine.open(absent, seams).close());
    }
    StorageEngine.open(small("there").build(), seams).close();
  }

  private static long availableOf(String text) throws StorageException {
    TestStore store = TestStore.empty(1);
    store.files.createDirectories(Path.of("/proc"));
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    try (StorageFile file = store.files.open(Path.of("/proc/meminfo"), OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
    }
    return ProcessLimits.availableBytes(store.files);
  }

  @Test
  void memoryThatIsAvailableIsWhatLinuxSaysOrNone() throws StorageException {
    assertEquals(
        22 << 20,
        availableOf(
            "MemTotal:       24684084 kB\nMemFree: 7 kB\nMemAvailable:   22528 kB\nX: 1 kB\n"));
    assertEquals(0, availableOf("MemTotal: 1 kB\n"));
    assertEquals(0, availableOf(""));
    assertEquals(0, ProcessLimits.availableBytes(TestStore.empty(1).files), "no such file");
    assertTrue(ProcessLimits.ofProcess().freeMemoryBytes() >= 0);
  }

  @Test
  void filesMayHaveThreeQuartersOfTheMemoryThatIsFree() throws LimitException {
    ProcessLimits limits = heap(1024).withFreeMemory(1000 * MIB);
    PageCache cache = ResourceFit.of(EngineOptions.of(HERE), limits, 0).newCache(limits);
    assertEquals(Room.BUFFER_CACHE, cache.roomFor(128 * MIB));
    assertEquals(Room.SYSTEM_CACHE, cache.roomFor(128 * MIB + 1));
    assertEquals(Room.SYSTEM_CACHE, cache.roomFor(750 * MIB));
    assertEquals(Room.NONE, cache.roomFor(750 * MIB + 1));
  }

  @Test
  void anEngineThatIsLostGivesItsShareBack() throws LimitException {
    ProcessLimits limits = heap(64);
    List<WeakReference<ProcessHeap.Share>> lost = new ArrayList<>();
    for (int engine = 0; engine < 50; engine++) {
      ProcessHeap.Share share = joinWhenCollected(limits);
      lost.add(new WeakReference<>(share));
    }
    assertTrue(lost.stream().anyMatch(each -> each.get() == null));
  }

  /** Joins, after a collection when others that are lost have not been found yet. */
  @SuppressWarnings("MustBeClosedChecker") // what is lost is not closed
  private static ProcessHeap.Share joinWhenCollected(ProcessLimits limits) throws LimitException {
    LimitException last = null;
    for (int attempt = 0; attempt < 100; attempt++) {
      try {
        return limits.heap().join(EngineOptions.of(HERE), limits);
      } catch (LimitException full) {
        last = full;
        System.gc();
      }
    }
    throw new AssertionError(last);
  }
}
