package dev.varve.invertedindex;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.LsmIndexContext;
import dev.varve.common.index.LsmIndexOptions;
import dev.varve.common.index.MemoryComponent;
import dev.varve.common.index.WriteAheadLog;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.page.PageCache;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.Tokenizer;
import java.nio.file.Path;
import java.util.List;

/** An inverted LSM index whose log is in the test's hands; flushes and merges run at once. */
final class TextIndexFixture implements AutoCloseable {
  private static final int PAGE_SIZE = 4096;

  final LsmIndex<TextQuery> index;
  private long endLsn;

  /** What is done between the steps of flushes and merges. */
  Inspection inspection = () -> {};

  /** Looks at an index whose content does not change. */
  interface Inspection {
    void look() throws StorageException;
  }

  /** Decides what is merged when; a run of component positions, or null to wait. */
  int[] mergeRun;

  TextIndexFixture(Path directory, FileSystem files, PageCache cache, Tokenizer tokenizer)
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
    LsmIndexOptions options =
        new LsmIndexOptions(7, PAGE_SIZE, 0, 3, 1 << 20, 1 << 20, new RunPolicy());
    index =
        LsmIndex.open(
            directory.resolve("index"),
            new InvertedFormat(tokenizer),
            options,
            new LsmIndexContext(files, cache, this::run, new ThreadTaskExecutor(), log, 42));
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
      int[] run = mergeRun;
      mergeRun = null;
      List<ComponentId> ids = shape.components().stream().map(ComponentStats::id).toList();
      return run == null || ids.size() < run[1]
          ? new MergeDecision.Wait()
          : new MergeDecision.Merge(ids.subList(run[0], run[1]));
    }

    @Override
    public String describe() {
      return "the test's";
    }
  }

  /** Merges the components from one position to another, exclusive, if there are so many. */
  void merge(int from, int to) {
    mergeRun = new int[] {from, to};
    index.scheduleMerges();
  }

  void write(Entry entry) throws StorageException {
    MemoryComponent<TextQuery> component = index.tryEnter();
    if (component == null) {
      index.flush();
      component = index.tryEnter();
    }
    component.put(entry, endLsn);
    endLsn += 40;
    component.exit();
  }

  int componentCount() {
    return index.shape().components().size();
  }

  @Override
  public void close() throws StorageException {
    index.verify();
    index.close();
  }
}
