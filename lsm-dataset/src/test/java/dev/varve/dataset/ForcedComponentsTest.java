package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FileCall;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Goal: a component's file is forced as often as the options say. Method: counts the forces of the
 * file that a flush writes.
 */
class ForcedComponentsTest {
  private static final int BYTES = 2 << 20;
  private static final int VALUE_BYTES = 1000;

  private static long forcesOfAFlush(long forceEveryBytes) throws StorageException {
    TestStore store = TestStore.empty(31);
    EngineOptions options =
        TestStore.options().logRetentionBytes(64 << 20).forceEveryBytes(forceEveryBytes).build();
    Map<String, Long> forces = new HashMap<>();
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "pairs",
              KeyValueOptions.DEFAULTS
                  .withMemoryBytes(4 * BYTES)
                  .withMergePolicy(new MergePolicyOptions("none")));
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < BYTES / VALUE_BYTES; i++) {
          session.put(
              new Slice(("key " + i).getBytes(StandardCharsets.UTF_8)),
              new Slice(new byte[VALUE_BYTES]));
        }
      }
      store.files.onOperation(
          operation -> {
            if (operation.call() == FileCall.FORCE) {
              forces.merge(String.valueOf(operation.path()), 1L, Long::sum);
            }
          });
      pairs.flush();
      store.files.onOperation(null);
    }
    return forces.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  @Test
  void aFileIsForcedEveryTimeSoManyBytesAreWritten() throws StorageException {
    long often = forcesOfAFlush(256 << 10);
    assertTrue(often >= 3 && often <= 12, "forces: " + often);
  }

  @Test
  void withoutASizeAFileIsForcedOnceItIsComplete() throws StorageException {
    assertEquals(1, forcesOfAFlush(0));
    assertEquals(1, forcesOfAFlush(16 << 20));
  }

  @Test
  void lessThanAPageIsRefused() {
    EngineOptions.Builder options = TestStore.options().forceEveryBytes(100);
    assertThrows(IllegalArgumentException.class, options::build);
  }
}
