package dev.varve.benchmarks;

import dev.varve.benchmarks.adoc.AdocServer;
import dev.varve.benchmarks.child.ChildJvm;
import dev.varve.benchmarks.child.ChildLoop;
import dev.varve.benchmarks.child.ChildStarter;
import dev.varve.benchmarks.child.Workload;
import dev.varve.benchmarks.index.IndexServer;
import dev.varve.benchmarks.kv.StoreServer;
import dev.varve.benchmarks.reproduce.TreeBench;
import dev.varve.benchmarks.secondary.FigureServer;
import dev.varve.benchmarks.secondary.SecondaryBench;
import dev.varve.benchmarks.spatial.SpatialBench;
import dev.varve.benchmarks.sustainable.PhaseServer;
import dev.varve.benchmarks.text.TextBench;
import dev.varve.benchmarks.transfer.TransferServer;
import dev.varve.benchmarks.ycsb.YcsbServer;
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
    /** Strategies for secondary indexes. */
    SECONDARY,
    /** R-trees of the paper's experiments. */
    TREES,
    /** YCSB's workloads. */
    YCSB,
    /** Transfers. */
    TRANSFER,
    /** A phase of the two-phase evaluation. */
    PHASE,
    /** A phase with secondary indexes. */
    FIGURE,
    /** A tuner. */
    ADOC
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
      case SECONDARY -> new IndexServer(request -> SecondaryBench.open(request, files, clock));
      case TREES -> new IndexServer(request -> TreeBench.open(request, files, clock));
      case YCSB -> new YcsbServer(files, clock, new ThreadTaskExecutor());
      case TRANSFER -> new TransferServer(files, clock, new ThreadTaskExecutor());
      case ADOC -> new AdocServer(files, clock, new ThreadTaskExecutor());
      case FIGURE -> new FigureServer(files, clock, new ThreadTaskExecutor());
      case PHASE -> new PhaseServer(files, clock, new ThreadTaskExecutor());
    };
  }

  /** Starts children of a kind; what they write to stderr goes into files of a directory. */
  public static ChildStarter starter(Kind kind, Path logs, TaskExecutor executor) {
    return (name, jvmArguments) ->
        ChildJvm.start(
            BenchProcess.class,
            kind.name(),
            new ChildJvm.Start(name, jvmArguments, logs.resolve(name + ".log")),
            executor);
  }
}
