package dev.varve.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: an engine of a thousand stores and more, created, written, read and dropped by several
 * threads under little memory, does what one of three stores does. Method: each thread owns its
 * stores and a model of them; all of them are read in the end, and after the engine was opened
 * again.
 */
class ManyStoresTest {
  private static final int THREADS = 4;

  /** Set to a number of seconds, runs ten thousand stores on the real disk for so long. */
  private static final String SOAK = "varve.soak.seconds";

  @Test
  void aStoreThatIsUsedWhileAllAreSortedByUseDoesNotConfuseThem() throws Exception {
    Seeds.run(
        3,
        seed -> {
          TestStore store = TestStore.empty(seed);
          Bustle bustle = new Bustle(store, seed);
          EngineSeams seams =
              new EngineSeams(store.faults, bustle, store.executor, Seeds.random(seed));
          EngineOptions options = TestStore.options().activeDatasetBytes(4 << 20).build();
          try (StorageEngine engine = StorageEngine.open(options, seams)) {
            for (int i = 0; i < 120; i++) {
              KeyValueStore next =
                  engine.createKeyValueStore(
                      "s" + i, KeyValueOptions.DEFAULTS.withMemoryBytes(64 << 10));
              put(next, 0, 1);
              bustle.stores.add(next);
            }
            bustle.stores.clear();
          }
        });
  }

  /** Whoever asks for the time finds that stores were read meanwhile. */
  private static final class Bustle implements Clock {
    private final TestStore store;
    private final RandomGenerator random;
    private final List<KeyValueStore> stores = new ArrayList<>();
    private boolean reading;

    Bustle(TestStore store, long seed) {
      this.store = store;
      this.random = Seeds.random(seed);
    }

    @Override
    public long nanoTime() {
      if (!reading && !stores.isEmpty()) {
        reading = true;
        try {
          for (int i = 0; i < 4; i++) {
            stores.get(random.nextInt(stores.size())).get(key(0), new KeyValue());
          }
        } catch (StorageException e) {
          throw new AssertionError(e);
        } finally {
          reading = false;
        }
      }
      store.clock.advanceMillis(1);
      return store.clock.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
      return store.clock.currentTimeMillis();
    }
  }

  @Test
  void aThousandStoresShareLittleMemory() throws Exception {
    MemoryFileSystem files = new MemoryFileSystem();
    new Crowd(options(TestStore.ROOT).sharedMemoryBytes(4 << 20).build(), files, 1000)
        .run(clock -> 500);
  }

  @Test
  void aThousandStoresTakeTurnsWithMemoryOfTheirOwn() throws Exception {
    MemoryFileSystem files = new MemoryFileSystem();
    new Crowd(options(TestStore.ROOT).activeDatasetBytes(4 << 20).build(), files, 1000)
        .run(clock -> 500);
  }

  @Test
  @Tag("slow")
  @EnabledIfSystemProperty(named = SOAK, matches = "[0-9]+")
  void tenThousandStoresForAsLongAsIsAskedFor(@TempDir Path directory) throws Exception {
    long end = new SystemClock().nanoTime() + Long.getLong(SOAK) * 1_000_000_000L;
    EngineOptions options = options(directory).sharedMemoryBytes(16 << 20).build();
    new Crowd(options, new LocalFileSystem(), 10_000)
        .run(clock -> clock.nanoTime() < end ? Integer.MAX_VALUE : 0);
  }

  private static EngineOptions.Builder options(Path directory) {
    return TestStore.options(directory)
        .cacheBytes(4 << 20)
        .logSegmentBytes(1 << 20)
        .logRetentionBytes(8 << 20)
        .lockTimeoutMillis(60_000)
        .durability(Durability.PROCESS_CRASH);
  }

  private static Slice key(int number) {
    return new Slice(String.format(Locale.ROOT, "key %05d", number).getBytes(UTF_8));
  }

  private static byte[] value(int version) {
    return (version + ":" + "x".repeat(500)).getBytes(UTF_8);
  }

  private static void put(KeyValueStore store, int number, int version) throws StorageException {
    try (KeyValueSession session = store.openSession()) {
      session.put(key(number), new Slice(value(version)));
    }
  }

  /** Stores that several threads use, each its own ones. */
  private static final class Crowd {
    private final EngineOptions options;
    private final EngineSeams seams;
    private final int stores;
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    /** By store, the newest version of each key. */
    private final Map<String, Map<Integer, Integer>> model = new ConcurrentHashMap<>();

