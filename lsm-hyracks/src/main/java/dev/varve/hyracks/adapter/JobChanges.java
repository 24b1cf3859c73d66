package dev.varve.hyracks.adapter;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.error.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hyracks.api.exceptions.HyracksDataException;

/**
 * The changes of one job on one node that wait for the job's end. Its tasks add to them, each what
 * it alone uses; the node ends all of them when the last task has ended. Thread-safe.
 */
final class JobChanges {
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final List<TupleChanges> open = new ArrayList<>();

  @GuardedBy("lock")
  private boolean ended;

  /** Keeps changes until the job's end. */
  void add(TupleChanges changes) throws HyracksDataException {
    lock.lock();
    try {
      if (ended) {
        throw StorageFailures.refused("the job of this change has ended");
      }
      open.add(changes);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends everything: acknowledged when the job succeeded, and else given up. All are closed,
   * whichever fails; the first failure is thrown.
   */
  void end(boolean succeeded) throws StorageException {
    List<TupleChanges> all;
    lock.lock();
    try {
      assert !ended : "a job ends once";
      ended = true;
      all = List.copyOf(open);
      open.clear();
    } finally {
      lock.unlock();
    }
    StorageException first = null;
    for (TupleChanges changes : all) {
      try (changes) {
        if (succeeded && first == null) {
          changes.end();
        }
      } catch (StorageException failure) {
        if (first == null) {
          first = failure;
        } else {
          first.addSuppressed(failure);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
