package dev.varve.common.testkit;

import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs workers without threads: a step runs one of those that were woken, drawn from a seed.
 * Whoever waits on a signal runs workers until the condition holds and the signal was raised.
 * Confined to the thread that made it.
 *
 * <p>When a waiter's condition does not hold and no worker has anything to do, the clock moves to
 * the next time-out or the end of the next nap; when there is neither, nobody can ever make the
 * condition true, and an {@link AssertionError} says who waits for what. A worker that waits inside
 * its own step is not stepped again until that step is over, so work that it would have to do
 * itself counts as missing.
 */
public final class SteppedExecutor implements TaskExecutor {
  /** Steps in one wait after which it counts as a live-lock. */
  private static final int STEPS_MAX = 10_000_000;

  private final ManualClock clock;
  private final RandomGenerator random;
  private final Thread owner = Thread.currentThread();
  private final List<SteppedWorker> workers = new ArrayList<>();

  /** Who waits, outermost first. */
  private final Deque<String> waiters = new ArrayDeque<>();

  private @Nullable SteppedWorker running;
  private long steps;

  /** Draws the order of steps from the seed. */
  public SteppedExecutor(ManualClock clock, long seed) {
    this.clock = clock;
    this.random = Seeds.random(seed);
  }

  private final class SteppedWorker implements Handle {
    final Worker worker;
    boolean woken = true;
    boolean inStep;
    boolean closed;

    /** When the nap ends, or {@link Signal#FOREVER}. */
    long napEnds = Signal.FOREVER;

    SteppedWorker(Worker worker) {
      this.worker = worker;
    }

    @Override
    public void wake() {
      woken = true;
    }

    @Override
    public void close() {
      checkOwner();
      closed = true;
      workers.remove(this);
    }

    boolean runnable() {
      return !inStep && !closed && (woken || napEnds <= clock.nanoTime());
    }
  }

  @Override
  public Handle start(Worker worker) {
    checkOwner();
    SteppedWorker started = new SteppedWorker(worker);
    workers.add(started);
    return started;
  }

  @Override
  public Signal newSignal() {
    return new SteppedSignal();
  }

  /** Steps so far: equal for equal seeds, if the code under test is deterministic. */
  public long stepCount() {
    return steps;
  }

  /** Names of the workers that would run if stepped. */
  public List<String> runnable() {
    return workers.stream().filter(SteppedWorker::runnable).map(w -> w.worker.name()).toList();
  }

  /**
   * Runs one step of one worker that was woken, or whose nap is over.
   *
   * @return false when there was none
   */
  public boolean step() {
    checkOwner();
    List<SteppedWorker> candidates = workers.stream().filter(SteppedWorker::runnable).toList();
    if (candidates.isEmpty()) {
      return false;
    }
    step(candidates.get(random.nextInt(candidates.size())));
    return true;
  }

  /** Steps until nobody has anything to do; time does not move. Returns the number of steps. */
  public int runUntilIdle() {
    int count = 0;
    while (step()) {
      count++;
      checkBound(count);
    }
    return count;
  }

  /** Steps until a condition of the test holds; time does not move. */
  public void runUntil(BooleanSupplier done) {
    int count = 0;
    while (!done.getAsBoolean()) {
      if (!step()) {
        throw new AssertionError("no worker has anything to do and the condition does not hold");
      }
      checkBound(++count);
    }
  }

  /** Lets time pass, running every worker whose nap ends on the way. */
  public void runForNanos(long nanos) {
    long end = clock.nanoTime() + nanos;
    runUntilIdle();
    while (nextNap() <= end) {
      advanceTo(nextNap());
      runUntilIdle();
    }
    advanceTo(end);
  }

  private void step(SteppedWorker chosen) {
    SteppedWorker outer = running;
    running = chosen;
    chosen.woken = false;
    chosen.napEnds = Signal.FOREVER;
    chosen.inStep = true;
    steps++;
    try {
      if (chosen.worker.doWork() > 0) {
        chosen.woken = true;
      } else {
        long nap = chosen.worker.napNanos();
        chosen.napEnds = nap == Signal.FOREVER ? nap : clock.nanoTime() + nap;
      }
    } catch (SimulatedCrash crash) {
      throw crash;
    } catch (AssertionError failedTest) {
      throw failedTest;
    } catch (RuntimeException | Error bug) {
      chosen.close();
      chosen.worker.failed(bug);
    } finally {
      chosen.inStep = false;
      running = outer;
    }
  }

  private long nextNap() {
    long next = Signal.FOREVER;
    for (SteppedWorker worker : workers) {
      if (!worker.inStep) {
        next = Math.min(next, worker.napEnds);
      }
    }
    return next;
  }

  private void advanceTo(long nanos) {
    clock.advanceNanos(Math.max(0, nanos - clock.nanoTime()));
  }

  private void checkBound(int count) {
    if (count > STEPS_MAX) {
      throw new AssertionError("live-lock: " + count + " steps, still " + runnable());
    }
  }

  private void checkOwner() {
    if (Thread.currentThread() != owner) {
      throw new AssertionError(
          "a stepped executor belongs to " + owner + ", called from " + Thread.currentThread());
    }
  }

  /**
   * A signal that wakes nobody, because nobody sleeps. Like a real waiter, a waiter here looks at
   * its condition at first, after each raise and when its time is over; a condition that came true
   * without a raise stays unseen, and is reported where a thread would hang.
   */
  private final class SteppedSignal implements Signal {
    private long raised;

    @Override
    public void raise() {
      raised++;
    }

    @Override
    public Outcome await(BooleanSupplier done, long timeoutNanos) {
      checkOwner();
      long deadline =
          timeoutNanos >= FOREVER - clock.nanoTime() ? FOREVER : clock.nanoTime() + timeoutNanos;
      waiters.addLast(running == null ? "the test" : "worker " + running.worker.name());
      try {
        return awaitUntil(done, deadline);
      } finally {
        waiters.removeLast();
      }
    }

    private Outcome awaitUntil(BooleanSupplier done, long deadline) {
      int count = 0;
      while (true) {
        long seen = raised;
        if (done.getAsBoolean()) {
          return Outcome.DONE;
        }
        if (Thread.currentThread().isInterrupted()) {
          return Outcome.INTERRUPTED;
        }
        if (clock.nanoTime() >= deadline) {
          return Outcome.TIMED_OUT;
        }
        while (raised == seen && clock.nanoTime() < deadline) {
          if (step()) {
            checkBound(++count);
          } else {
            long next = Math.min(deadline, nextNap());
            if (next == FOREVER) {
              throw deadlock(done);
            }
            advanceTo(next);
          }
        }
      }
    }

    private AssertionError deadlock(BooleanSupplier done) {
      List<String> idle = workers.stream().map(w -> w.worker.name()).toList();
      return new AssertionError(
          "deadlock: "
              + String.join(", in which waits ", waiters)
              + " waits for "
              + done.getClass().getName()
              + (done.getAsBoolean()
                  ? ", which holds, but nobody raised the signal"
                  : " and no worker has anything to do")
              + "; workers: "
              + idle);
    }
  }
}
