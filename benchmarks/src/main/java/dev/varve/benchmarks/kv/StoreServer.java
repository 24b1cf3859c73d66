package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.Workload;
import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.ProcessCost;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.store.Store;
import dev.varve.benchmarks.store.StoreKind;
import dev.varve.benchmarks.store.StoreMemory;
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
  private @Nullable WorkRun run;

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
    return request.opening() == null && request.work() == null;
  }

  @Override
  public @Nullable Measurement answer(Request request, DoubleConsumer progress)
      throws BenchmarkException {
    Request.Opening opening = request.opening();
    Work work = request.work();
    try {
      if (opening != null) {
        return open(opening, work);
      }
      WorkRun opened = Objects.requireNonNull(run, "no store is open");
      if (work != null) {
        return opened.run(work, progress);
      }
      opened.store().close();
      run = null;
      return null;
    } catch (DiskException failure) {
      throw new BenchmarkException(String.valueOf(failure.getMessage()), failure);
    }
  }

  private Measurement open(Request.Opening opening, @Nullable Work warmUp)
      throws BenchmarkException, DiskException {
    assert run == null : "one store a process";
    Records records = new Records(opening.order(), opening.seed());
    if (warmUp != null) {
      warmUp(opening, records, warmUp);
    }
    ProcessCost before = ProcessCost.now(files);
    long start = clock.nanoTime();
    Store opened = opener.open(opening.store(), opening.settings());
    double seconds = (clock.nanoTime() - start) / 1e9;
    run = run(opened, records, opening.settings());
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

  private WorkRun run(Store store, Records records, StoreSettings settings) {
    return new WorkRun(
        new WorkRun.Subject(store, records, settings.valueBytes()), files, clock, executor);
  }

  /** Loads a store of the same kind beside the real one, with little memory, and deletes it. */
  private void warmUp(Request.Opening opening, Records records, Work work)
      throws BenchmarkException, DiskException {
    StoreSettings real = opening.settings();
    Path directory = real.directory().resolveSibling(real.directory().getFileName() + "-warm-up");
    files.createDirectories(directory);
    long writeBytes = Math.max(1 << 20, real.memory().writeBytes() / WARM_UP_MEMORY_SHARE);
    StoreSettings settings =
        new StoreSettings(
            directory,
            real.durability(),
            new StoreMemory(real.memory().cacheBytes(), writeBytes),
            real.valueBytes());
    Store scratch = opener.open(opening.store(), settings);
    try {
      run(scratch, records, settings).run(work, share -> {});
    } finally {
      scratch.close();
    }
    ScratchFiles.delete(directory, files);
  }
}
