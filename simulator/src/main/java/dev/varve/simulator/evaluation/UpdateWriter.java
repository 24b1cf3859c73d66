package dev.varve.simulator.evaluation;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.Clock;
import dev.varve.common.env.Signal;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.KeyValueSession;
import dev.varve.simulator.Arrivals;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * The only writer of a node: updates keys at random, each write forced before the next. In an open
 * system it takes writes in the order of their arrival, late or not, so that what waits in the
 * queue is counted from its arrival. Confined to its caller.
 */
final class UpdateWriter {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Scale scale;
  private final Load load;
  private final Clock clock;
  private final Signal pause;
  private final RandomGenerator random;
  private final byte[] key = new byte[Scale.KEY_BYTES];
  private final byte[] value;
  private final Slice keyView = new Slice();
  private final Slice valueView = new Slice();
  private final long[] windows;
  private long beginNanos;
  private long taken;

  UpdateWriter(Scale scale, Load load, Clock clock, Signal pause, RandomGenerator random) {
    this.scale = scale;
    this.load = load;
    this.clock = clock;
    this.pause = pause;
    this.random = random;
    this.value = new byte[scale.recordBytes() - Scale.KEY_BYTES];
    this.windows = new long[(int) Math.ceil(load.time().seconds() / load.time().windowSeconds())];
  }

  /** Puts every record once, in random order; whoever is told may rest between two of them. */
  static void load(Scale scale, List<KeyValueSession> sessions, Loaded loaded)
      throws StorageException {
    byte[] key = new byte[Scale.KEY_BYTES];
    byte[] value = new byte[scale.recordBytes() - Scale.KEY_BYTES];
    Slice keyView = new Slice();
    Slice valueView = new Slice();
    long step = coprime(scale.records());
    long number = 0;
    for (long i = 1; i <= scale.records(); i++) {
      number = (number + step) % scale.records();
      Bytes.putLongBigEndian(key, 0, number);
      KeyValueSession session = sessions.get((int) (number % sessions.size()));
      session.put(keyView.set(key, 0, key.length), valueView.set(value, 0, value.length));
      session.force();
      loaded.record(i);
    }
  }

  /** What happens after so many records. */
  @FunctionalInterface
  interface Loaded {
    void record(long count) throws StorageException;
  }

  /** A step that meets every number once, far from the one before: near the golden section. */
  private static long coprime(long records) {
    long step = Math.max(1, Math.round(records * 0.6180339887));
    while (gcd(records, step) != 1) {
      step++;
    }
    return step;
  }

  private static long gcd(long one, long other) {
    return other == 0 ? one : gcd(other, one % other);
  }

  /** Writes until the time is up. */
  void run(List<KeyValueSession> sessions, WriteListener listener) throws StorageException {
    beginNanos = clock.nanoTime();
    long end = beginNanos + nanos(load.time().seconds());
    ArrivalTimes times = new ArrivalTimes(load.arrivals());
    double due = times.next();
    for (long now = beginNanos; now < end; now = clock.nanoTime()) {
      long dueNanos = load.arrivals().isClosed() ? now : beginNanos + nanos(due);
      if (dueNanos > now) {
        rest(Math.min(dueNanos, end) - now);
        continue;
      }
      put(sessions);
      listener.written(dueNanos, now, clock.nanoTime());
      if (load.recordsPerSecond() < Double.POSITIVE_INFINITY) {
        rest(nanos(1 / load.recordsPerSecond()));
      }
      long ended = clock.nanoTime();
      if (ended < end) {
        taken++;
        windows[(int) ((ended - beginNanos) / NANOS_PER_SECOND / load.time().windowSeconds())]++;
      }
      due = times.next();
    }
  }

  private void put(List<KeyValueSession> sessions) throws StorageException {
    long number = random.nextLong(scale.records());
    Bytes.putLongBigEndian(key, 0, number);
    KeyValueSession session = sessions.get((int) (number % sessions.size()));
    session.put(keyView.set(key, 0, key.length), valueView.set(value, 0, value.length));
    session.force();
  }

  private void rest(long nanos) {
    Signal.Outcome outcome = pause.await(() -> false, nanos);
    assert outcome != Signal.Outcome.DONE;
    if (outcome == Signal.Outcome.INTERRUPTED) {
      throw new IllegalStateException("interrupted");
    }
  }

  private static long nanos(double seconds) {
    return (long) (seconds * NANOS_PER_SECOND);
  }

  long beginNanos() {
    return beginNanos;
  }

  long taken() {
    return taken;
  }

  /** Writes that had arrived in the end and were not taken. */
  long queued() {
    if (load.arrivals().isClosed()) {
      return 0;
    }
    ArrivalTimes times = new ArrivalTimes(load.arrivals());
    long arrived = 0;
    while (times.next() < load.time().seconds()) {
      arrived++;
    }
    return Math.max(0, arrived - taken);
  }

  List<Long> windows() {
    return LongStream.of(windows).boxed().toList();
  }

  /** When each write arrives, in seconds from the beginning. Confined to its caller. */
  private static final class ArrivalTimes {
    private final List<Arrivals.Phase> phases;
    private int phase;
    private double phaseBegan;
    private long inPhase;

    ArrivalTimes(Arrivals arrivals) {
      this.phases = arrivals.phases();
    }

    /** The next one; of a closed system always now. */
    double next() {
      if (phases.isEmpty()) {
        return 0;
      }
      while (true) {
        Arrivals.Phase now = phases.get(phase);
        double after =
            now.recordsPerSecond() > 0 ? ++inPhase / now.recordsPerSecond() : now.seconds();
        if (after < now.seconds() || now.seconds() == Double.POSITIVE_INFINITY) {
          return phaseBegan + after;
        }
        phaseBegan += now.seconds();
        inPhase = 0;
        phase = (phase + 1) % phases.size();
      }
    }
  }
}
