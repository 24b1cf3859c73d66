package dev.varve.dataset;

import static dev.varve.dataset.KeyValueModel.slice;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.RegisterHistory.Operation;
import dev.varve.dataset.RegisterHistory.Saw;
import dev.varve.dataset.model.ValueChange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.transaction.log.Durability;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Several sessions put, remove, insert, upsert, delete and read the same few keys, with batches of
 * their own sizes and levels of durability, while the store flushes and merges: seen from outside,
 * each key is a register whose operations happen one after the other between their call and their
 * acknowledgement, and it holds the same after a reopening.
 */
@Tag("slow")
class KeyValueConcurrencyTest {
  private static final Durability[] LEVELS = Durability.values();
  private static final int WRITERS = 6;
  private static final int READERS = 2;
  private static final int KEYS = 5;
  private static final int BATCHES = 300;

  private final MemoryFileSystem files = new MemoryFileSystem();
  private final AtomicLong moments = new AtomicLong();
  private final AtomicBoolean writing = new AtomicBoolean(true);

  /** An operation, and the key that it was done to. */
  private record Done(int key, Operation operation) {}

  @Test
  void everyKeyIsALinearizableRegister() throws Exception {
    long seed = Seeds.one(5);
    List<Done> all = new ArrayList<>();
    try (StorageEngine engine = open()) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              KeyValueModel.NAME, KeyValueModel.options().withMemoryBytes(128 << 10));
      all.addAll(run(pairs, seed));
      assertEquals(List.of(), engine.verify().problems());
      all.addAll(readAll(pairs));
      assertTrue(
          engine.stats().datasets().get(0).partitions().get(0).indexes().get(0).flushes() > 3);
    }
    try (StorageEngine engine = open()) {
      all.addAll(readAll(engine.keyValueStore(KeyValueModel.NAME)));
    }
    for (int key = 0; key < KEYS; key++) {
      RegisterHistory history = new RegisterHistory();
      for (Done done : all) {
        if (done.key() == key) {
          history.add(done.operation());
        }
      }
      Operation unexplained = history.unexplained();
      assertEquals(null, unexplained, "k" + key + " of " + history.size() + " operations");
    }
    System.out.println(all.size() + " operations on " + KEYS + " keys");
  }

  private StorageEngine open() throws StorageException {
    return StorageEngine.open(
        TestStore.options().lockTimeoutMillis(20_000).build(),
        new EngineSeams(files, new SystemClock(), new ThreadTaskExecutor(), Seeds.random(1)));
  }

  private List<Done> run(KeyValueStore pairs, long seed) throws Exception {
    List<Done> all = new ArrayList<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<List<Done>>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int number = i;
        writers.add(threads.submit(() -> write(pairs, number, Seeds.random(seed + number))));
      }
      List<Future<List<Done>>> others = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        RandomGenerator random = Seeds.random(~seed - i);
        others.add(threads.submit(() -> read(pairs, random)));
      }
      Future<Long> maintenance = threads.submit(() -> maintain(pairs));
      try {
        for (Future<List<Done>> writer : writers) {
          all.addAll(writer.get());
        }
      } finally {
        writing.set(false);
      }
      for (Future<List<Done>> other : others) {
        all.addAll(other.get());
      }
      assertTrue(maintenance.get() > 0);
    } finally {
      threads.shutdownNow();
    }
    return all;
  }

  private List<Done> write(KeyValueStore pairs, int writer, RandomGenerator random)
      throws StorageException {
    List<Done> done = new ArrayList<>();
    long written = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      Durability level = LEVELS[random.nextInt(LEVELS.length)];
      List<Done> unacknowledged = new ArrayList<>();
      try (KeyValueSession session = pairs.openSession(level)) {
        for (int i = random.nextInt(5); i >= 0; i--) {
          int key = random.nextInt(KEYS);
          String value = "w" + writer + " " + ++written + "v".repeat(random.nextInt(600));
          unacknowledged.add(new Done(key, operation(session, key, value, random)));
          if (random.nextInt(3) == 0) {
            session.force();
            acknowledge(unacknowledged, done);
          }
        }
      }
      acknowledge(unacknowledged, done);
    }
    return done;
  }

  /** A write may take effect until it was forced; others see nothing of it before. */
  private void acknowledge(List<Done> unacknowledged, List<Done> done) {
    long now = moments.incrementAndGet();
    for (Done each : unacknowledged) {
      Operation operation = each.operation();
      long returned = operation.writes() ? now : operation.returned();
      done.add(new Done(each.key(), operation.returnedAt(returned)));
    }
    unacknowledged.clear();
  }

  private Operation operation(
      KeyValueSession session, int number, String value, RandomGenerator random)
      throws StorageException {
    long called = moments.incrementAndGet();
    var key = slice("k" + number);
    Saw saw = Saw.NOTHING;
    boolean writes = true;
    String left = value;
    switch (random.nextInt(8)) {
      case 0 -> {
        session.remove(key);
        left = null;
      }
      case 1 -> {
        saw = saw(session.delete(key));
        left = null;
      }
      case 2 -> saw = saw(session.upsert(key, slice(value)));
      case 3 -> {
        try {
          session.insert(key, slice(value));
          saw = Saw.ABSENT;
        } catch (ConflictException duplicate) {
          assertEquals(ConflictException.Reason.DUPLICATE_KEY, duplicate.reason());
          saw = Saw.PRESENT;
          writes = false;
        }
      }
      case 4 -> {
        KeyValue found = new KeyValue();
        left = session.get(key, found) ? text(found) : null;
        saw = Saw.VALUE;
        writes = false;
      }
      case 5 -> {
        return modify(session, "k" + number, value);
      }
      default -> session.put(key, slice(value));
    }
    return new Operation(called, moments.incrementAndGet(), saw, writes, left);
  }

  /** Adds to the value that is there, unless it is long. */
  private Operation modify(KeyValueSession session, String key, String more)
      throws StorageException {
    long called = moments.incrementAndGet();
    List<Optional<byte[]>> met = new ArrayList<>();
    Optional<byte[]> left =
        session.modify(
            slice(key).toByteArray(),
            before -> {
              met.clear();
              met.add(before);
              return before.filter(value -> value.length > 2000).isPresent()
                  ? Optional.empty()
                  : ValueChange.append(slice(more).toByteArray()).of(before);
            });
    return new Operation(
        called, moments.incrementAndGet(), Saw.VALUE, text(met.get(0)), true, text(left));
  }

  /** Reads, and changes what was read if it is still that; a refusal tells nothing. */
  private List<Done> compareAndSet(KeyValueStore pairs, int key, String value)
      throws StorageException {
    Done read = read(pairs, key);
    String found = read.operation().value();
    long called = moments.incrementAndGet();
    boolean set =
        pairs.compareAndSet(
            slice("k" + key).toByteArray(),
            Optional.ofNullable(found).map(text -> slice(text).toByteArray()),
            Optional.of(slice(value).toByteArray()));
    Saw saw = set ? Saw.VALUE : Saw.NOTHING;
    return List.of(
        read,
        new Done(key, new Operation(called, moments.incrementAndGet(), saw, found, set, value)));
  }

  private static @Nullable String text(Optional<byte[]> value) {
    return value.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse(null);
  }

  private static Saw saw(WriteOutcome outcome) {
    return outcome == WriteOutcome.PRESENT ? Saw.PRESENT : Saw.ABSENT;
  }

  private static String text(KeyValue found) {
    return new String(found.value().toByteArray(), StandardCharsets.UTF_8);
  }

  private List<Done> read(KeyValueStore pairs, RandomGenerator random) throws StorageException {
    List<Done> done = new ArrayList<>();
    while (writing.get() && done.size() < 3_000) {
      if (random.nextInt(3) == 0) {
        done.addAll(readAtOnce(pairs, random));
      } else if (random.nextInt(8) == 0) {
        String value = "c" + random.nextLong();
        done.addAll(compareAndSet(pairs, random.nextInt(KEYS), value));
      } else {
        done.add(read(pairs, random.nextInt(KEYS)));
      }
    }
    return done;
  }

  /** Each of the keys is read at some moment of the call. */
  private List<Done> readAtOnce(KeyValueStore pairs, RandomGenerator random)
      throws StorageException {
    List<Integer> keys = new ArrayList<>();
    for (int i = random.nextInt(2 * KEYS); i >= 0; i--) {
      keys.add(random.nextInt(KEYS));
    }
    long called = moments.incrementAndGet();
    List<Optional<byte[]>> found =
        pairs.getAll(keys.stream().map(key -> slice("k" + key).toByteArray()).toList());
    long returned = moments.incrementAndGet();
    List<Done> done = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Operation read = new Operation(called, returned, Saw.VALUE, false, text(found.get(i)));
      done.add(new Done(keys.get(i), read));
    }
    return done;
  }

  private Done read(KeyValueStore pairs, int key) throws StorageException {
    long called = moments.incrementAndGet();
    @Nullable String found = KeyValueModel.get(pairs, "k" + key);
    return new Done(key, new Operation(called, moments.incrementAndGet(), Saw.VALUE, false, found));
  }

  private List<Done> readAll(KeyValueStore pairs) throws StorageException {
    List<Done> done = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      done.add(read(pairs, key));
    }
    return done;
  }

  private long maintain(KeyValueStore pairs) throws StorageException {
    long rounds = 0;
    while (writing.get()) {
      pairs.flush();
      if (++rounds % 4 == 0) {
        pairs.compact();
      }
    }
    return rounds;
  }
}
