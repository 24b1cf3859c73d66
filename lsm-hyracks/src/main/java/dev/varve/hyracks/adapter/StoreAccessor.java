package dev.varve.hyracks.adapter;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.WriteOutcome;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.data.std.api.IValueReference;
import org.apache.hyracks.dataflow.common.data.accessors.IFrameTupleReference;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.common.api.IExtendedModificationOperationCallback;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMComponent;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMDiskComponent;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexOperationContext;
import org.apache.hyracks.storage.am.lsm.common.api.LSMOperationType;
import org.apache.hyracks.storage.common.IIndexAccessParameters;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.apache.hyracks.storage.common.IModificationOperationCallback;
import org.apache.hyracks.storage.common.ISearchOperationCallback;
import org.apache.hyracks.storage.common.ISearchPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Changes and searches one index. Each change is a transaction of its own, durable to the engine's
 * level when the call returns, unless the callback is one of {@link JobWrites}: then the changes of
 * a frame or a job are acknowledged together. The {@code try} forms never give up, because a writer
 * that must wait waits at the gate, holding nothing. Flush and merge are the engine's affair and
 * can't be asked for here. Confined to one thread.
 */
final class StoreAccessor implements ILSMIndexAccessor {
  /** A change of one key. */
  private interface Change {
    /** Makes the change and returns whether the key was there. */
    WriteOutcome apply(TupleChanges changes) throws StorageException, HyracksDataException;
  }

  private final ActiveStore index;
  private final IModificationOperationCallback modification;
  private final ISearchOperationCallback search;

  /** What this accessor's changes wait for; null when each is acknowledged by itself. */
  private final @Nullable JobCallback job;

  /** The changes that wait for the end of a frame or the job. */
  private @Nullable TupleChanges waiting;

  /** Number in its frame of the tuple that was changed last. */
  private int lastInFrame = Integer.MAX_VALUE;

  StoreAccessor(ActiveStore index, IIndexAccessParameters parameters) {
    this.index = index;
    this.modification = parameters.getModificationCallback();
    this.search = parameters.getSearchOperationCallback();
    this.job = modification instanceof JobCallback grouped ? grouped : null;
  }

  @Override
  public void insert(ITupleReference tuple) throws HyracksDataException {
    change(
        tuple,
        changes -> {
          changes.insert(tuple);
          return WriteOutcome.ABSENT;
        });
  }

  @Override
  public void upsert(ITupleReference tuple) throws HyracksDataException {
    change(tuple, changes -> changes.upsert(tuple));
  }

  @Override
  public void delete(ITupleReference tuple) throws HyracksDataException {
    if (change(tuple, changes -> changes.delete(tuple)) == WriteOutcome.ABSENT) {
      throw HyracksDataException.create(ErrorCode.UPDATE_OR_DELETE_NON_EXISTENT_KEY);
    }
  }

