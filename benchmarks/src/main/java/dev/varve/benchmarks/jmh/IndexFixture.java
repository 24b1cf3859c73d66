package dev.varve.benchmarks.jmh;

import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.BulkLoad;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.LsmIndexContext;
import dev.varve.common.index.LsmIndexOptions;
import dev.varve.common.index.WriteAheadLog;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.page.PageCache;
import dev.varve.scheduler.policy.NoMergePolicy;

/**
 * An LSM index with some disk components and nothing in memory, and a cache that holds all of it.
 * The spread keys are dealt out to the components in turn, so that a merge always goes on in
 * another one.
 */
final class IndexFixture implements AutoCloseable {
  private final Scratch scratch;
  private final LsmIndex<KeyRange> index;

  /** Builds the components and opens the index. */
  @SuppressWarnings("MustBeClosedChecker") // closed with this
  IndexFixture(int entries, int components) throws StorageException {
    this.scratch = new Scratch();
    LsmIndexContext context =
        new LsmIndexContext(
            scratch.files(),
            new PageCache(1L << 30),
            MaintenanceTask::cancel,
            new ThreadTaskExecutor(),
            WriteAheadLog.NONE,
            1,
            new Quarantine(scratch.files(), new SystemClock(), scratch.directory()));
    this.index =
        LsmIndex.open(
            scratch.directory(),
            new BTreeFormat(),
            LsmIndexOptions.defaults(1, new NoMergePolicy()),
            context);
    for (int component = 0; component < components; component++) {
      load(component, components, entries);
    }
  }

  private void load(int first, int step, int entries) throws StorageException {
    Entry entry = Keys.newEntry();
    try (BulkLoad<KeyRange> load = index.newBulkLoad()) {
      for (int i = first; i < entries; i += step) {
        Keys.spread(entry.key().bytes(), i, entries);
        load.add(entry);
      }
      load.finish(-1);
    }
  }

  LsmIndex<KeyRange> index() {
    return index;
  }

  @Override
  public void close() throws StorageException {
    index.close();
    scratch.close();
  }
}
