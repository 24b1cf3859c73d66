package dev.varve.benchmarks.sustainable;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.Workload;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;
import dev.varve.dataset.EngineSeams;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.function.DoubleConsumer;

/** Runs one phase for a parent. Confined to the main thread of a child. */
public final class PhaseServer implements Workload<PhaseServer.Job> {
  private final FileSystem files;
  private final Clock clock;
  private final TaskExecutor executor;

  /**
   * What the parent asks.
   *
   * @param request the phase
   * @param directory where its files are
   */
  record Job(PhaseRequest request, Path directory) {}

  /** A server over these seams. */
  public PhaseServer(FileSystem files, Clock clock, TaskExecutor executor) {
    this.files = files;
    this.clock = clock;
    this.executor = executor;
  }

  @Override
  public Class<Job> requestType() {
    return Job.class;
  }

  @Override
  public PhaseOutcome answer(Job job, DoubleConsumer progress) throws BenchmarkException {
    assert job.directory().isAbsolute() : job.directory();
    EngineSeams seams =
        new EngineSeams(files, clock, executor, new SplittableRandom(job.request().scale().seed()));
    return new PhaseWork(seams, job.directory(), Double.POSITIVE_INFINITY).run(job.request());
  }

  @Override
  public boolean isLast(Job job) {
    return true;
  }
}
