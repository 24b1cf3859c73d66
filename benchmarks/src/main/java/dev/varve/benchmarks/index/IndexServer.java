package dev.varve.benchmarks.index;

import dev.varve.benchmarks.kv.Answer;
import dev.varve.benchmarks.kv.ChildLoop;
import dev.varve.benchmarks.store.StoreException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers the requests of a parent with one store. Confined to the main thread of a child. */
public final class IndexServer implements ChildLoop.Handler<IndexRequest>, AutoCloseable {
  private final IndexBench.Opener opener;
  private @Nullable IndexBench bench;

  /** A server of what an opener opens. */
  public IndexServer(IndexBench.Opener opener) {
    this.opener = opener;
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // closed with the server
  public Answer answer(IndexRequest request, Consumer<Answer> progress) {
    try {
      IndexBench opened = bench;
      if (opened == null) {
        opened = opener.open(request);
        bench = opened;
      }
      return Answer.done(
          opened.run(
              request.phase(), request.round(), share -> progress.accept(Answer.progress(share))));
    } catch (StoreException failure) {
      failure.printStackTrace();
      return Answer.failed(String.valueOf(failure.getMessage()));
    }
  }

  @Override
  public void close() throws StoreException {
    if (bench != null) {
      bench.close();
      bench = null;
    }
  }
}
