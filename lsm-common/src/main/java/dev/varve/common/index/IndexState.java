package dev.varve.common.index;

import dev.varve.common.disk.DiskComponent;
import org.jspecify.annotations.Nullable;

/**
 * What an index holds at the moment of the call: numbers that need no pin and wait for nothing.
 * Thread-safe; may be asked while the index is being closed, and after that.
 *
 * @param <Q> the kind's search predicate
 */
public final class IndexState<Q> {
  private final IndexVersions<Q> versions;

  IndexState(IndexVersions<Q> versions) {
    this.versions = versions;
  }

  /** Bytes of heap that memory components hold, those that are being flushed included. */
  public long memoryBytes() {
    return versions.current.memoryBytes();
  }

  /** The bytes of memory components that their operations take up. */
  public MemoryUse memoryUse() {
    return versions.current.memoryUse();
  }

  /** Whether {@link LsmIndex#seal} would find room for another memory component. */
  public boolean canSeal() {
    return versions.canSeal();
  }

  /** Whether a memory component is sealed whose flush waits for a writer that has not left. */
  public boolean flushWaitsForWriter() {
    return versions.current.flushWaitsForWriter();
  }

  /** About how many antimatter entries and deleted keys memory components hold. */
  public long deletionsInMemory() {
    return versions.current.memory().stream().mapToLong(MemoryComponent::deletions).sum();
  }

  /** A number that a write or flush changes, unless an unlogged write replaced a value. */
  public long writeMark() {
    ComponentList<Q> list = versions.current;
    return list.disk().newestFlush()
        + list.memory().stream().mapToLong(MemoryComponent::writeMark).sum();
  }

  /** Whether every component is on disk. */
  public boolean memoryIsEmpty() {
    return versions.current.memoryIsEmpty();
  }

  /** Whether there is a disk component. */
  public boolean hasDiskComponents() {
    return !versions.current.disk().isEmpty();
  }

  /** Every logged operation at or below this LSN is on disk; -1 when none is. */
  public long indexLsn() {
    return versions.current.disk().indexLsn();
  }

  /**
   * The position of the log from which redo must start for this index; {@link Long#MAX_VALUE} when
   * everything is on disk. Callers that derive a low-water mark read the log's end first.
   */
  public long redoPosition() {
    return versions.current.redoPosition();
  }

  /** Sequence number of the newest flush that is on disk; 0 when there is none. */
  public long newestFlush() {
    return versions.current.disk().newestFlush();
  }

  /**
   * How far all entries of the index were checked that a search finds on disk which begins after
   * this call, in the count of its {@link MergeSieve}; 0 for not at all.
   */
  public long checkedTo() {
    ComponentList<Q> list = versions.current;
    long least = Long.MAX_VALUE;
    for (MemoryComponent<Q> component : list.memory()) {
      least = component.holdsOperations() ? Math.min(least, component.checkedTo()) : least;
    }
    for (DiskComponent<Q> component : list.disk().all()) {
      least = Math.min(least, component.repair().checkedTo());
    }
    assert least >= 0 : least;
    return least == Long.MAX_VALUE ? 0 : least;
  }

  /** Whether something merges, or the policy is still to be asked what does after a change. */
  public boolean mergesGoOn() {
    return versions.mergesGoOn();
  }

  /** The cause of the last flush's failure, until it is retried; null when there is none. */
  public @Nullable Throwable flushFailure() {
    return versions.flushFailure();
  }
}
