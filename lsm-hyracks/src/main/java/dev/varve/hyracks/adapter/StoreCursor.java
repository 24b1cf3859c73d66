package dev.varve.hyracks.adapter;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.partition.RecordCursor;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.common.EnforcedIndexCursor;
import org.apache.hyracks.storage.common.ICursorInitialState;
import org.apache.hyracks.storage.common.ISearchOperationCallback;
import org.apache.hyracks.storage.common.ISearchPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A search of one index. When the callback won't proceed at a tuple (it can't have the lock at
 * once), it reconciles, that is waits, and the search begins anew at that tuple: if it has gone
 * meanwhile the callback is told, and the search goes on behind it. Confined to one thread.
 */
final class StoreCursor extends EnforcedIndexCursor {
  private final StoreIndex index;
  private final ISearchOperationCallback callback;
  private final TupleCodec codec;
  private final Slice key = new Slice();
  private StoredTuple tuple;
  private StoredTuple reconciled;
  private KeyRange range = KeyRange.all();
  private @Nullable RecordCursor records;
  private boolean positioned;

  StoreCursor(StoreIndex index, ISearchOperationCallback callback) {
    this.index = index;
    this.callback = callback;
    this.codec = index.newCodec();
    this.tuple = new StoredTuple(index.getFieldCount());
    this.reconciled = new StoredTuple(index.getFieldCount());
  }

  @Override
  protected void doOpen(@Nullable ICursorInitialState initialState, ISearchPredicate predicate)
      throws HyracksDataException {
    range = codec.range(predicate);
    records = scan();
    positioned = false;
  }

  @Override
  protected boolean doHasNext() throws HyracksDataException {
    if (positioned) {
      return true;
    }
    if (!read()) {
      return false;
    }
    while (!callback.proceed(tuple)) {
      swap();
      callback.reconcile(reconciled);
      doClose();
      range = KeyRange.between(KeyBound.inclusive(key), range.high());
      records = scan();
      Slice asked = new Slice(key.toByteArray());
      boolean more = read();
      if (more && key.sameBytes(asked)) {
        callback.complete(tuple);
        break;
      }
      callback.cancel(reconciled);
      if (!more) {
        return false;
      }
    }
    positioned = true;
    return true;
  }

  @Override
  protected void doNext() throws HyracksDataException {
    if (!positioned && !doHasNext()) {
      throw new IllegalStateException("the cursor has reached its end");
    }
    positioned = false;
  }

  @Override
  protected ITupleReference doGetTuple() {
    return tuple;
  }

  @Override
  protected void doClose() {
    if (records != null) {
      records.close();
      records = null;
    }
    positioned = false;
  }

  @Override
  protected void doDestroy() {
    doClose();
  }

  @SuppressWarnings("MustBeClosedChecker") // Kept in a field and closed by doClose().
  private RecordCursor scan() throws HyracksDataException {
    try {
      return index.store().scan(range);
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
  }

  private boolean read() throws HyracksDataException {
    RecordCursor current = records;
    try {
      if (current == null || !current.next()) {
        return false;
      }
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
    key.copyOf(current.key());
    codec.decode(current.key(), current.value(), tuple);
    return true;
  }

  private void swap() {
    StoredTuple other = reconciled;
    reconciled = tuple;
    tuple = other;
  }
}
