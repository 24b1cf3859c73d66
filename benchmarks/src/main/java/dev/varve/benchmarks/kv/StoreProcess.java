package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.kv.Request.Verb;
import dev.varve.benchmarks.store.Store;
import dev.varve.benchmarks.store.StoreException;
import dev.varve.benchmarks.store.StoreKind;
import dev.varve.benchmarks.store.StoreSettings;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import java.util.function.Consumer;

/** The main class of a child, which answers requests until one closes the store. */
public final class StoreProcess {
  private StoreProcess() {}

  /** Answers requests until one closes the store. */
  public static void main(String[] arguments) {
    assert arguments.length == 0;
    StoreServer server =
        new StoreServer(
            StoreProcess::open, new LocalFileSystem(), new SystemClock(), new ThreadTaskExecutor());
    ChildLoop.run(
        Request.class,
        new ChildLoop.Handler<>() {
          @Override
          public Answer answer(Request request, Consumer<Answer> progress) {
            return server.answer(request, progress);
          }

          @Override
          public boolean isLast(Request request) {
            return request.verb() == Verb.CLOSE;
          }
        });
  }

  private static Store open(String label, StoreSettings settings) throws StoreException {
    if (label.equals(Contender.DEVICE.label())) {
      return DeviceFloor.open(new LocalFileSystem(), settings.directory());
    }
    return StoreKind.ofLabel(label)
        .orElseThrow(() -> new StoreException("no store is called " + label))
        .open(settings);
  }
}
