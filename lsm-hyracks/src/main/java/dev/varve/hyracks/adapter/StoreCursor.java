package dev.varve.hyracks.adapter;

import dev.varve.common.error.StorageException;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.common.EnforcedIndexCursor;
import org.apache.hyracks.storage.common.ICursorInitialState;
import org.apache.hyracks.storage.common.ISearchOperationCallback;
import org.apache.hyracks.storage.common.ISearchPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A search of one index. Looking whether there is a next tuple leaves alone the one that was handed
 * out. When the callback won't proceed at a tuple (it can't have the lock at once), it reconciles,
 * that is waits, and the search looks for that tuple anew: if it has gone meanwhile the callback is
 * told, and the search goes on behind it. Confined to one thread.
 */
final class StoreCursor extends EnforcedIndexCursor {
  private final ActiveStore index;
  private final ISearchOperationCallback callback;

  /** What was handed out. */
  private StoredTuple current;

  /** What {@link #hasNext} has found. */
  private StoredTuple ahead;

  private StoredTuple reconciled;
  private @Nullable TupleSearch search;
  private boolean positioned;

  StoreCursor(ActiveStore index, ISearchOperationCallback callback) {
    this.index = index;
    this.callback = callback;
    this.current = new StoredTuple(index.tuples().fieldCount());
    this.ahead = new StoredTuple(index.tuples().fieldCount());
    this.reconciled = new StoredTuple(index.tuples().fieldCount());
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // Kept in a field and closed by doClose().
  protected void doOpen(@Nullable ICursorInitialState initialState, ISearchPredicate predicate)
      throws HyracksDataException {
    try {
      search = index.get().search(predicate, JobMoment.of(callback));
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
    positioned = false;
  }

  @Override
  protected boolean doHasNext() throws HyracksDataException {
    if (positioned) {
      return true;
    }
    TupleSearch open = search;
    if (open == null) {
      return false;
    }
    try {
      positioned = look(open);
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
    return positioned;
  }

  private boolean look(TupleSearch open) throws StorageException, HyracksDataException {
    if (!open.next(ahead)) {
      return false;
    }
    while (!callback.proceed(ahead)) {
      StoredTuple asked = ahead;
      ahead = reconciled;
      reconciled = asked;
      callback.reconcile(reconciled);
      switch (open.again(ahead)) {
        case THERE -> {
          callback.complete(ahead);
          return true;
        }
        case BEHIND -> callback.cancel(reconciled);
        case AT_END -> {
          callback.cancel(reconciled);
          return false;
        }
      }
    }
    return true;
  }

  @Override
  protected void doNext() throws HyracksDataException {
    if (!positioned && !doHasNext()) {
      throw new IllegalStateException("the cursor has reached its end");
    }
    StoredTuple found = ahead;
    ahead = current;
    current = found;
    positioned = false;
  }

  @Override
  protected ITupleReference doGetTuple() {
    return current;
  }

  @Override
  protected void doClose() {
    TupleSearch open = search;
    search = null;
    positioned = false;
    if (open != null) {
      open.close();
    }
  }

  @Override
  protected void doDestroy() {
    doClose();
  }
}
