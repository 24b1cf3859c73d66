package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.store.StoreSettings;
import dev.varve.common.env.TaskExecutor;
import java.nio.file.Path;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** A JVM of its own that runs {@link StoreProcess}. As confined as that JVM's handle. */
final class ChildProcess implements StoreLink {
  private final ChildJvm child;

  private ChildProcess(ChildJvm child) {
    this.child = child;
  }

  /** Starts a child; what it writes to stderr goes into a file in a directory for that. */
  static ChildProcess start(
      Contender contender, StoreSettings settings, Path logs, TaskExecutor executor)
      throws BenchmarkException {
    Path log = logs.resolve(settings.directory().getFileName() + ".log");
    return new ChildProcess(
        ChildJvm.start(
            new ChildJvm.Start(
                contender.label(), StoreProcess.class, contender.jvmArguments(settings), log),
            executor));
  }

  @Override
  public @Nullable Measurement ask(Request request, double seconds, DoubleConsumer progress)
      throws BenchmarkException {
    return child.ask(request, seconds, progress);
  }

  @Override
  public void kill() {
    child.kill();
  }

  @Override
  public void close() {
    child.close();
  }
}
