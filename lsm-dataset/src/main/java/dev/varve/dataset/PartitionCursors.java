package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.OrderedSearch;
import dev.varve.dataset.model.RankedCursor;
import dev.varve.dataset.model.RecordCursor;
import java.util.ArrayList;
import java.util.List;

/** Cursors in partitions of one dataset that are opened, and closed, together. */
final class PartitionCursors {
  private PartitionCursors() {}

  /** Opens a cursor in a partition. */
  @FunctionalInterface
  interface Opener<C extends KeyCursor> {
    @MustBeClosed
    C open(Partition partition) throws StorageException;
  }

  /** Opens a cursor in each of some partitions, or in none. */
  @SuppressWarnings("MustBeClosedChecker") // the joined cursor closes them
  static <C extends KeyCursor> List<C> open(List<Partition> partitions, Opener<C> opener)
      throws StorageException {
    List<C> cursors = new ArrayList<>();
    try {
      for (Partition partition : partitions) {
        cursors.add(opener.open(partition));
      }
      return cursors;
    } catch (StorageException | RuntimeException | Error e) {
      RecordCursor.closeAll(cursors);
      throw e;
    }
  }

  /** All records that a search has found in each partition, as one cursor. */
  @MustBeClosed
  static RecordCursor join(List<RecordCursor> cursors, IndexSearch search) {
    if (search instanceof OrderedSearch ordered) {
      return new MergedCursor(cursors, ordered.descending());
    }
    return search instanceof NearestSearch
        ? new NearestOfAll(cursors.stream().map(RankedCursor.class::cast).toList())
        : new ChainedCursor(cursors);
  }
}
