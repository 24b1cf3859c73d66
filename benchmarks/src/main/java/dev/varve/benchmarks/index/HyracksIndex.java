package dev.varve.benchmarks.index;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.store.AsterixDbNode;
import dev.varve.benchmarks.store.ReadDelay;
import dev.varve.benchmarks.store.StoreFigures;
import java.util.function.ToLongFunction;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndex;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.IIndexAccessor;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.apache.hyracks.storage.common.ISearchPredicate;
import org.jspecify.annotations.Nullable;

/**
 * An index of Hyracks over a node of its own: an accessor for changes, and one with a cursor for
 * searches. Confined to one thread.
 */
public final class HyracksIndex implements IndexStore {
  private final AsterixDbNode node;
  private final IIndex index;
  private final @Nullable ILSMIndex components;
  private final ToLongFunction<ITupleReference> id;
  private final IIndexAccessor changes;
  private final IIndexAccessor searches;
  private final IIndexCursor cursor;

  /** Makes an index on a node. */
  @FunctionalInterface
  public interface Maker {
    /** Makes one, which is neither created nor activated. */
    IIndex make(AsterixDbNode node) throws HyracksDataException;
  }

  private HyracksIndex(AsterixDbNode node, IIndex index, ToLongFunction<ITupleReference> id)
      throws HyracksDataException {
    this.node = node;
    this.index = index;
    this.components = index instanceof ILSMIndex lsm ? lsm : null;
    this.id = id;
    index.create();
    index.activate();
    this.changes = index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
    this.searches = index.createAccessor(node.searching());
    this.cursor = searches.createSearchCursor(false);
  }

  /** How many bytes of memory a node gets as every store does. */
  public static AsterixDbNode.Sizes sizes(IndexSettings settings) {
    IndexSettings.Budget budget = settings.budget();
    return new AsterixDbNode.Sizes(
        settings.directory(),
        budget.pageBytes(),
        budget.memory().cacheBytes(),
        budget.memory().writeBytes());
  }

  /**
   * Creates an index in an empty directory; the caller closes it.
   *
   * @param id takes the number of a record from its tuple
   */
  public static HyracksIndex create(
      AsterixDbNode.Sizes sizes, ReadDelay delay, Maker maker, ToLongFunction<ITupleReference> id)
      throws BenchmarkException {
    AsterixDbNode node = AsterixDbNode.open(sizes, delay);
    try {
      return new HyracksIndex(node, maker.make(node), id);
    } catch (HyracksDataException e) {
      node.close();
      throw new BenchmarkException("create", e);
    }
  }

  /** Puts a record in. */
  public void insert(ITupleReference record) throws BenchmarkException {
    try {
      changes.insert(record);
    } catch (HyracksDataException e) {
      throw new BenchmarkException("insert", e);
    }
  }

  /** Deletes a record that is there. */
  public void delete(ITupleReference record) throws BenchmarkException {
    try {
      changes.delete(record);
    } catch (HyracksDataException e) {
      throw new BenchmarkException("delete", e);
    }
  }

  /** Hands on the numbers of what a predicate finds. */
  public void search(ISearchPredicate predicate, IdSink found) throws BenchmarkException {
    try {
      searches.search(cursor, predicate);
      try {
        while (cursor.hasNext()) {
          cursor.next();
          // A process has one index, so that this call has one target.
          found.accept(id.applyAsLong(cursor.getTuple()));
        }
      } finally {
        cursor.close();
      }
    } catch (HyracksDataException e) {
      throw new BenchmarkException("search", e);
    }
  }

  /** Flushes and waits for merges; a tree that is changed in place has neither. */
  @Override
  public void settle() throws BenchmarkException {
    if (components != null) {
      node.settle(components);
    }
  }

  @Override
  public StoreFigures figures() {
    return components == null ? new StoreFigures(1, node.diskBytes()) : node.figures(components);
  }

  @Override
  public long cacheMisses() {
    return node.cacheMisses();
  }

  @Override
  public void close() throws BenchmarkException {
    settle();
    try {
      cursor.destroy();
      searches.destroy();
      changes.destroy();
      index.deactivate();
    } catch (HyracksDataException e) {
      throw new BenchmarkException("close", e);
    }
    node.close();
  }
}
