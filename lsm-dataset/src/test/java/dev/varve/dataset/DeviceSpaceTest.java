package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.Device;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.scheduler.budget.DeviceSpaces;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: merges of two engines of a process do not count on the same bytes of a disk: one waits
 * until the other has freed its inputs, and neither fails. Method: two engines on one disk in
 * memory that has room for one result and not for two, in virtual time.
 */
class DeviceSpaceTest {
  private static final long RATE = 1_000_000;
  private static final int COMPONENTS = 4;
  private static final long PATIENCE_MILLIS = 600_000;
  private static final Path ONE = TestStore.ROOT.resolve("one");
  private static final Path TWO = TestStore.ROOT.resolve("two");

  private final TestStore store = TestStore.empty(29);

  private StorageEngine open(Path directory) throws StorageException {
    return StorageEngine.open(
        TestStore.options()
            .logRetentionBytes(64 << 20)
            .ioBytesPerSecond(RATE)
            .build()
            .withDirectory(directory),
        new EngineSeams(store.files, store.clock, store.executor, Seeds.random(store.seed)));
  }

  private static KeyValueStore filled(StorageEngine engine) throws StorageException {
    KeyValueStore pairs =
        engine.createKeyValueStore(
            "pairs",
            KeyValueOptions.DEFAULTS
                .withMemoryBytes(16 << 20)
                .withMergePolicy(new MergePolicyOptions("none")));
    for (int component = 0; component < COMPONENTS; component++) {
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < 1000; i++) {
          String key = "key " + component + " " + i;
          session.put(new Slice(key.getBytes(StandardCharsets.UTF_8)), new Slice(new byte[1000]));
        }
      }
      pairs.flush();
    }
    return pairs;
  }

  private static String state(StorageEngine engine) {
    return engine.waits().tasks().get(0).state();
  }

  private static int components(KeyValueStore pairs) throws StorageException {
    return TestStore.index(pairs).components().size();
  }

  @Test
  void anEngineThatIsClosedIsForgotten() throws StorageException {
    store.files.createDirectories(ONE);
    Device device = store.files.device(ONE);
    try (StorageEngine one = open(ONE)) {
      filled(one);
      assertTrue(DeviceSpaces.ofProcess().knows(device));
    }
    assertFalse(DeviceSpaces.ofProcess().knows(device));
  }

  @Test
  void aMergeWaitsForTheSpaceThatAnotherEnginesMergeFrees() throws StorageException {
    store.files.createDirectories(ONE);
    store.files.createDirectories(TWO);
    try (StorageEngine one = open(ONE);
        StorageEngine two = open(TWO)) {
      KeyValueStore first = filled(one);
      KeyValueStore second = filled(two);
      long taken = Long.MAX_VALUE / 2;
      store.files.setCapacityBytes(taken);
      long used = taken - store.files.usableBytes(ONE);
      // Each merge reads 4.2 MB. Segments of the log may go meanwhile, of less than 2 MB.
      store.files.setCapacityBytes(used + 5_000_000);
      first.setMergePolicy(new MergePolicyOptions("constant(2)"));
      store.executor.runForNanos(1_000_000_000);
      second.setMergePolicy(new MergePolicyOptions("constant(2)"));
      store.executor.runForNanos(1_000_000_000);
      assertEquals("RUNNING", state(one));
      assertEquals("NO_SPACE", state(two));
      assertTrue(one.awaitQuiet(PATIENCE_MILLIS) && two.awaitQuiet(PATIENCE_MILLIS));
      assertEquals(1, components(first));
      assertEquals(1, components(second));
      assertEquals(List.of(), two.stats().scheduling().broken());
    }
  }
}
