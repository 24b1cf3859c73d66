package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.disk.ComponentBuild;
import dev.varve.common.disk.ComponentStore;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;

/**
 * Loads sorted entries into an index as its newest disk component, or as its oldest, without memory
 * component and without log. Nothing is to be seen before {@link #finish}; {@link #close} without
 * it removes what was written. Confined to one thread.
 *
 * @param <Q> the kind's search predicate
 */
public final class BulkLoad<Q> implements AutoCloseable {
  private final IndexVersions<Q> versions;
  private final ComponentStore<Q> store;
  private final ComponentBuild<Q> build;
  private final Course course;
  private final Slice lastKey = new Slice();
  private long entries;
  private boolean first = true;
  private boolean ended;
  private RangeFilter range = RangeFilter.UNKNOWN;

  /**
   * What a load is among what is under way.
   *
   * @param pending a load of the newest or of the oldest component
   * @param afterwards called without a lock when it is published or given up
   */
  record Course(IndexVersion.Pending pending, Runnable afterwards) {}

  /** Takes a load that has begun. */
  BulkLoad(
      IndexVersions<Q> versions, ComponentStore<Q> store, ComponentBuild<Q> build, Course course) {
    this.versions = versions;
    this.store = store;
    this.build = build;
    this.course = course;
  }

  /**
   * Appends an entry; no antimatter in a kind with deleted keys, which keeps it elsewhere.
   *
   * @throws RequestException with {@code UNSORTED_INPUT} unless its key is above the one before
   */
  public void add(Entry entry) throws StorageException {
    requireAscending(entry.key());
    Operands operands = Operands.of(store.format());
    build.add(operands == null ? entry : operands.framed(entry));
    entries++;
  }

  /**
   * Appends what a group stands for that the kind made; a load has groups only, or none.
   *
   * @return the number of entries in it
   * @throws RequestException with {@code UNSORTED_INPUT} unless its bytes are above those before
   */
  public long addGroup(Slice group) throws StorageException {
    requireAscending(group);
    long added = build.addGroup(group);
    entries += added;
    return added;
  }

  private void requireAscending(Slice key) throws RequestException {
    if (!first && lastKey.compareBytes(key) >= 0) {
      throw new RequestException(
          RequestException.Reason.UNSORTED_INPUT,
          "bulk load needs ascending keys: " + key + " after " + lastKey);
    }
    first = false;
    lastKey.copyOf(key);
  }

  /** Says between which values the records lie that are loaded; else nothing is known of them. */
  public void cover(RangeFilter values) {
    assert !ended : "the bulk load has ended";
    range = values;
  }

  /**
   * Makes the component durable and publishes it.
   *
   * @param componentLsn logged operations at or below it are superseded by the load; -1 for none
   */
  public void finish(long componentLsn) throws StorageException {
    if (ended) {
      throw new IllegalStateException("the bulk load has ended");
    }
    build.finish(componentLsn, range);
    ended = true;
    if (course.pending() == IndexVersion.Pending.OLDEST_LOAD) {
      versions.oldestLoaded(build, entries);
    } else {
      versions.bulkLoaded(build);
    }
    course.afterwards().run();
  }

  @Override
  public void close() {
    if (!ended) {
      ended = true;
      store.abandon(build, null);
      versions.bulkLoadGivenUp(course.pending());
      course.afterwards().run();
    }
  }
}
