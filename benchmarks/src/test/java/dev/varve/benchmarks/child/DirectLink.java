package dev.varve.benchmarks.child;

import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A workload in this process instead of a child; requests and answers go through JSON all the same.
 *
 * @param <Q> the record that a request is
 */
public final class DirectLink<Q> implements ChildLink {
  private final Workload<Q> workload;

  /** A link to a workload, which stays the caller's. */
  public DirectLink(Workload<Q> workload) {
    this.workload = workload;
  }

  @Override
  public <R> @Nullable R ask(
      Object request, Class<R> result, double seconds, DoubleConsumer progress)
      throws BenchmarkException {
    Q read = Wire.read(Wire.write(request), workload.requestType());
    Object said = workload.answer(read, progress);
    if (said == null) {
      return null;
    }
    R back = Wire.read(Wire.write(said), result);
    if (!said.equals(back)) {
      throw new AssertionError(said + " came back as " + back);
    }
    return back;
  }

  @Override
  public void kill() {}

  @Override
  public void close() {}
}
