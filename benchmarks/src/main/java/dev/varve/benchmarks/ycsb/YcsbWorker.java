package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.store.StoreException;
import dev.varve.common.env.Clock;
import dev.varve.common.env.Signal;
import dev.varve.common.env.Worker;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import site.ycsb.DBException;
import site.ycsb.Workload;

/**
 * One of YCSB's threads: does its share of the operations of a pass, as fast as the store takes
 * them, and keeps how long each took. Its fields are read by others once {@link #ended}; the count
 * at any time.
 */
final class YcsbWorker implements Worker {
  private static final long HIGHEST_NANOS = 600_000_000_000L;

  private final YcsbClients clients;
  private final Pass pass;
  private final int number;
  private final Clock clock;
  private final Signal progressed;
  private final Histogram histogram = new Histogram(HIGHEST_NANOS, 3);
  private final AtomicLong done = new AtomicLong();
  private @Nullable CheckedClient client;
  private long startNanos;
  private long endNanos;
  private @Nullable Throwable failure;
  private volatile boolean ended;

  /**
   * What all threads of a pass have in common.
   *
   * @param workload that of YCSB
   * @param properties of it
   * @param work what was asked
   */
  record Pass(Workload workload, Properties properties, YcsbRequest.Work work) {}

  /** The number-th thread of a pass. */
  YcsbWorker(YcsbClients clients, Pass pass, int number, Clock clock, Signal progressed) {
    assert number >= 0 && number < pass.work().threads() : number;
    this.clients = clients;
    this.pass = pass;
    this.number = number;
    this.clock = clock;
    this.progressed = progressed;
  }

  @Override
  public String name() {
    return "ycsb-" + number;
  }

  @Override
  public int doWork() {
    if (ended) {
      return 0;
    }
    try {
      CheckedClient opened = new CheckedClient(clients.client(pass.properties()));
      client = opened;
      try {
        operate(opened);
      } finally {
        opened.cleanup();
      }
    } catch (StoreException | DBException problem) {
      failure = problem;
    }
    ended = true;
    progressed.raise();
    return 0;
  }

  private void operate(CheckedClient opened) {
    YcsbRequest.Work work = pass.work();
    long operations = work.operations() / work.threads();
    if (number < work.operations() % work.threads()) {
      operations++;
    }
    startNanos = clock.nanoTime();
    long last = startNanos;
    for (long at = 0; at < operations; at++) {
      // CoreWorkload keeps nothing for a thread.
      if (work.workload() == null) {
        pass.workload().doInsert(opened, null);
      } else {
        pass.workload().doTransaction(opened, null);
      }
      long now = clock.nanoTime();
      histogram.recordValue(Math.min(now - last, HIGHEST_NANOS));
      last = now;
      done.setOpaque(at + 1);
    }
    assert done.get() == operations : done;
    endNanos = last;
  }

  @Override
  public void failed(Throwable cause) {
    failure = cause;
    ended = true;
    progressed.raise();
  }

  /** Whether nothing more will happen. */
  boolean ended() {
    return ended;
  }

  /** Operations so far. */
  long done() {
    return done.getOpaque();
  }

  long startNanos() {
    return startNanos;
  }

  long endNanos() {
    return endNanos;
  }

  Histogram histogram() {
    return histogram;
  }

  /** Its client; null when it got none. */
  @Nullable CheckedClient client() {
    return client;
  }

  /** What ended it before its time. */
  @Nullable Throwable failure() {
    return failure;
  }
}
