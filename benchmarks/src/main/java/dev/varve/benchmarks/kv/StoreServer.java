package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.Workload;
import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.ProcessCost;
import dev.varve.benchmarks.store.Store;
import dev.varve.benchmarks.store.StoreKind;
import dev.varve.benchmarks.store.StoreSettings;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** Answers the requests of a parent with one store. Confined to the main thread of a child. */
public final class StoreServer implements Workload<Request> {
  /** A store that warms up gets a small part of the memory, so that it flushes and merges, too. */
  private static final int WARM_UP_MEMORY_SHARE = 16;

  private final StoreOpener opener;
  private final FileSystem files;
  private final Clock clock;
  private final TaskExecutor executor;
  private @Nullable Store store;

  StoreServer(StoreOpener opener, FileSystem files, Clock clock, TaskExecutor executor) {
    this.opener = opener;
    this.files = files;
    this.clock = clock;
    this.executor = executor;
  }

  /** A server of all kinds of stores, and of the device itself. */
  public static StoreServer ofKinds(FileSystem files, Clock clock, TaskExecutor executor) {
    return new StoreServer(
        (label, settings) -> {
          if (label.equals(Contender.DEVICE.label())) {
            return DeviceFloor.open(files, settings.directory());
          }
          return Labelled.find(StoreKind.values(), label)
              .orElseThrow(() -> new BenchmarkException("no store is called " + label))
              .open(settings);
        },
        files,
        clock,
        executor);
  }

  @Override
  public Class<Request> requestType() {
    return Request.class;
  }

  @Override
  public boolean isLast(Request request) {
    return request.verb() == Request.Verb.CLOSE;
  }

  @Override
  public @Nullable Measurement answer(Request request, DoubleConsumer progress)
      throws BenchmarkException {
    try {
      return switch (request.verb()) {
        case OPEN -> open(request);
        case RUN ->
            new WorkRun(opened(), files, clock, executor)
                .run(Objects.requireNonNull(request.work()), progress);
        case CLOSE -> {
          opened().close();
          store = null;
          yield null;
        }
      };
    } catch (DiskException failure) {
      throw new BenchmarkException(String.valueOf(failure.getMessage()), failure);
    }
  }

  private Store opened() {
    return Objects.requireNonNull(store, "no store is open");
  }

  private Measurement open(Request request) throws BenchmarkException, DiskException {
    assert store == null : "one store a process";
    Work warmUp = request.work();
    if (warmUp != null) {
      warmUp(request, warmUp);
    }
    ProcessCost before = ProcessCost.now(files);
    long start = clock.nanoTime();
    Store opened =
        opener.open(
            Objects.requireNonNull(request.store()), Objects.requireNonNull(request.settings()));
    double seconds = (clock.nanoTime() - start) / 1e9;
    store = opened;
    return new Measurement(
        1,
        0,
        seconds,
        seconds,
        0,
        new Latency(1, List.of()),
        ProcessCost.now(files).since(before, 0, opened.figures().diskBytes()),
        List.of(),
        Measurement.Found.NOTHING);
  }

  /** Loads a store of the same kind beside the real one, with little memory, and deletes it. */
  private void warmUp(Request request, Work work) throws BenchmarkException, DiskException {
    StoreSettings real = Objects.requireNonNull(request.settings());
    Path directory = real.directory().resolveSibling(real.directory().getFileName() + "-warm-up");
    files.createDirectories(directory);
    StoreSettings settings =
        new StoreSettings(
            directory,
            real.durability(),
            real.cacheBytes(),
            Math.max(1 << 20, real.memoryBytes() / WARM_UP_MEMORY_SHARE),
            real.valueBytes());
    Store scratch = opener.open(Objects.requireNonNull(request.store()), settings);
    try {
      new WorkRun(scratch, files, clock, executor).run(work, share -> {});
    } finally {
      scratch.close();
    }
    ScratchFiles.delete(directory, files);
  }
}
