package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.KeyValueOptions;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Point reads enter nothing and hold nothing, and still see only what was there. */
class PointReadTest {
  private static final int KEYS = 12_000;

  private final MemoryFileSystem files = new MemoryFileSystem();
  private final AtomicBoolean writing = new AtomicBoolean(true);

  private StorageEngine open(long cacheBytes) throws StorageException {
    return StorageEngine.open(
        TestStore.options().cacheBytes(cacheBytes).build(),
        new EngineSeams(files, new SystemClock(), new ThreadTaskExecutor(), Seeds.random(1)));
  }

  private static byte[] key(int number) {
    byte[] key = new byte[16];
    Bytes.putLongBigEndian(key, 0, number * 0x9E3779B97F4A7C15L);
    Bytes.putLongBigEndian(key, 8, number);
    return key;
  }

  /** A value of which every eight bytes say which version of which key it is. */
  private static void put(KeyValueSession session, int number, int version)
      throws StorageException {
    byte[] value = new byte[Long.BYTES * (1 + version % 12)];
    for (int at = 0; at < value.length; at += Long.BYTES) {
      Bytes.putLong(value, at, (long) number << 32 | version);
    }
    session.upsert(new Slice(key(number)), new Slice(value));
  }

  private static int version(int number, Slice value) {
    long first = Bytes.getLong(value.bytes(), value.offset());
    int version = (int) first;
    assertEquals(number, (int) (first >>> 32));
    assertEquals(Long.BYTES * (1 + version % 12), value.length());
    for (int at = 0; at < value.length(); at += Long.BYTES) {
      assertEquals(first, Bytes.getLong(value.bytes(), value.offset() + at));
    }
    return version;
  }

  private static void fill(KeyValueStore store, int version) throws StorageException {
    try (KeyValueSession session = store.openSession()) {
      for (int number = 0; number < KEYS; number++) {
        put(session, number, version);
      }
    }
  }

