package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.ThreadWork;
import dev.varve.benchmarks.measure.Timings;
import dev.varve.benchmarks.measure.Work;
import dev.varve.common.env.Clock;
import dev.varve.common.env.Signal;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import site.ycsb.DBException;
import site.ycsb.Workload;

/**
 * One of YCSB's threads: does its share of the operations of a pass, as fast as the store takes
 * them or as they arrive. Its client is read by others once it has ended.
 */
final class YcsbWorker implements ThreadWork {
  private final YcsbClients clients;
  private final Pass pass;
  private final int number;
  private final Clock clock;
  private final Timings timings;
  private @Nullable CheckedClient client;

  /**
   * What all threads of a pass have in common.
   *
   * @param workload that of YCSB
   * @param properties of it
   * @param paced what was asked
   * @param pause on which its threads await the next arrival
   */
  record Pass(Workload workload, Properties properties, YcsbRequest.Paced paced, Signal pause) {
    Work.Effort effort() {
      return paced.work().effort();
    }
  }

  /** The number-th thread of a pass. */
  YcsbWorker(YcsbClients clients, Pass pass, int number, Clock clock) {
    assert number >= 0 && number < pass.effort().threads() : number;
    this.clients = clients;
    this.pass = pass;
    this.number = number;
    this.clock = clock;
    this.timings = new Timings(clock);
  }

  @Override
  public void run() throws BenchmarkException {
    try {
      CheckedClient opened = new CheckedClient(clients.client(pass.properties()));
      client = opened;
      try {
        operate(opened);
      } finally {
        opened.cleanup();
      }
    } catch (DBException problem) {
      throw new BenchmarkException(String.valueOf(problem.getMessage()), problem);
    }
  }

  private void operate(CheckedClient opened) throws BenchmarkException {
    Work.Effort effort = pass.effort();
    long operations = effort.from(number + 1) - effort.from(number);
    Workload workload = pass.workload();
    // CoreWorkload keeps nothing for a thread.
    Timings.Operation operation =
        pass.paced().work().task().equals(YcsbRequest.LOAD)
            ? at -> workload.doInsert(opened, null)
            : at -> workload.doTransaction(opened, null);
    if (pass.paced().perSecond() == 0) {
      timings.runAll(operations, Double.POSITIVE_INFINITY, operation);
    } else {
      runAsTheyArrive(operations, operation);
    }
    assert timings.done() == operations : timings.done();
  }

  /** Times each from its arrival on, so that its time in the queue counts. */
  private void runAsTheyArrive(long operations, Timings.Operation operation)
      throws BenchmarkException {
    double gapNanos = 1e9 / pass.paced().perSecond();
    int threads = pass.effort().threads();
    long begun = timings.start();
    for (long at = 0; at < operations; at++) {
      long arrival = begun + (long) ((at * threads + number) * gapNanos);
      for (long now = clock.nanoTime(); now < arrival; now = clock.nanoTime()) {
        rest(arrival - now);
      }
      operation.run(at);
      timings.record(clock.nanoTime() - arrival);
      timings.done(at + 1);
    }
    timings.end();
  }

  private void rest(long nanos) throws BenchmarkException {
    if (pass.pause().await(() -> false, nanos) == Signal.Outcome.INTERRUPTED) {
      throw new BenchmarkException("interrupted");
    }
  }

  @Override
  public Timings timings() {
    return timings;
  }

  /** Its client, when it has run. */
  CheckedClient client() {
    return Objects.requireNonNull(client);
  }
}
