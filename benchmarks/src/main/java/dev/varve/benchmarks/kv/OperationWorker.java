package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.ThreadWork;
import dev.varve.benchmarks.measure.Timings;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.store.ScanDirection;
import dev.varve.benchmarks.store.Store;
import dev.varve.benchmarks.store.StoreSession;
import dev.varve.common.env.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One thread of a phase: does operations until they are done or the time is up, and keeps how long
 * each took. Its fields are read by others once it has ended.
 *
 * <p>Implementation note: the loop allocates nothing, so that what is allocated is the store's. To
 * time one takes some 70 ns, two looks at the clock and one at the histogram. So when operations
 * turn out to take less than two microseconds, one in eight is timed; the seven between go into the
 * histogram as one only when they took longer than a stall, which so is never missed.
 */
final class OperationWorker implements ThreadWork {
  static final int SCAN_LIMIT = 100;

  private static final int BATCH = 1_000;
  private static final int SPARSE = 8;

  /** One part of so many must be done at the end of the trial. */
  private static final int TRIAL_PARTS = 20;

  private static final int ADAPT_EVERY = 1 << 14;
  private static final long FAST_NANOS = 2_000;
  private static final long STALL_NANOS = 1_000_000;

  private final Store store;
  private final Work work;
  private final Action action;
  private final int number;
  private final Clock clock;
  private final Records records;
  private final SplittableRandom random;
  private final byte[] key = new byte[Records.KEY_BYTES];
  private final byte[] value;
  private final Timings timings;
  private long wrongAnswers;
  private int timedEvery = 1;

  /** The number-th worker of some work. */
  OperationWorker(WorkRun.Subject subject, Work work, int number, Clock clock) {
    this.store = subject.store();
    this.work = work;
    this.action = Action.of(work);
    this.number = number;
    this.clock = clock;
    this.records = subject.records();
    this.timings = new Timings(clock);
    this.random = new SplittableRandom(records.choices(work.round()) + number);
    this.value = new byte[subject.valueBytes()];
  }

  @Override
  public void run() throws BenchmarkException {
    try (StoreSession session = store.openSession()) {
      operate(session);
    }
  }

  private void operate(StoreSession session) throws BenchmarkException {
    long from = work.effort().from(number);
    long operations = work.effort().from(number + 1) - from;
    long start = timings.start();
    long deadline = start + (long) (work.effort().seconds() * 1e9);
    if (action == Action.FILL) {
      fill(session, from, operations, deadline);
    } else if (action == Action.SCAN_ALL) {
      scanAll(session, start, operations, deadline);
    } else {
      oneByOne(session, from, operations, deadline);
    }
    timings.end();
  }

  private void oneByOne(StoreSession session, long from, long operations, long deadline)
      throws BenchmarkException {
    long start = timings.startNanos();
    long last = start;
    long adaptedAt = start;
    long until = Math.min(deadline, start + (long) (work.effort().trialSeconds() * 1e9));
    for (long at = 0; at < operations; at++) {
      long record = choose(from + at);
      if (at % timedEvery != 0) {
        operate(session, record);
        timings.done(at + 1);
        continue;
      }
      long begin = clock.nanoTime();
      if (begin - last > STALL_NANOS && timedEvery > 1) {
        timings.record(begin - last);
      }
      operate(session, record);
      last = clock.nanoTime();
      timings.record(last - begin);
      timings.done(at + 1);
      if (last >= until) {
        if (until == deadline || at + 1 < operations / TRIAL_PARTS) {
          return;
        }
        until = deadline;
      }
      if ((at + SPARSE) % ADAPT_EVERY == 0) {
        timedEvery = last - adaptedAt < FAST_NANOS * ADAPT_EVERY ? SPARSE : 1;
        adaptedAt = last;
      }
    }
  }

  /** Makes key and value of the record that the next operation is about. */
  private long choose(long ordinal) {
    long record =
        switch (action) {
          case LOAD, LOAD_CHECKED, RECOVER, DELETE -> work.records().first() + ordinal;
          case READ_ABSENT -> work.records().end() + random.nextLong(1L << 32);
          default -> work.records().first() + random.nextLong(work.records().count());
        };
    records.key(record, key);
    return record;
  }

  private void operate(StoreSession session, long record) throws BenchmarkException {
    boolean right =
        switch (action) {
          case LOAD, RECOVER -> put(session, record, 0);
          case UPDATE, COMMIT -> put(session, record, 1);
          case OVERWRITE -> put(session, record, 3);
          case LOAD_CHECKED -> insert(session, record);
          case DELETE -> session.delete(key);
          case READ, READ_COLD -> session.get(key) == value.length;
          case READ_ABSENT -> session.get(key) < 0;
          case SCAN_FORWARD -> session.scan(key, SCAN_LIMIT, ScanDirection.FORWARD) > 0;
          case SCAN_BACKWARD -> session.scan(key, SCAN_LIMIT, ScanDirection.BACKWARD) > 0;
          case MIXED ->
              random.nextInt() < 0 ? put(session, record, 2) : session.get(key) == value.length;
          case FILL, SCAN_ALL -> throw new IllegalStateException(action.name());
        };
    if (!right) {
      wrongAnswers++;
    }
  }

  private boolean put(StoreSession session, long record, int version) throws BenchmarkException {
    records.value(record, version, value);
    session.put(key, value);
    return true;
  }

  private boolean insert(StoreSession session, long record) throws BenchmarkException {
    records.value(record, 0, value);
    return session.insert(key, value);
  }

  private void fill(StoreSession session, long from, long operations, long deadline)
      throws BenchmarkException {
    for (long at = 0; at < operations && clock.nanoTime() < deadline; ) {
      long batchEnd = Math.min(operations, at + BATCH);
      List<byte[]> keys = new ArrayList<>(BATCH);
      List<byte[]> values = new ArrayList<>(BATCH);
      for (; at < batchEnd; at++) {
        byte[] filledKey = new byte[Records.KEY_BYTES];
        byte[] filledValue = new byte[value.length];
        records.key(work.records().first() + from + at, filledKey);
        records.value(work.records().first() + from + at, 0, filledValue);
        keys.add(filledKey);
        values.add(filledValue);
      }
      session.putAll(keys, values);
      timings.done(at);
    }
  }

  /** A pass at least, so that a small store is not judged by some milliseconds. */
  private void scanAll(StoreSession session, long start, long operations, long deadline)
      throws BenchmarkException {
    long visited = 0;
    long begin = start;
    do {
      int rows = session.scan(key, Integer.MAX_VALUE, ScanDirection.FORWARD);
      visited += rows;
      timings.done(visited);
      long now = clock.nanoTime();
      timings.record(now - begin);
      begin = now;
      if (rows != work.records().count()) {
        wrongAnswers++;
        return;
      }
    } while (visited < operations && begin < deadline);
  }

  @Override
  public Timings timings() {
    return timings;
  }

  long wrongAnswers() {
    return wrongAnswers;
  }

  int timedEvery() {
    return timedEvery;
  }
}