  /** With a cache of a few pages, so that pages go while they are read, and one that holds all. */
  @Test
  void noReadGoesBackInTimeOrMixesPages() throws Exception {
    for (long cacheBytes : new long[] {256 << 10, 4 << 20}) {
      try (StorageEngine engine = open(cacheBytes)) {
        String name = "pairs" + cacheBytes;
        KeyValueStore store =
            engine.createKeyValueStore(name, KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
        fill(store, 0);
        readWhileWriting(store);
        assertTrue(store.verify().problems().isEmpty());
      }
    }
  }

  private void readWhileWriting(KeyValueStore store) throws Exception {
    writing.set(true);
    long seed = Seeds.one(13);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        RandomGenerator random = Seeds.random(seed + i);
        readers.add(threads.submit(() -> read(store, random)));
      }
      try {
        for (int version = 1; version < 9; version++) {
          fill(store, version);
          if (version % 3 == 0) {
            store.compact();
          } else {
            store.flush();
          }
        }
      } finally {
        writing.set(false);
      }
      for (Future<Long> reader : readers) {
        assertTrue(reader.get() > 0);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private long read(KeyValueStore store, RandomGenerator random) throws StorageException {
    int[] versions = new int[KEYS];
    KeyValue found = new KeyValue();
    long reads = 0;
    while (writing.get()) {
      int number = random.nextInt(KEYS);
      assertTrue(store.get(new Slice(key(number)), found));
      int version = version(number, found.value());
      assertTrue(version >= versions[number], "an older version than before");
      versions[number] = version;
      assertFalse(store.get(new Slice(key(KEYS + number)), found));
      readAtOnce(store, versions, random);
      reads++;
    }
    return reads;
  }

  /** Reads neighbours and others, beside some that are not there. */
  private static void readAtOnce(KeyValueStore store, int[] versions, RandomGenerator random)
      throws StorageException {
    List<Integer> numbers = new ArrayList<>();
    for (int i = random.nextInt(200); i >= 0; i--) {
      numbers.add(random.nextInt(KEYS + 100));
    }
    List<Optional<byte[]>> values = store.getAll(numbers.stream().map(PointReadTest::key).toList());
    for (int i = 0; i < values.size(); i++) {
      int number = numbers.get(i);
      assertEquals(number < KEYS, values.get(i).isPresent());
      if (number < KEYS) {
        int version = version(number, new Slice(values.get(i).orElseThrow()));
        assertTrue(version >= versions[number], "an older version than before");
        // Not all at one moment, so that a second one of the same key may be as old.
        versions[number] = version;
      }
    }
  }

  @Test
  void aPointReadAllocatesNothing() throws StorageException {
    try (StorageEngine engine = open(8 << 20)) {
      KeyValueStore store = engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS);
      fill(store, 11);
      store.flush();
      KeyValue found = new KeyValue();
      Slice present = new Slice(key(77));
      Slice absent = new Slice(key(KEYS + 77));
      assertTrue(store.get(present, found));
      assertFalse(store.get(absent, found));
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long thread = Thread.currentThread().getId();
      threads.getThreadAllocatedBytes(thread);
      long before = threads.getThreadAllocatedBytes(thread);
      for (int i = 0; i < 10_000; i++) {
        store.get(present, found);
        store.get(absent, found);
      }
      long allocated = threads.getThreadAllocatedBytes(thread) - before;
      // The virtual machine itself allocates a little now and then.
      assertTrue(allocated < 20_000, () -> allocated + " bytes in 20,000 reads");
    }
  }

  @Test
  void aReadAfterTheEndThrowsThoughEverythingWasCached() throws StorageException {
    KeyValue found = new KeyValue();
    Slice present = new Slice(key(77));
    KeyValueStore dropped;
    KeyValueStore closed;
    try (StorageEngine engine = open(8 << 20)) {
      dropped = engine.createKeyValueStore("dropped", KeyValueOptions.DEFAULTS);
      closed = engine.createKeyValueStore("closed", KeyValueOptions.DEFAULTS);
      for (KeyValueStore store : List.of(dropped, closed)) {
        fill(store, 1);
        store.flush();
        assertTrue(store.get(present, found));
        assertTrue(store.get(present, found));
      }
      engine.drop("dropped");
      assertThrows(IllegalStateException.class, () -> dropped.get(present, found));
      assertThrows(IllegalStateException.class, () -> dropped.getAll(List.of(key(77))));
      assertTrue(closed.get(present, found));
    }
    assertThrows(IllegalStateException.class, () -> closed.get(present, found));
    assertThrows(IllegalStateException.class, () -> closed.getAll(List.of(key(77), key(78))));
  }

  @Test
  void manyReadsAtOnceRefuseWhatIsMissingAndFindNothingUnderAKeyOverTheLimit()
      throws StorageException {
    try (StorageEngine engine = open(8 << 20)) {
      KeyValueStore store = engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS);
      fill(store, 1);
      assertEquals(List.of(), store.getAll(List.of()));
      byte[] tooLong = new byte[100_000];
      List<Optional<byte[]>> found = store.getAll(List.of(tooLong, key(3), new byte[0]));
      assertEquals(List.of(false, true, false), found.stream().map(Optional::isPresent).toList());
      assertThrows(NullPointerException.class, () -> store.getAll(Arrays.asList(key(1), null)));
    }
  }

  @Test
  void aReadThatFailsForManyKeysFailsAsOneDoes() throws StorageException {
    FaultyFileSystem faulty = new FaultyFileSystem(files);
    try (StorageEngine engine =
        StorageEngine.open(
            TestStore.options().cacheBytes(256 << 10).build(),
            new EngineSeams(
                faulty, new SystemClock(), new ThreadTaskExecutor(), Seeds.random(1)))) {
      KeyValueStore store = engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS);
      fill(store, 11);
      store.compact();
      List<byte[]> keys = IntStream.range(0, KEYS).mapToObj(PointReadTest::key).toList();
      faulty.setPlan("read */i*/* 1 EIO persistent");
      assertThrows(DiskException.class, () -> store.getAll(keys));
      faulty.setPlan("");
      assertTrue(store.getAll(keys).stream().allMatch(Optional::isPresent));
      assertTrue(store.verify().problems().isEmpty());
    }
  }
}
