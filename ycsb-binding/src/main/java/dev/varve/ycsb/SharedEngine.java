package dev.varve.ycsb;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.StorageEngine;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The engine of a directory, which all clients of the process share: opened by the first and closed
 * by the last. Thread-safe.
 */
final class SharedEngine {
  private static final ReentrantLock LOCK = new ReentrantLock();

  /** By directory. YCSB makes its clients itself, and hands them nothing. */
  @GuardedBy("LOCK")
  private static final Map<Path, SharedEngine> OPEN = new HashMap<>();

  private final Path directory;
  private final StorageEngine engine;

  @GuardedBy("LOCK")
  private int clients;

  private SharedEngine(Path directory, StorageEngine engine) {
    this.directory = directory;
    this.engine = engine;
  }

  /** The engine of a directory; the caller releases it once. */
  @SuppressWarnings("MustBeClosedChecker") // closed by the last release
  static SharedEngine acquire(BindingOptions options) throws StorageException {
    Path directory = options.engine().directory().toAbsolutePath().normalize();
    LOCK.lock();
    try {
      SharedEngine shared = OPEN.get(directory);
      if (shared == null) {
        shared = new SharedEngine(directory, StorageEngine.open(options.engine()));
        OPEN.put(directory, shared);
      }
      shared.clients++;
      return shared;
    } finally {
      LOCK.unlock();
    }
  }

  /** The store of a table, made when it is not there. */
  KeyValueStore table(String name, BindingOptions options) throws StorageException {
    LOCK.lock();
    try {
      return engine.names().contains(name)
          ? engine.keyValueStore(name)
          : engine.createKeyValueStore(name, options.store());
    } finally {
      LOCK.unlock();
    }
  }

  /** Gives the engine back; the last one closes it. */
  void release() throws StorageException {
    LOCK.lock();
    try {
      clients--;
      if (clients == 0) {
        OPEN.remove(directory);
        engine.close();
      }
    } finally {
      LOCK.unlock();
    }
  }
}
