package dev.varve.hyracks.adapter;

import dev.varve.dataset.EngineSnapshot;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.common.ISearchOperationCallback;
import org.jspecify.annotations.Nullable;

/**
 * Tells a cursor what it reads; nobody changes that, so that no tuple is locked. Thread-safe.
 *
 * @param snapshot the job's, which closes it
 */
record JobMoment(EngineSnapshot snapshot) implements ISearchOperationCallback {
  /** The snapshot that a search with a callback reads; null when it reads what is committed. */
  static @Nullable EngineSnapshot of(ISearchOperationCallback callback) {
    return callback instanceof JobMoment moment ? moment.snapshot : null;
  }

  @Override
  public void before(ITupleReference tuple) {
    // The engine looks after itself.
  }

  @Override
  public boolean proceed(ITupleReference tuple) {
    return true;
  }

  @Override
  public void reconcile(ITupleReference tuple) {
    throw new AssertionError("a search that always proceeds reconciles nothing");
  }

  @Override
  public void cancel(ITupleReference tuple) {
    reconcile(tuple);
  }

  @Override
  public void complete(ITupleReference tuple) {
    reconcile(tuple);
  }
}
