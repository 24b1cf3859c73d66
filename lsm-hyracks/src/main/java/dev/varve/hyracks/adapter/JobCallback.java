package dev.varve.hyracks.adapter;

import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.common.IModificationOperationCallback;
import org.jspecify.annotations.Nullable;

/**
 * Tells an accessor that its changes belong to a job. Thread-safe.
 *
 * @param grouping what is acknowledged together
 * @param changes the job's changes on this node
 */
record JobCallback(WriteGrouping grouping, JobChanges changes)
    implements IModificationOperationCallback {
  @Override
  public void before(ITupleReference tuple) {
    // The engine locks by itself.
  }

  @Override
  public void found(@Nullable ITupleReference before, @Nullable ITupleReference after) {
    // The engine logs by itself.
  }
}
