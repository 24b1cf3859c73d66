package dev.varve.benchmarks.text;

import dev.varve.benchmarks.index.IndexRequest;
import dev.varve.benchmarks.index.IndexServer;
import dev.varve.benchmarks.kv.ChildLoop;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;

/** The main class of a child, which ends when its parent does. */
public final class TextProcess {
  private TextProcess() {}

  /** Answers requests. */
  public static void main(String[] arguments) {
    assert arguments.length == 0;
    ChildLoop.run(
        IndexRequest.class,
        new IndexServer(
            request -> TextBench.open(request, new LocalFileSystem(), new SystemClock())));
  }
}
