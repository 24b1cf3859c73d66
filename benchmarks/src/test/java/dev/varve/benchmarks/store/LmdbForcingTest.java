package dev.varve.benchmarks.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.lmdbjava.EnvFlags.MDB_NOSYNC;

import dev.varve.benchmarks.child.BenchmarkException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lmdbjava.Env;

/** LMDB is forced as often as other stores flush, and a force that failed is told. */
final class LmdbForcingTest {
  private static final long INTERVAL_BYTES = 1000;

  @TempDir private Path directory;

  private Env<ByteBuffer> environment() {
    return Env.create().setMapSize(1 << 20).open(directory.toFile(), MDB_NOSYNC);
  }

  @Test
  void itForcesEachTimeThatTheIntervalWasPut() throws BenchmarkException {
    try (Env<ByteBuffer> env = environment();
        LmdbForcing forcing = new LmdbForcing(env, INTERVAL_BYTES)) {
      for (int round = 0; round < 3; round++) {
        forcing.committed(INTERVAL_BYTES - 1);
        assertEquals(round, forcing.forces());
        forcing.committed(1);
        while (forcing.forces() == round) {
          Thread.onSpinWait();
        }
        assertEquals(round + 1, forcing.forces());
      }
    }
  }

  @Test
  void belowTheIntervalItForcesNothing() throws BenchmarkException {
    try (Env<ByteBuffer> env = environment()) {
      LmdbForcing forcing = new LmdbForcing(env, INTERVAL_BYTES);
      forcing.committed(INTERVAL_BYTES - 1);
      assertEquals(0, forcing.doWork());
      forcing.close();
      assertEquals(0, forcing.forces());
    }
  }

  @Test
  void aForceThatFailedIsToldToWhoeverSettlesOrCloses() {
    try (Env<ByteBuffer> env = environment()) {
      LmdbForcing forcing = new LmdbForcing(env, INTERVAL_BYTES);
      Throwable cause = new IllegalStateException("disk full");
      forcing.failed(cause);
      assertSame(cause, assertThrows(BenchmarkException.class, forcing::settle).getCause());
      assertSame(cause, assertThrows(BenchmarkException.class, forcing::close).getCause());
    }
  }

  @Test
  void theStoreForcesHalfOfItsMemoryAtATimeUnlessItForcesEachCommit() {
    assertEquals(2 << 20, LmdbStore.forcingBytes(settings(StoreDurability.NONE)));
    assertEquals(2 << 20, LmdbStore.forcingBytes(settings(StoreDurability.PROCESS_CRASH)));
    assertEquals(Long.MAX_VALUE, LmdbStore.forcingBytes(settings(StoreDurability.POWER_LOSS)));
  }

  private StoreSettings settings(StoreDurability durability) {
    return new StoreSettings(directory, durability, new StoreMemory(16 << 20, 4 << 20), 100);
  }
}
