package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.ThreadWork;
import dev.varve.benchmarks.measure.Timings;
import dev.varve.benchmarks.measure.Work;
import dev.varve.common.env.Clock;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import site.ycsb.DBException;
import site.ycsb.Workload;

/**
 * One of YCSB's threads: does its share of the operations of a pass, as fast as the store takes
 * them. Its client is read by others once it has ended.
 */
final class YcsbWorker implements ThreadWork {
  private final YcsbClients clients;
  private final Pass pass;
  private final int number;
  private final Timings timings;
  private @Nullable CheckedClient client;

  /**
   * What all threads of a pass have in common.
   *
   * @param workload that of YCSB
   * @param properties of it
   * @param work what was asked
   */
  record Pass(Workload workload, Properties properties, Work work) {}

  /** The number-th thread of a pass. */
  YcsbWorker(YcsbClients clients, Pass pass, int number, Clock clock) {
    assert number >= 0 && number < pass.work().effort().threads() : number;
    this.clients = clients;
    this.pass = pass;
    this.number = number;
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
    Work.Effort effort = pass.work().effort();
    long operations = effort.from(number + 1) - effort.from(number);
    Workload workload = pass.workload();
    // CoreWorkload keeps nothing for a thread.
    timings.runAll(
        operations,
        Double.POSITIVE_INFINITY,
        pass.work().task().equals(YcsbRequest.LOAD)
            ? at -> workload.doInsert(opened, null)
            : at -> workload.doTransaction(opened, null));
    assert timings.done() == operations : timings.done();
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
