package dev.varve.benchmarks.adoc;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.ThreadWork;
import dev.varve.benchmarks.measure.Timings;
import dev.varve.benchmarks.measure.Work;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.Clock;
import dev.varve.common.env.Signal;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.KeyValue;
import dev.varve.dataset.KeyValueSession;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.model.RecordCursor;
import java.util.SplittableRandom;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.generator.ScrambledZipfianGenerator;
import site.ycsb.generator.ZipfianGenerator;

/**
 * The one client that writes: an operation after the other at a pace, and what held it back is not
 * made up for, as in {@code db_bench}. An operation is timed from when it begins. Confined to its
 * thread, but for the count of its timings.
 */
final class AdocClient implements ThreadWork {
  private static final int SCAN_ROWS_MAX = 100;
  private static final long SEED = 42;

  private final AdocWorkload workload;
  private final Work work;
  private final double perSecond;
  private final KeyValueStore store;
  private final Clock clock;
  private final Signal pause;
  private final Timings timings;
  private final SplittableRandom random;
  private final NumberGenerator zipfian;
  private final KeyValue found = new KeyValue();
  private final byte[] key = new byte[Long.BYTES];
  private final byte[] value;
  private final Slice keyView = new Slice();
  private final Slice valueView = new Slice();

  /** Behind the last record. */
  private long records;

  private volatile boolean ended;

  AdocClient(AdocRequest request, KeyValueStore store, Clock clock, Signal pause) {
    this.work = request.work();
    this.workload = AdocRun.workload(work);
    this.perSecond = request.scale().operationsPerSecond();
    this.store = store;
    this.clock = clock;
    this.pause = pause;
    this.timings = new Timings(clock);
    this.random = new SplittableRandom(SEED + work.round());
    this.records = workload.startsLoaded() ? work.records().end() : 0;
    this.value = new byte[request.scale().recordBytes() - Long.BYTES];
    random.nextBytes(value);
    long keys = work.records().count();
    this.zipfian =
        workload.keys() == AdocWorkload.Keys.LATEST
            ? new ZipfianGenerator(0, keys - 1)
            : new ScrambledZipfianGenerator(0, keys - 1);
  }

  @Override
  public Timings timings() {
    return timings;
  }

  /** Whether it does nothing more; may be called from any thread. */
  boolean ended() {
    return ended;
  }

  @Override
  public void run() throws BenchmarkException {
    try {
      operateAll();
    } finally {
      ended = true;
    }
  }

  private void operateAll() throws BenchmarkException {
    long begun = timings.start();
    long end = begun + (long) (work.effort().seconds() * 1e9);
    long gap = (long) (1e9 / perSecond);
    try (KeyValueSession session = store.openSession()) {
      long due = begun;
      long done = 0;
      for (long now = begun; now < end && done < work.effort().operations(); ) {
        if (due > now) {
          rest(Math.min(due, end) - now);
          now = clock.nanoTime();
          continue;
        }
        operate(session);
        long ended = clock.nanoTime();
        timings.record(ended - now);
        timings.done(++done);
        due = Math.max(due + gap, now);
        now = ended;
      }
    } catch (StorageException failure) {
      throw new BenchmarkException(workload.label() + ": " + failure.getMessage(), failure);
    }
    timings.end();
  }

  private void rest(long nanos) {
    if (pause.await(() -> false, nanos) == Signal.Outcome.INTERRUPTED) {
      throw new IllegalStateException("interrupted");
    }
  }

  private void operate(KeyValueSession session) throws StorageException {
    boolean reads = random.nextDouble() < workload.reads();
    if (reads && workload.scans()) {
      scan();
      return;
    }
    switch (workload.change()) {
      case LOAD, INSERT -> {
        if (reads) {
          get(chosen());
        } else {
          put(session, records++);
        }
      }
      case UPDATE, MODIFY -> {
        long number = chosen();
        if (reads || workload.change() == AdocWorkload.Change.MODIFY) {
          get(number);
        }
        if (!reads) {
          put(session, number);
        }
      }
    }
  }

  private long chosen() {
    return switch (workload.keys()) {
      case UNIFORM -> random.nextLong(Math.max(work.records().count(), records));
      case ZIPFIAN -> zipfian.nextValue().longValue();
      case LATEST -> Math.max(0, records - 1 - zipfian.nextValue().longValue());
    };
  }

  private void get(long number) throws StorageException {
    store.get(keyOf(number, keyView, key), found);
  }

  /** The key of a record: records that are put in a row lie all over the key range. */
  static long keyNumber(long record) {
    return Long.reverse(record * 0x9E3779B97F4A7C15L);
  }

  /** The same as bytes. */
  static Slice keyOf(long record, Slice view, byte[] bytes) {
    Bytes.putLongBigEndian(bytes, 0, keyNumber(record));
    return view.set(bytes, 0, bytes.length);
  }

  private void put(KeyValueSession session, long number) throws StorageException {
    session.put(keyOf(number, keyView, key), valueView.set(value, 0, value.length));
    session.force();
  }

  private void scan() throws StorageException {
    Slice from = keyOf(chosen(), keyView, key);
    int rows = 1 + random.nextInt(SCAN_ROWS_MAX);
    try (RecordCursor cursor = store.scan(KeyRange.atLeast(from.toByteArray()))) {
      for (int row = 0; row < rows && cursor.next(); row++) {
        assert cursor.value().length() == value.length;
      }
    }
  }
}
