package dev.varve.common.index;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.component.DeletedRanges;
import dev.varve.common.disk.DiskComponents.Membership;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;

/**
 * Deletes ranges of keys at once, however much the index has of them. What is in memory is sealed,
 * so that all entries of the memory component that takes the ranges will be younger than these: so
 * the order of components says what a range hides, and no entry needs an age. Its owner keeps
 * writers out, logs what is deleted in between, and is a writer itself meanwhile, so that the log
 * is kept. Confined to one thread.
 *
 * @param <Q> the kind's search predicate
 */
public final class RangeDeletion<Q> implements AutoCloseable {
  /**
   * Most bytes of ranges in all components together: so much at most has a merge to write into the
   * last page of its result, which takes a megabyte with pages of 4 KiB.
   */
  private static final long MOST_BYTES = 256 << 10;

  /** A component with so much of ranges takes no more. */
  private static final long FULL_BYTES = 16 << 10;

  private final IndexVersions<Q> versions;
  private final MemoryComponent<Q> target;
  private boolean closed;

  @MustBeClosed
  RangeDeletion(IndexVersions<Q> versions, String index) throws StorageException {
    this.versions = versions;
    versions.requireOpen();
    IndexVersion<Q> begun = versions.renew(version -> version.begun(IndexVersion.Pending.RANGES));
    boolean ready = false;
    try {
      require(begun, index);
      MemoryComponent<Q> newest = versions.components().memory().get(0);
      if (newest.index().entryCount() > 0 || newest.deletedRanges().bytes() > FULL_BYTES) {
        new AwaitedMaintenance<>(versions, index).seal(newest);
      }
      this.target = versions.components().memory().get(0);
      ready = target.tryEnter();
    } finally {
      if (!ready) {
        end();
      }
    }
    if (!ready) {
      throw new IllegalStateException(index + " takes no writers");
    }
  }

  private void require(IndexVersion<Q> begun, String index) throws StorageException {
    if (begun.disk().membership() == Membership.MANIFEST
        || begun.isPending(IndexVersion.Pending.FIRST_MANIFEST)
        || versions.options().mergePolicy().partitioned().isPresent()) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "ranges of keys are not deleted from "
              + index
              + ", whose components are cut by key range ("
              + versions.options().mergePolicy().describe()
              + "): delete the keys one by one, or create it with another merge policy");
    }
  }

  /**
   * Refuses to begin where there are too many ranges.
   *
   * @throws LimitException when merges have to take some away before
   */
  public void requireRoom() throws LimitException {
    long bytes = versions.components().rangeBytes();
    if (bytes > MOST_BYTES) {
      throw new LimitException(
          "bytes of deleted ranges that no merge has met (a compaction takes them away)",
          bytes,
          MOST_BYTES);
    }
  }

  /**
   * Deletes the ranges.
   *
   * @param lsn of the record that says so in the log
   */
  public void delete(DeletedRanges ranges, long lsn) {
    versions.renew(
        version -> {
          target.hide(ranges, lsn);
          return version;
        });
  }

  private void end() {
    versions.renew(version -> version.ended(IndexVersion.Pending.RANGES));
  }

  /** The index lacks a deletion that is committed: nothing of it may be flushed any more. */
  public void stay() {
    closed = true;
  }

  /** Lets components be cut again; idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      end();
      target.exit();
    }
  }
}
