package dev.varve.benchmarks.store;

import static org.lmdbjava.DbiFlags.MDB_CREATE;
import static org.lmdbjava.EnvFlags.MDB_NOSYNC;
import static org.lmdbjava.EnvFlags.MDB_NOTLS;
import static org.lmdbjava.EnvFlags.MDB_WRITEMAP;

import dev.varve.benchmarks.child.BenchmarkException;
import java.nio.ByteBuffer;
import org.lmdbjava.Dbi;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.LmdbException;

/** One LMDB environment with one database. Thread-safe. */
final class LmdbStore implements Store {
  /** Address space, not memory; no comparison comes near it. */
  static final long MAP_BYTES = 32L << 30;

  private final StoreSettings settings;
  private final Env<ByteBuffer> env;
  private final Dbi<ByteBuffer> pairs;
  private final LmdbForcing forcing;

  LmdbStore(StoreSettings settings) throws BenchmarkException {
    this.settings = settings;
    try {
      this.env =
          Env.create()
              .setMapSize(MAP_BYTES)
              .setMaxDbs(1)
              .open(settings.directory().toFile(), flags(settings.durability()));
      this.pairs = env.openDbi("kv", MDB_CREATE);
    } catch (LmdbException e) {
      throw new BenchmarkException("open", e);
    }
    this.forcing = new LmdbForcing(env, forcingBytes(settings));
  }

  /** Bytes put between two forces; where each commit is forced, none is needed. */
  static long forcingBytes(StoreSettings settings) {
    return switch (settings.durability()) {
      case NONE, PROCESS_CRASH -> settings.memory().writeBytes() / 2;
      case POWER_LOSS -> Long.MAX_VALUE;
    };
  }

  private static EnvFlags[] flags(StoreDurability durability) {
    return switch (durability) {
      case NONE, PROCESS_CRASH -> new EnvFlags[] {MDB_NOTLS, MDB_NOSYNC, MDB_WRITEMAP};
      case POWER_LOSS -> new EnvFlags[] {MDB_NOTLS};
    };
  }

  @Override
  public StoreSession openSession() throws BenchmarkException {
    try {
      return new LmdbSession(env, pairs, forcing, settings.valueBytes());
    } catch (LmdbException e) {
      throw new BenchmarkException("open a session", e);
    }
  }

  @Override
  public void settle() throws BenchmarkException {
    try {
      forcing.settle();
    } catch (LmdbException e) {
      throw new BenchmarkException("settle", e);
    }
  }

  /** The file is as long as the map, and mostly a hole: what counts is up to where it is used. */
  @Override
  public StoreFigures figures() throws BenchmarkException {
    try {
      long pages = env.info().lastPageNumber + 1;
      return new StoreFigures(1, pages * env.stat().pageSize);
    } catch (LmdbException e) {
      throw new BenchmarkException("figures", e);
    }
  }

  @Override
  public void close() throws BenchmarkException {
    try {
      forcing.close();
    } finally {
      closeEnvironment();
    }
  }

  private void closeEnvironment() throws BenchmarkException {
    try {
      env.close();
    } catch (LmdbException e) {
      throw new BenchmarkException("close", e);
    }
  }
}
