package dev.varve.it.walk;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.KeyValue;
import dev.varve.dataset.KeyValueSession;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;

/**
 * The process whose operations are traced. Each is done before, so that nothing is set up in it.
 */
final class WalkedStore {
  private static final int PAIRS = 100;

  private final KeyValueStore store;
  private final KeyValueSession session;
  private final Slice key = new Slice(new byte[16]);
  private final Slice value = new Slice(new byte[100]);
  private final KeyValue found = new KeyValue();

  private WalkedStore(KeyValueStore store, KeyValueSession session) {
    this.store = store;
    this.session = session;
  }

  public static void main(String[] args) throws StorageException {
    EngineOptions options =
        EngineOptions.builder(Path.of(args[0])).durability(Durability.PROCESS_CRASH).build();
    try (StorageEngine engine = StorageEngine.open(options)) {
      KeyValueStore store = engine.createKeyValueStore("walked", KeyValueOptions.DEFAULTS);
      try (KeyValueSession session = store.openSession()) {
        new WalkedStore(store, session).run();
      }
    }
  }

  private void run() throws StorageException {
    for (int i = 0; i < PAIRS; i++) {
      put(i);
      session.force();
      get(i);
    }
    begin(Walk.PUT);
    put(PAIRS / 2);
    end();
    begin(Walk.FORCE);
    session.force();
    end();
    begin(Walk.GET_FROM_MEMORY);
    get(PAIRS / 2);
    end();
    store.flush();
    get(PAIRS / 2);
    begin(Walk.GET_FROM_DISK);
    get(PAIRS / 2);
    end();
  }

  private void put(int number) throws StorageException {
    key.bytes()[0] = (byte) (number * 37);
    key.bytes()[15] = (byte) (number >> 8);
    session.put(key, value);
  }

  private void get(int number) throws StorageException {
    key.bytes()[0] = (byte) (number * 37);
    key.bytes()[15] = (byte) (number >> 8);
    if (!store.get(key, found)) {
      throw new AssertionError("the pair is missing");
    }
  }

  /** Where the trace begins: the argument names it. */
  static void begin(String walk) {
    if (walk.isEmpty()) {
      throw new IllegalArgumentException("a walk without a name");
    }
  }

  /** Where the trace ends. */
  static void end() {
    // The debugger sees the call.
  }
}
