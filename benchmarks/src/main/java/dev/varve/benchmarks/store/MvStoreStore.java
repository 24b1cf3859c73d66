package dev.varve.benchmarks.store;

import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.type.ByteArrayDataType;

/** An MVStore with one map. Thread-safe. */
final class MvStoreStore implements Store {
  private final StoreSettings settings;
  private final MVStore store;
  private final MVMap<byte[], byte[]> pairs;

  MvStoreStore(StoreSettings settings) throws StoreException {
    this.settings = settings;
    try {
      this.store =
          new MVStore.Builder()
              .fileName(settings.directory().resolve("kv.mv").toString())
              .cacheSize(cacheMebibytes(settings))
              .open();
      this.pairs =
          store.openMap(
              "kv",
              new MVMap.Builder<byte[], byte[]>()
                  .keyType(ByteArrayDataType.INSTANCE)
                  .valueType(ByteArrayDataType.INSTANCE));
    } catch (MVStoreException e) {
      throw new StoreException("open", e);
    }
  }

  static int cacheMebibytes(StoreSettings settings) {
    return Math.toIntExact(settings.cacheBytes() >> 20);
  }

  @Override
  public StoreSession openSession() {
    return new MvStoreSession(store, pairs, settings.durability());
  }

  @Override
  public void settle() throws StoreException {
    try {
      store.commit();
      store.sync();
    } catch (MVStoreException e) {
      throw new StoreException("settle", e);
    }
  }

  @Override
  public StoreFigures figures() {
    return new StoreFigures(1, DiskBytes.below(settings.directory()));
  }

  @Override
  public void close() throws StoreException {
    try {
      store.close();
    } catch (MVStoreException e) {
      throw new StoreException("close", e);
    }
  }
}
