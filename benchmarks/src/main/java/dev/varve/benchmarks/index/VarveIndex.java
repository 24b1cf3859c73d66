package dev.varve.benchmarks.index;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.store.DelayedFiles;
import dev.varve.benchmarks.store.DiskBytes;
import dev.varve.benchmarks.store.ReadDelay;
import dev.varve.benchmarks.store.StoreFigures;
import dev.varve.common.env.Clock;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.Signal;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.LsmIndexContext;
import dev.varve.common.index.LsmIndexOptions;
import dev.varve.common.index.MemoryComponent;
import dev.varve.common.index.WriteAheadLog;
import dev.varve.common.page.ComponentOptions;
import dev.varve.common.page.PageCache;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.service.MaintenanceContext;
import dev.varve.scheduler.service.MaintenanceListener;
import dev.varve.scheduler.service.MaintenanceOptions;
import dev.varve.scheduler.service.MaintenanceService;
import dev.varve.scheduler.service.TaskReport;
import java.nio.file.Path;

/**
 * One LSM index of the product with its cache and the stock maintenance, reached directly, past
 * transactions and log, as the micro-experiments of the paper do. Confined to one thread.
 *
 * @param <Q> the kind's search predicate
 */
public final class VarveIndex<Q> implements IndexStore {

  private final Path directory;
  private final PageCache cache;
  private final MaintenanceService maintenance;
  private final LsmIndex<Q> index;

  /** Leaves failures to the index, whose next flush or merge throws. */
  private static final class Silence implements MaintenanceListener {
    @Override
    public void finished(TaskReport task) {
      // Nobody asks.
    }

    @Override
    public void failed(TaskReport task, StorageException cause) {
      cause.printStackTrace();
    }

    @Override
    public void poisoned(Throwable cause) {
      cause.printStackTrace();
    }
  }

  private VarveIndex(
      Path directory, PageCache cache, MaintenanceService maintenance, LsmIndex<Q> index) {
    this.directory = directory;
    this.cache = cache;
    this.maintenance = maintenance;
    this.index = index;
  }

  /** The options in words. */
  public static String describe(IndexSettings.Budget budget, double filterRate) {
    return ("LSM index without log and transactions, page %d bytes, buffer cache %d bytes on the heap,"
            + " 2 memory components of %d bytes, %s, maintenance with its defaults (1 flush thread,"
            + " 1 merge thread), Bloom filters of %s, no compression, checksums on, components forced")
        .formatted(
            budget.pageBytes(),
            budget.memory().cacheBytes(),
            budget.memory().writeBytes() / 2,
            budget.mergePolicy(),
            filterRate);
  }

  /**
   * Opens an index in an empty directory; the caller closes it.
   *
   * @param filterRate of the Bloom filters
   * @param delay of each read
   */
  @SuppressWarnings("MustBeClosedChecker") // closed with this
  public static <Q> VarveIndex<Q> open(
      IndexSettings settings, ComponentFormat<Q> format, double filterRate, ReadDelay delay)
      throws BenchmarkException {
    IndexSettings.Budget budget = settings.budget();
    Clock clock = new SystemClock();
    TaskExecutor executor = new ThreadTaskExecutor();
    PageCache cache = new PageCache(budget.memory().cacheBytes());
    MaintenanceService maintenance =
        MaintenanceService.start(
            MaintenanceOptions.DEFAULTS,
            new MaintenanceContext(clock, executor, IoBudget.unlimited(), new Silence()));
    LsmIndexOptions options =
        new LsmIndexOptions(
            1,
            ComponentOptions.DEFAULTS.withPageBytes(budget.pageBytes()),
            filterRate,
            2,
            budget.memory().writeBytes() / 2,
            PolicyText.parse(budget.mergePolicy()));
    try {
      LsmIndex<Q> index =
          LsmIndex.open(
              settings.directory(),
              format,
              options,
              new LsmIndexContext(
                  new DelayedFiles(new LocalFileSystem(), delay),
                  cache,
                  maintenance,
                  executor,
                  WriteAheadLog.NONE,
                  1,
                  new Quarantine(new LocalFileSystem(), new SystemClock(), settings.directory())));
      return new VarveIndex<>(settings.directory(), cache, maintenance, index);
    } catch (StorageException e) {
      maintenance.close();
      throw new BenchmarkException("open", e);
    }
  }

  /** The index itself, for searches. */
  public LsmIndex<Q> lsm() {
    return index;
  }

  /** Puts an entry; waits while all memory components are full. */
  public void put(Entry entry) throws BenchmarkException {
    MemoryComponent<Q> component = index.tryEnter();
    while (component == null) {
      awaitRoom();
      component = index.tryEnter();
    }
    try {
      component.put(entry, 0);
    } finally {
      component.exit();
    }
  }

  private void awaitRoom() throws BenchmarkException {
    Signal.Outcome outcome =
        index
            .changed()
            .await(
                () -> index.state().canSeal() || index.state().flushFailure() != null,
                Signal.FOREVER);
    Throwable failure = index.state().flushFailure();
    if (failure != null) {
      throw new BenchmarkException("flush", failure);
    }
    if (outcome != Signal.Outcome.DONE) {
      throw new BenchmarkException("interrupted");
    }
  }

  @Override
  public void settle() throws BenchmarkException {
    try {
      index.flush();
    } catch (StorageException e) {
      throw new BenchmarkException("flush", e);
    }
    if (maintenance.awaitQuiet(Signal.FOREVER) != Signal.Outcome.DONE) {
      throw new BenchmarkException("merges did not come to an end");
    }
    if (maintenance.poison().isPresent()) {
      throw new BenchmarkException("a merge failed", maintenance.poison().get());
    }
  }

  @Override
  public void compact() throws BenchmarkException {
    try {
      index.compact();
    } catch (StorageException e) {
      throw new BenchmarkException("compact", e);
    }
  }

  @Override
  public StoreFigures figures() {
    return new StoreFigures(index.shape().components().size(), DiskBytes.below(directory));
  }

  @Override
  public long cacheMisses() {
    return cache.stats().misses();
  }

  @Override
  public void close() throws BenchmarkException {
    maintenance.finish();
    index.close();
  }
}
