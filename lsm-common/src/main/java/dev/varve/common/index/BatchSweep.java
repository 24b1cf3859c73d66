package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.disk.KeyRun;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.LookupBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One sweep over the disk components of an index, newest first, for the keys of a batch: each
 * component is asked at once for all keys that no newer one was found to have and that its filter
 * lets through (Efficient Data Ingestion and Query Processing for LSM-Based Storage Systems,
 * section 3.2). Confined to one lookup, whose caller holds the components.
 */
final class BatchSweep<Q> {
  /** In the place of a position among the components of level 0, for one that is not. */
  private static final int NO_FLUSHED = -1;

  /** What filters that speak for several components say of one. */
  @FunctionalInterface
  interface Shared {
    /** Whether a component of level 0 may hold a key with a hash. */
    boolean mayHold(int component, long hash);
  }

  private final Shared shared;
  private final LookupBatch batch;
  private final Slice key = new Slice();

  /** Filters that were asked for a key, and that ruled it out. */
  private int probed;

  private int skipped;

  /** Whether filters are asked: not those of the oldest components for keys that must be there. */
  private boolean filtered = true;

  BatchSweep(Shared shared, LookupBatch batch) {
    this.shared = shared;
    this.batch = batch;
  }

  /** Asks disk components, newest first, and counts what filters spared. */
  void run(DiskComponents<Q> disk, ProbeCounters counters) throws StorageException {
    try {
      List<DiskComponent<Q>> flushed = disk.flushed();
      // Under a manifest a deletion may go down past an older component of other keys, and end.
      boolean tiled = disk.membership() == DiskComponents.Membership.NAMES;
      for (int i = 0; i < flushed.size() && batch.pendingCount() > 0; i++) {
        if (tiled && batch.leavesOut(flushed.get(i).id().last())) {
          break;
        }
        filtered = !isLast(i, flushed.size()) || !disk.levels().isEmpty();
        for (int n = 0; n < batch.pendingCount(); n++) {
          askUnlessRuledOut(batch.pending(n), flushed.get(i), i);
        }
        findAsked(flushed.get(i));
        batch.endTurn();
      }
      List<KeyRun<Q>> levels = disk.levels();
      for (int i = 0; i < levels.size(); i++) {
        filtered = !isLast(i, levels.size());
        sweepLevel(levels.get(i));
      }
    } finally {
      counters.count(probed, skipped);
    }
  }

  /** Whether a key that must be there can be nowhere else. */
  private boolean isLast(int asked, int all) {
    return asked == all - 1 && batch.expectsAll();
  }

  /** Asks the components of a level, each for the keys of its range. */
  private void sweepLevel(KeyRun<Q> level) throws StorageException {
    DiskComponent<Q> current = null;
    for (int n = 0; n < batch.pendingCount() && !batch.isFull(); n++) {
      int position = batch.pending(n);
      DiskComponent<Q> holding = level.holding(batch.key(position, key));
      if (holding != null) {
        if (holding != current) {
          findAsked(current);
          current = holding;
        }
        askUnlessRuledOut(position, holding, NO_FLUSHED);
      }
    }
    findAsked(current);
    batch.endTurn();
  }

  private void askUnlessRuledOut(int position, DiskComponent<Q> component, int flushed)
      throws StorageException {
    if (!filtered) {
      batch.ask(position);
      return;
    }
    long hash = batch.hash(position);
    probed += component.hasFilter() ? 1 : 0;
    boolean ruledOut =
        (flushed != NO_FLUSHED && !shared.mayHold(flushed, hash)) || component.filterExcludes(hash);
    if (ruledOut) {
      skipped++;
    } else {
      batch.ask(position);
    }
  }

  private void findAsked(@Nullable DiskComponent<Q> component) throws StorageException {
    DiskIndex<Q> index = component == null ? null : component.index();
    if (index != null && !batch.isFull()) {
      index.findAll(batch);
    }
    batch.askNone();
  }
}
