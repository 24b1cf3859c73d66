package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.type.ByteArrayDataType;

/** An MVStore with one map. Thread-safe. */
final class MvStoreStore implements Store {
  /** It multiplies the size of its buffer in an int. */
  private static final long MOST_BUFFER_BYTES = 64 << 20;

  private final StoreSettings settings;
  private final MVStore store;
  private final MVMap<byte[], byte[]> pairs;

  MvStoreStore(StoreSettings settings) throws BenchmarkException {
    this.settings = settings;
    try {
      this.store =
          new MVStore.Builder()
              .fileName(settings.directory().resolve("kv.mv").toString())
              .cacheSize(cacheMebibytes(settings))
              .autoCommitBufferSize(bufferKibibytes(settings))
              .open();
      if (settings.durability() == StoreDurability.PROCESS_CRASH) {
        store.setRetentionTime(0);
      }
      this.pairs =
          store.openMap(
              "kv",
              new MVMap.Builder<byte[], byte[]>()
                  .keyType(ByteArrayDataType.INSTANCE)
                  .valueType(ByteArrayDataType.INSTANCE));
    } catch (MVStoreException e) {
      throw new BenchmarkException("open", e);
    }
  }

  static int cacheMebibytes(StoreSettings settings) {
    return Math.toIntExact(settings.memory().cacheBytes() >> 20);
  }

  static int bufferKibibytes(StoreSettings settings) {
    return Math.toIntExact(Math.min(settings.memory().writeBytes() / 2, MOST_BUFFER_BYTES) >> 10);
  }

  @Override
  public StoreSession openSession() {
    return new MvStoreSession(store, pairs, settings.durability());
  }

  @Override
  public void settle() throws BenchmarkException {
    try {
      store.commit();
      store.sync();
    } catch (MVStoreException e) {
      throw new BenchmarkException("settle", e);
    }
  }

  @Override
  public StoreFigures figures() {
    return new StoreFigures(1, DiskBytes.below(settings.directory()));
  }

  @Override
  public void close() throws BenchmarkException {
    try {
      store.close();
    } catch (MVStoreException e) {
      throw new BenchmarkException("close", e);
    }
  }
}
