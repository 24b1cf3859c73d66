package dev.varve.benchmarks.transfer;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.Workload;
import dev.varve.benchmarks.measure.Crew;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Found;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.ProcessCost;
import dev.varve.benchmarks.measure.ThreadWork;
import dev.varve.benchmarks.measure.Timings;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.store.AccountStore;
import dev.varve.benchmarks.store.DiskBytes;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Transfers and sums in one store. Confined to the main thread of a child. */
public final class TransferServer implements Workload<TransferRequest> {
  /** Accounts that a transaction holds beside readers. */
  static final int HELD = 1_000;

  private static final long BALANCE = 1_000;
  private static final long SEED = 42;

  private final FileSystem files;
  private final Clock clock;
  private final TaskExecutor executor;
  private @Nullable AccountStore store;

  /** A server over these seams. */
  public TransferServer(FileSystem files, Clock clock, TaskExecutor executor) {
    this.files = files;
    this.clock = clock;
    this.executor = executor;
  }

  @Override
  public Class<TransferRequest> requestType() {
    return TransferRequest.class;
  }

  @Override
  public boolean isLast(TransferRequest request) {
    return request.work() == null;
  }

  @Override
  public TransferRequest.@Nullable Answer answer(TransferRequest request, DoubleConsumer progress)
      throws BenchmarkException {
    Work work = request.work();
    if (work == null) {
      if (store != null) {
        store.close();
        store = null;
      }
      return null;
    }
    AccountStore opened = store;
    if (opened == null) {
      opened = request.store().open(request.settings());
      store = opened;
      opened.load(work.records().count(), BALANCE);
    }
    return new Phase(opened, request, work).run(progress);
  }

  /** What the threads of a phase share. */
  private final class Phase {
    private final AccountStore opened;
    private final TransferRequest request;
    private final long accounts;
    private final Work.Effort effort;
    private final AtomicInteger working = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong sums = new AtomicLong();
    private final AtomicLong torn = new AtomicLong();

    Phase(AccountStore opened, TransferRequest request, Work work) {
      this.opened = opened;
      this.request = request;
      this.accounts = work.records().count();
      this.effort = work.effort();
    }

    TransferRequest.Answer run(DoubleConsumer progress) throws BenchmarkException {
      if (request.held() == 0) {
        return measure(progress);
      }
      AccountStore.Held held = opened.hold(LongStream.range(0, request.held()).toArray());
      try (held) {
        return measure(progress);
      }
    }

    private TransferRequest.Answer measure(DoubleConsumer progress) throws BenchmarkException {
      List<ThreadWork> works = new ArrayList<>();
      for (int thread = 0; thread < effort.threads(); thread++) {
        SplittableRandom random = new SplittableRandom(SEED + thread);
        works.add(new Member(timings -> doAll(timings, random)));
      }
      working.set(effort.threads());
      works.add(new Member(this::sumAll));
      ProcessCost before = ProcessCost.now(files);
      long begun = clock.nanoTime();
      Crew.Taken taken =
          Crew.run(
              "transfers",
              works,
              executor,
              done ->
                  progress.accept(
                      Math.min(1, (clock.nanoTime() - begun) / 1e9 / effort.seconds())));
      double seconds = (taken.endNanos() - taken.startNanos()) / 1e9;
      Measurement measurement =
          new Measurement(
              taken.operations(),
              taken.operations() * Math.max(1, request.perTransaction()) * 2 * Long.BYTES,
              seconds,
              seconds,
              torn.get(),
              Latency.of(taken.nanos(), 1),
              ProcessCost.now(files)
                  .since(
                      before,
                      taken.allocatedBytes(),
                      DiskBytes.below(request.settings().directory())),
              List.of(),
              new Found(sums.get(), 0, 0));
      return new TransferRequest.Answer(measurement, refused.get());
    }

    private void doAll(Timings timings, SplittableRandom random) throws BenchmarkException {
      Timings.Operation operation =
          request.perTransaction() == 0 ? number -> read(random) : number -> transfer(random);
      try {
        timings.runAll(Long.MAX_VALUE, effort.seconds(), operation);
      } finally {
        working.decrementAndGet();
      }
    }

    /** Every second read is of a record that may be held. */
    private void read(SplittableRandom random) throws BenchmarkException {
      opened.balance(random.nextLong(random.nextBoolean() ? HELD : accounts));
    }

    private void transfer(SplittableRandom random) throws BenchmarkException {
      long[] chosen =
          random.longs(0, accounts).distinct().limit(request.perTransaction()).sorted().toArray();
      while (!opened.transfer(chosen)) {
        refused.incrementAndGet();
      }
    }

    private void sumAll(Timings timings) throws BenchmarkException {
      timings.start();
      while (working.get() > 0) {
        long sum = opened.sum();
        sums.incrementAndGet();
        if (sum != accounts * BALANCE) {
          torn.incrementAndGet();
        }
      }
      timings.end();
    }
  }

  /** What a thread does with its timings. */
  @FunctionalInterface
  private interface Body {
    void run(Timings timings) throws BenchmarkException;
  }

  /** A thread. */
  private final class Member implements ThreadWork {
    private final Timings timings = new Timings(clock);
    private final Body body;

    Member(Body body) {
      this.body = body;
    }

    @Override
    public void run() throws BenchmarkException {
      body.run(timings);
    }

    @Override
    public Timings timings() {
      return timings;
    }
  }
}
