package dev.varve.benchmarks.index;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.Workload;
import dev.varve.benchmarks.measure.Measurement;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** Answers the requests of a parent with one store. Confined to the main thread of a child. */
public final class IndexServer implements Workload<IndexRequest>, AutoCloseable {
  private final IndexBench.Opener opener;
  private @Nullable IndexBench bench;

  /** A server of what an opener opens. */
  public IndexServer(IndexBench.Opener opener) {
    this.opener = opener;
  }

  @Override
  public Class<IndexRequest> requestType() {
    return IndexRequest.class;
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // closed with the server
  public Measurement answer(IndexRequest request, DoubleConsumer progress)
      throws BenchmarkException {
    IndexBench opened = bench;
    if (opened == null) {
      opened = opener.open(request);
      bench = opened;
    }
    return opened.run(request.work(), progress);
  }

  @Override
  public void close() throws BenchmarkException {
    if (bench != null) {
      bench.close();
      bench = null;
    }
  }
}
