package dev.varve.benchmarks.index;

import dev.varve.benchmarks.kv.BenchmarkException;
import dev.varve.benchmarks.kv.ChildJvm;
import dev.varve.benchmarks.kv.Measurement;
import dev.varve.common.env.TaskExecutor;
import java.nio.file.Path;
import java.util.function.DoubleConsumer;

/** A store in a JVM of its own. As confined as that JVM's handle. */
public final class IndexChild implements IndexLink {
  private final ChildJvm child;

  private IndexChild(ChildJvm child) {
    this.child = child;
  }

  /**
   * Starts children of a main class.
   *
   * @param main runs an {@link IndexServer}
   * @param logs directory of what they write to stderr
   */
  public static Starter starter(Class<?> main, Path logs, TaskExecutor executor) {
    return contender ->
        new IndexChild(
            ChildJvm.start(
                new ChildJvm.Start(
                    contender.label(),
                    main,
                    contender.jvmArguments(),
                    logs.resolve(contender.label() + ".log")),
                executor));
  }

  @Override
  public Measurement ask(IndexRequest request, double seconds, DoubleConsumer progress)
      throws BenchmarkException {
    Measurement measured = child.ask(request, seconds, progress);
    if (measured == null) {
      throw new BenchmarkException("a child measured nothing in " + request.phase());
    }
    return measured;
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
