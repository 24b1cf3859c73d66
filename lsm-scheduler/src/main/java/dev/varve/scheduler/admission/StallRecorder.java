package dev.varve.scheduler.admission;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.Clock;
import dev.varve.scheduler.admission.StallReport.Stall;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps account of every wait at the write gate: cause, holder, beginning and end. A wait whose
 * cause changes is one wait of several stretches, each booked to its own cause, so that the causes
 * add up to the time waited. Thread-safe.
 */
public final class StallRecorder {
  /** How many ended stretches {@link StallReport#recent} keeps. */
  public static final int RECENT = 1024;

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Set<Wait> open = new LinkedHashSet<>();

  @GuardedBy("lock")
  private final Deque<Stall> recent = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Map<StallCause, StallReport.Total> totals = new EnumMap<>(StallCause.class);

  @GuardedBy("lock")
  private long waits;

  @GuardedBy("lock")
  private long endedNanos;

  private volatile Runnable waitBegins = () -> {};

  /** A recorder without waits. */
  public StallRecorder(Clock clock) {
    this.clock = clock;
  }

  /** Has this called, by the writer, whenever one has begun to wait; it returns soon. */
  public void onWait(Runnable listener) {
    waitBegins = listener;
  }

  /** A writer begins to wait; it closes the result when it goes on, or gives up. */
  public Wait begin(StallCause cause, String holder) {
    Wait wait = open(cause, holder);
    waitBegins.run();
    return wait;
  }

  private Wait open(StallCause cause, String holder) {
    lock.lock();
    try {
      Wait wait = new Wait(this, beginStretch(cause, holder, clock.nanoTime()));
      open.add(wait);
      waits++;
      return wait;
    } finally {
      lock.unlock();
    }
  }

  /** Everything up to now. */
  public StallReport report() {
    lock.lock();
    try {
      long now = clock.nanoTime();
      Map<StallCause, StallReport.Total> all = new EnumMap<>(totals);
      long total = endedNanos;
      List<Stall> stillOpen = new ArrayList<>();
      for (Wait wait : open) {
        Stall soFar = wait.stretch.until(now);
        add(all, soFar.cause(), new StallReport.Total(0, soFar.nanos()));
        total += now - wait.beginNanos;
        stillOpen.add(soFar);
      }
      return new StallReport(all, waits, total, stillOpen, List.copyOf(recent));
    } finally {
      lock.unlock();
    }
  }

  private void becomes(Wait wait, StallCause cause, String holder) {
    lock.lock();
    try {
      if (open.contains(wait) && wait.stretch.cause != cause) {
        long now = clock.nanoTime();
        endStretch(wait.stretch, now);
        wait.stretch = beginStretch(cause, holder, now);
      }
    } finally {
      lock.unlock();
    }
  }

  private void end(Wait wait) {
    lock.lock();
    try {
      if (open.remove(wait)) {
        long now = clock.nanoTime();
        endStretch(wait.stretch, now);
        endedNanos += now - wait.beginNanos;
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private Stretch beginStretch(StallCause cause, String holder, long now) {
    add(totals, cause, new StallReport.Total(1, 0));
    return new Stretch(cause, holder, now, clock.currentTimeMillis());
  }

  @GuardedBy("lock")
  private void endStretch(Stretch stretch, long now) {
    Stall stall = stretch.until(now);
    add(totals, stall.cause(), new StallReport.Total(0, stall.nanos()));
    recent.addLast(stall);
    if (recent.size() > RECENT) {
      recent.removeFirst();
    }
  }

  private static void add(
      Map<StallCause, StallReport.Total> totals, StallCause cause, StallReport.Total more) {
    StallReport.Total before = totals.getOrDefault(cause, StallReport.Total.NONE);
    totals.put(
        cause,
        new StallReport.Total(before.stalls() + more.stalls(), before.nanos() + more.nanos()));
  }

  /** The part of a wait that is for one cause. */
  private record Stretch(StallCause cause, String holder, long beginNanos, long beginMillis) {
    Stall until(long now) {
      assert now >= beginNanos : "the clock went back";
      return new Stall(cause, holder, beginMillis, now - beginNanos);
    }
  }

  /** One writer's wait. Thread-safe; guarded by the recorder's lock. */
  public static final class Wait implements AutoCloseable {
    private final StallRecorder recorder;
    private final long beginNanos;
    private Stretch stretch;

    private Wait(StallRecorder recorder, Stretch first) {
      this.recorder = recorder;
      this.beginNanos = first.beginNanos;
      this.stretch = first;
    }

    /** The gate is still closed; the holder is kept while the cause is the same. */
    public void becomes(StallCause cause, String holder) {
      recorder.becomes(this, cause, holder);
    }

    /** The wait is over; idempotent. */
    @Override
    public void close() {
      recorder.end(this);
    }
  }
}