  /**
   * Replaces a tuple that must be there, in one transaction, so that an absent key stays absent.
   *
   * @throws HyracksDataException also when the index is an R-tree, whose tuples have nothing beside
   *     their identity
   */
  @Override
  public void update(ITupleReference tuple) throws HyracksDataException {
    if (index.tuples().shape() == IndexShape.RTREE) {
      throw StorageFailures.refused("a tuple of an R-tree is inserted and deleted, not updated");
    }
    modification.before(tuple);
    try {
      if (job != null && job.grouping() == WriteGrouping.JOB) {
        replace(changesOf(tuple, job), tuple);
      } else {
        endFrame();
        try (TupleChanges transaction = index.get().beginTransaction()) {
          replace(transaction, tuple);
          transaction.end();
        }
      }
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
    after(tuple);
  }

  private void replace(TupleChanges transaction, ITupleReference tuple)
      throws StorageException, HyracksDataException {
    ITupleReference old = transaction.find(tuple);
    if (old == null) {
      throw HyracksDataException.create(ErrorCode.UPDATE_OR_DELETE_NON_EXISTENT_KEY);
    }
    transaction.upsert(tuple);
    modification.found(old, tuple);
  }

  private WriteOutcome change(ITupleReference tuple, Change change) throws HyracksDataException {
    modification.before(tuple);
    WriteOutcome outcome;
    try {
      if (job != null) {
        outcome = apply(changesOf(tuple, job), tuple, change);
      } else {
        try (TupleChanges session = index.get().openSession()) {
          outcome = apply(session, tuple, change);
          session.end();
        }
      }
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
    after(tuple);
    return outcome;
  }

  private WriteOutcome apply(TupleChanges changes, ITupleReference tuple, Change change)
      throws StorageException, HyracksDataException {
    ITupleReference old = listens() ? changes.find(tuple) : null;
    WriteOutcome outcome = change.apply(changes);
    modification.found(old, tuple);
    return outcome;
  }

  /** The changes that a tuple's belongs to; those of a frame are acknowledged before the next. */
  private TupleChanges changesOf(ITupleReference tuple, JobCallback callback)
      throws StorageException, HyracksDataException {
    int inFrame = tuple instanceof IFrameTupleReference frame ? frame.getTupleIndex() : 0;
    if (inFrame <= lastInFrame && callback.grouping() == WriteGrouping.FRAME) {
      endFrame();
    }
    lastInFrame = inFrame;
    TupleChanges open = waiting;
    if (open == null) {
      open = open(callback);
      waiting = open;
    }
    return open;
  }

  @SuppressWarnings("MustBeClosedChecker") // Closed at the end of the job.
  private TupleChanges open(JobCallback callback) throws StorageException, HyracksDataException {
    TupleChanges changes =
        callback.grouping() == WriteGrouping.JOB
            ? index.get().beginTransaction()
            : index.get().openSession();
    boolean kept = false;
    try {
      callback.changes().add(changes);
      kept = true;
      return changes;
    } finally {
      if (!kept) {
        changes.close();
      }
    }
  }

  private void endFrame() throws StorageException {
    TupleChanges open = waiting;
    if (open != null) {
      open.end();
    }
  }

  /** Looking the old tuple up costs a read, which only a callback that listens is worth. */
  private boolean listens() {
    return modification != NoOpOperationCallback.INSTANCE && job == null;
  }

  private void after(ITupleReference tuple) throws HyracksDataException {
    if (modification instanceof IExtendedModificationOperationCallback extended) {
      extended.after(tuple);
    }
  }

  @Override
  public IIndexCursor createSearchCursor(boolean exclusive) {
    return new StoreCursor(index, search);
  }

  @Override
  public void search(IIndexCursor cursor, ISearchPredicate predicate) throws HyracksDataException {
    cursor.open(null, predicate);
  }

  @Override
  public void destroy() {
    // Nothing is held between two calls.
  }

  @Override
  public boolean tryInsert(ITupleReference tuple) throws HyracksDataException {
    insert(tuple);
    return true;
  }

  @Override
  public boolean tryDelete(ITupleReference tuple) throws HyracksDataException {
    delete(tuple);
    return true;
  }

  @Override
  public boolean tryUpdate(ITupleReference tuple) throws HyracksDataException {
    update(tuple);
    return true;
  }

  @Override
  public boolean tryUpsert(ITupleReference tuple) throws HyracksDataException {
    upsert(tuple);
    return true;
  }

  @Override
  public void forceInsert(ITupleReference tuple) throws HyracksDataException {
    insert(tuple);
  }

  @Override
  public void forceDelete(ITupleReference tuple) throws HyracksDataException {
    delete(tuple);
  }

  @Override
  public void forceUpsert(ITupleReference tuple) throws HyracksDataException {
    upsert(tuple);
  }

  @Override
  public ILSMIndexOperationContext getOpContext() {
    throw unsupported();
  }

  @Override
  public ILSMIOOperation scheduleFlush() {
    throw unsupported();
  }

  @Override
  public ILSMIOOperation scheduleMerge(List<ILSMDiskComponent> components) {
    throw unsupported();
  }

  @Override
  public ILSMIOOperation scheduleFullMerge() {
    throw unsupported();
  }

  @Override
  public void physicalDelete(ITupleReference tuple) {
    throw unsupported();
  }

  @Override
  public void forcePhysicalDelete(ITupleReference tuple) {
    throw unsupported();
  }

  @Override
  public void scheduleReplication(List<ILSMDiskComponent> components, LSMOperationType type) {
    throw unsupported();
  }

  @Override
  public void flush(ILSMIOOperation operation) {
    throw unsupported();
  }

  @Override
  public void merge(ILSMIOOperation operation) {
    throw unsupported();
  }

  @Override
  public void updateMeta(IValueReference key, IValueReference value) {
    throw unsupported();
  }

  @Override
  public void forceUpdateMeta(IValueReference key, IValueReference value) {
    throw unsupported();
  }

  @Override
  public void scanDiskComponents(@Nullable IIndexCursor cursor) {
    throw unsupported();
  }

  @Override
  public void deleteComponents(Predicate<ILSMComponent> predicate) {
    throw unsupported();
  }

  @Override
  public void updateFilter(ITupleReference tuple) {
    throw unsupported();
  }

  private static UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("flush, merge and components belong to the engine");
  }
}
