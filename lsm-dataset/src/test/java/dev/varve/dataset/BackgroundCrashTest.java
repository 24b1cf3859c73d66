package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A flush or merge that dies on its thread, and cannot even take its file back, is told to those
 * that wait for it. Method: the disk is gone from any operation on, under real threads; a wait that
 * never ends is the build's to find.
 */
class BackgroundCrashTest {
  @Test
  void aCallThatWaitsForAFlushOrMergeThatDiedReturns() throws StorageException {
    int died = 0;
    for (int operation = 1; operation < 200; operation++) {
      MemoryFileSystem files = new MemoryFileSystem();
      @SuppressWarnings("MustBeClosedChecker") // the process is gone
      StorageEngine engine =
          StorageEngine.open(
              TestStore.options().build(),
              new EngineSeams(
                      files, new SystemClock(), new ThreadTaskExecutor(), Seeds.random(operation))
                  .withLimits(ProcessLimits.NONE));
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "kv",
              new KeyValueOptions(
                  1 << 20, MergePolicyOptions.none(), 0.01, Optional.empty(), Optional.empty(), 0));
      write(pairs);
      pairs.flush();
      write(pairs);
      files.crashAt(files.operationCount() + operation);
      try {
        pairs.compact();
        engine.drop("kv");
      } catch (StorageException | RuntimeException | Error dead) {
        died++;
      }
      files.crashAt(Long.MAX_VALUE);
      if (!files.crashed()) {
        engine.close();
        break;
      }
      assertThrows(Throwable.class, engine::close);
    }
    assertTrue(died > 10, "died " + died);
  }

  private static void write(KeyValueStore pairs) throws StorageException {
    try (KeyValueSession session = pairs.openSession()) {
      for (int i = 0; i < 20; i++) {
        session.put(new Slice(new byte[] {(byte) i}), new Slice(new byte[1000]));
      }
    }
  }
}
