package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildJvm;
import dev.varve.benchmarks.child.ChildLink;
import dev.varve.benchmarks.child.ChildLoop;
import dev.varve.benchmarks.child.Workload;
import dev.varve.benchmarks.index.IndexComparison;
import dev.varve.benchmarks.index.IndexServer;
import dev.varve.benchmarks.kv.Comparison;
import dev.varve.benchmarks.kv.StoreServer;
import dev.varve.benchmarks.reproduce.TreeBench;
import dev.varve.benchmarks.spatial.SpatialBench;
import dev.varve.benchmarks.sustainable.PhaseRunner;
import dev.varve.benchmarks.sustainable.PhaseServer;
import dev.varve.benchmarks.sustainable.TwoPhaseRun;
import dev.varve.benchmarks.text.TextBench;
import dev.varve.benchmarks.ycsb.YcsbComparison;
import dev.varve.benchmarks.ycsb.YcsbServer;
import dev.varve.benchmarks.ycsb.YcsbSettings;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.ThreadTaskExecutor;
import java.nio.file.Path;

/** The main class of every child, and how comparisons start it. Thread-safe: no state. */
public final class BenchProcess {
  private BenchProcess() {}

  /** What a child does. */
  public enum Kind {
    /** Key-value stores. */
    KV,
    /** Spatial indexes. */
    SPATIAL,
    /** Inverted indexes. */
    TEXT,
    /** R-trees of the paper's experiments. */
    TREES,
    /** YCSB's workloads. */
    YCSB,
    /** A phase of the two-phase evaluation. */
    PHASE
  }

  /** Answers requests about what the one argument names, until the parent ends. */
  public static void main(String[] arguments) {
    ChildLoop.run(workload(Kind.valueOf(arguments[0])));
  }

  private static Workload<?> workload(Kind kind) {
    FileSystem files = new LocalFileSystem();
    Clock clock = new SystemClock();
    return switch (kind) {
      case KV -> StoreServer.ofKinds(files, clock, new ThreadTaskExecutor());
      case SPATIAL -> new IndexServer(request -> SpatialBench.open(request, files, clock));
      case TEXT -> new IndexServer(request -> TextBench.open(request, files, clock));
      case TREES -> new IndexServer(request -> TreeBench.open(request, files, clock));
      case YCSB -> new YcsbServer(files, clock, new ThreadTaskExecutor());
      case PHASE -> new PhaseServer(files, clock, new ThreadTaskExecutor());
    };
  }

  private static ChildLink start(Kind kind, ChildJvm.Start start, TaskExecutor executor)
      throws BenchmarkException {
    return ChildJvm.start(BenchProcess.class, kind.name(), start, executor);
  }

  /** Starts key-value stores; what they write to stderr goes into files of a directory. */
  public static Comparison.Starter stores(Path logs, TaskExecutor executor) {
    return (contender, settings) -> {
      Path log = logs.resolve(settings.directory().getFileName() + ".log");
      return start(
          Kind.KV,
          new ChildJvm.Start(contender.label(), contender.jvmArguments(settings), log),
          executor);
    };
  }

  /** Starts indexes of a kind; what they write to stderr goes into files of a directory. */
  static IndexComparison.Starter indexes(Kind kind, Path logs, TaskExecutor executor) {
    return contender -> {
      Path log = logs.resolve(contender.label() + ".log");
      return start(
          kind, new ChildJvm.Start(contender.label(), contender.jvmArguments(), log), executor);
    };
  }

  /** Starts stores under YCSB; what they write to stderr goes into files of a directory. */
  static YcsbComparison.Starter ycsb(YcsbSettings settings, Path logs, TaskExecutor executor) {
    return store -> {
      Path log = logs.resolve(store.label() + ".log");
      return start(
          Kind.YCSB, new ChildJvm.Start(store.label(), settings.jvmArguments(), log), executor);
    };
  }

  /**
   * Runs each phase of the two-phase evaluation in a process of its own.
   *
   * @param directory where their files are
   * @param log where what they write to stderr goes
   */
  public static PhaseRunner phases(Path directory, Path log, TaskExecutor executor) {
    return TwoPhaseRun.inProcesses(
        arguments -> start(Kind.PHASE, new ChildJvm.Start("the node", arguments, log), executor),
        directory);
  }
}
