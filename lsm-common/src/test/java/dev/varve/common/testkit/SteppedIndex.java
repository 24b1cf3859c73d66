package dev.varve.common.testkit;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.LsmIndexContext;
import dev.varve.common.index.LsmIndexOptions;
import dev.varve.common.index.MemoryComponent;
import dev.varve.common.index.WriteAheadLog;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.page.ComponentOptions;
import dev.varve.common.page.PageCache;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An LSM index of any kind whose log is in the test's hands. Flushes and merges run at once, and
 * the test may look at the index between their steps. Confined to one thread.
 *
 * @param <Q> the kind's search predicate
 */
public final class SteppedIndex<Q> implements AutoCloseable {
  private static final int PAGE_SIZE = 4096;

  /** Of the filters over deleted keys; a kind with antimatter is given none. */
  private static final double FALSE_POSITIVES = 0.01;

  private final LsmIndex<Q> index;
  private Inspection inspection = () -> {};
  private long endLsn;

  /** What is merged next: positions from the oldest, the second exclusive; null for nothing. */
  private int @Nullable [] run;

  /** Looks at an index whose content does not change. */
  @FunctionalInterface
  public interface Inspection {
    /** Looks. */
    void look() throws StorageException;
  }

  /** Opens the index that lies below a directory. */
  @SuppressWarnings("MustBeClosedChecker") // closed with this
  public SteppedIndex(Path directory, FileSystem files, PageCache cache, ComponentFormat<Q> format)
      throws StorageException {
    WriteAheadLog log =
        new WriteAheadLog() {
          @Override
          public long endLsn() {
            return endLsn;
          }

          @Override
          public void force() {
            // Nothing is kept of this log.
          }
        };
    double rate = format.deletedKeys() == null ? 0 : FALSE_POSITIVES;
    this.index =
        LsmIndex.open(
            directory.resolve("index"),
            format,
            new LsmIndexOptions(
                7,
                new ComponentOptions(
                    PAGE_SIZE, 0, 0, 1 << 20, new ComponentOptions.DirectIo(1, false), 0),
                rate,
                3,
                1 << 20,
                new RunPolicy()),
            new LsmIndexContext(
                files,
                cache,
                this::run,
                new ThreadTaskExecutor(),
                log,
                42,
                new Quarantine(files, new SystemClock(), directory)));
  }

  private void run(MaintenanceTask task) {
    try {
      while (!task.done()) {
        task.step(PAGE_SIZE);
        inspection.look();
      }
    } catch (StorageException e) {
      throw new AssertionError(e);
    }
  }

  private final class RunPolicy implements MergePolicy {
    @Override
    public MergeDecision decide(IndexShape shape) {
      int[] wanted = run;
      run = null;
      List<ComponentId> ids = shape.components().stream().map(ComponentStats::id).toList();
      return wanted == null || ids.size() < wanted[1]
          ? new MergeDecision.Wait()
          : new MergeDecision.Merge(ids.subList(wanted[0], wanted[1]));
    }

    @Override
    public String describe() {
      return "the test's";
    }
  }

  /** The index. */
  public LsmIndex<Q> index() {
    return index;
  }

  /** Merges the components from one position to another, exclusive, if there are so many. */
  public void merge(int from, int to) {
    run = new int[] {from, to};
    index.scheduleMerges();
  }

  /** Flushes, and perhaps merges any run; the test looks now and then between the steps. */
  public void maintain(RandomGenerator random, Inspection look) throws StorageException {
    inspection =
        () -> {
          if (random.nextInt(10) == 0) {
            look.look();
          }
        };
    index.flush();
    int count = componentCount();
    if (random.nextInt(2) == 0 && count > 1) {
      int to = random.nextInt(2, count + 1);
      merge(random.nextInt(to - 1), to);
    }
    inspection = () -> {};
  }

  /** Puts an entry; flushes before when memory is full. */
  public void write(Entry entry) throws StorageException {
    MemoryComponent<Q> component = index.tryEnter();
    if (component == null) {
      index.flush();
      component = index.tryEnter();
    }
    component.put(entry, endLsn);
    endLsn += 40;
    component.exit();
  }

  /** How many components are on disk. */
  public int componentCount() {
    return index.shape().components().size();
  }

  @Override
  public void close() throws StorageException {
    index.contents().verify();
    index.close();
  }
}
