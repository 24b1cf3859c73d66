package dev.varve.hyracks.adapter;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.engine.KeyValue;
import dev.varve.dataset.engine.KeyValueSession;
import dev.varve.dataset.engine.KeyValueTransaction;
import dev.varve.dataset.partition.WriteOutcome;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.data.std.api.IValueReference;
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
 * level when the call returns; the {@code try} forms never give up, because a writer that must wait
 * waits at the gate, holding nothing. Flush and merge are the engine's affair and can't be asked
 * for here. Confined to one thread.
 */
final class StoreAccessor implements ILSMIndexAccessor {
  /** A change of one key. */
  private interface Change {
    /** Makes the change and returns whether the key was there. */
    WriteOutcome apply(KeyValueSession session, Slice key) throws StorageException;
  }

  private final StoreIndex index;
  private final TupleCodec codec;
  private final IModificationOperationCallback modification;
  private final ISearchOperationCallback search;
  private final KeyValue found = new KeyValue();
  private final StoredTuple before;

  StoreAccessor(StoreIndex index, IIndexAccessParameters parameters) {
    this.index = index;
    this.codec = index.newCodec();
    this.modification = parameters.getModificationCallback();
    this.search = parameters.getSearchOperationCallback();
    this.before = new StoredTuple(index.getFieldCount());
  }

  @Override
  public void insert(ITupleReference tuple) throws HyracksDataException {
    Slice value = codec.value(tuple);
    change(
        tuple,
        (session, key) -> {
          session.insert(key, value);
          return WriteOutcome.ABSENT;
        });
  }

  @Override
  public void upsert(ITupleReference tuple) throws HyracksDataException {
    Slice value = codec.value(tuple);
    change(tuple, (session, key) -> session.upsert(key, value));
  }

  @Override
  public void delete(ITupleReference tuple) throws HyracksDataException {
    if (change(tuple, KeyValueSession::delete) == WriteOutcome.ABSENT) {
      throw HyracksDataException.create(ErrorCode.UPDATE_OR_DELETE_NON_EXISTENT_KEY);
    }
  }

  /** Replaces a tuple that must be there; one transaction, so that an absent key stays absent. */
  @Override
  public void update(ITupleReference tuple) throws HyracksDataException {
    modification.before(tuple);
    Slice value = codec.value(tuple);
    Slice key = codec.key(tuple);
    try (KeyValueTransaction transaction = index.store().beginTransaction()) {
      ITupleReference old = listens() && index.store().get(key, found) ? decodeFound() : null;
      if (transaction.upsert(key, value) == WriteOutcome.ABSENT) {
        transaction.abort();
        throw HyracksDataException.create(ErrorCode.UPDATE_OR_DELETE_NON_EXISTENT_KEY);
      }
      modification.found(old, tuple);
      transaction.commit();
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
    after(tuple);
  }

  private WriteOutcome change(ITupleReference tuple, Change change) throws HyracksDataException {
    modification.before(tuple);
    Slice key = codec.key(tuple);
    WriteOutcome outcome;
    try (KeyValueSession session = index.store().openSession()) {
      ITupleReference old = listens() && session.get(key, found) ? decodeFound() : null;
      outcome = change.apply(session, key);
      modification.found(old, tuple);
      session.force();
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
    after(tuple);
    return outcome;
  }

  /** Looking the old tuple up costs a read, which only a callback that listens is worth. */
  private boolean listens() {
    return modification != NoOpOperationCallback.INSTANCE;
  }

  private ITupleReference decodeFound() {
    codec.decode(found.key(), found.value(), before);
    return before;
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