    Crowd(EngineOptions options, FileSystem files, int stores) {
      this.options = options;
      this.stores = stores;
      this.seams =
          new EngineSeams(files, new SystemClock(), new ThreadTaskExecutor(), Seeds.random(1));
    }

    /**
     * Runs all threads, then checks everything, twice.
     *
     * @param mostSteps how many steps each thread makes, asked after each
     */
    void run(ToIntFunction<Clock> mostSteps) throws Exception {
      try (StorageEngine engine = StorageEngine.open(options, seams)) {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
          Member member = new Member(engine, t);
          Thread thread = new Thread(() -> member.run(mostSteps));
          thread.start();
          threads.add(thread);
        }
        for (Thread thread : threads) {
          thread.join();
        }
        if (!failures.isEmpty()) {
          throw new AssertionError(failures.size() + " failures", failures.peek());
        }
        check(engine);
      }
      try (StorageEngine engine = StorageEngine.open(options, seams)) {
        check(engine);
      }
    }

    private void check(StorageEngine engine) throws StorageException {
      assertEquals(new TreeSet<>(model.keySet()), new TreeSet<>(engine.names()));
      long puts = 0;
      for (Map.Entry<String, Map<Integer, Integer>> each : model.entrySet()) {
        checkScan(engine.keyValueStore(each.getKey()), each.getValue());
        puts += each.getValue().size();
      }
      assertTrue(puts >= stores, "only " + puts + " keys");
      assertEquals(List.of(), engine.verify().problems());
    }

    private static void checkScan(KeyValueStore store, Map<Integer, Integer> expected)
        throws StorageException {
      int found = 0;
      try (RecordCursor cursor = store.scan(KeyRange.all())) {
        while (cursor.next()) {
          int number = Integer.parseInt(new String(cursor.key().toByteArray(), UTF_8).substring(4));
          assertArrayEquals(value(expected.get(number)), cursor.value().toByteArray());
          found++;
        }
      }
      assertEquals(expected.size(), found, store.name());
    }

    /** A thread with the stores that only it uses. */
    private final class Member {
      private final StorageEngine engine;
      private final RandomGenerator random;
      private final List<KeyValueStore> own = new ArrayList<>();
      private final String prefix;
      private int created;
      private int version;

      Member(StorageEngine engine, int number) {
        this.engine = engine;
        this.random = Seeds.random(number);
        this.prefix = "t" + number + "-";
      }

      void run(ToIntFunction<Clock> mostSteps) {
        try {
          for (int step = 0; step < mostSteps.applyAsInt(seams.clock()); step++) {
            step();
          }
          while (own.size() < stores / THREADS) {
            create();
          }
        } catch (Throwable failure) {
          failures.add(failure);
        }
      }

      private void step() throws StorageException {
        if (own.isEmpty() || (own.size() < stores / THREADS && random.nextInt(4) != 0)) {
          create();
        }
        int place = random.nextInt(own.size());
        KeyValueStore store = own.get(place);
        Map<Integer, Integer> expected = model.get(store.name());
        switch (random.nextInt(20)) {
          case 0, 1 -> checkScan(store, expected);
          case 2, 3, 4 -> {
            int number = random.nextInt(50);
            KeyValue found = new KeyValue();
            assertEquals(expected.containsKey(number), store.get(key(number), found));
          }
          case 5 -> {
            own.remove(place);
            model.remove(store.name());
            engine.drop(store.name());
          }
          default -> write(store, expected);
        }
      }

      private void create() throws StorageException {
        String name = prefix + created++;
        KeyValueStore store =
            engine.createKeyValueStore(
                name,
                KeyValueOptions.DEFAULTS
                    .withMemoryBytes(64 << 10)
                    .withMergePolicy(new MergePolicyOptions("tiering(3)")));
        own.add(store);
        model.put(name, new HashMap<>());
        write(store, model.get(name));
      }

      private void write(KeyValueStore store, Map<Integer, Integer> expected)
          throws StorageException {
        try (KeyValueSession session = store.openSession()) {
          for (int i = random.nextInt(20); i >= 0; i--) {
            int number = random.nextInt(50);
            session.put(key(number), new Slice(value(++version)));
            expected.put(number, version);
          }
        }
      }
    }
  }
}
