package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.dataset.model.Key;
import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The records of which a version was saved for a reader as of a moment since it looked last: a
 * secondary index may not have their entries any more. Who looks after each state that it has read
 * misses none, since a change is saved before it is made. Confined to one thread.
 */
final class NewlySaved {
  private final SavedVersions saved;
  private final Snapshots.@Nullable Moment moment;
  private long upTo;

  /** For a reader; none for one of what is committed. */
  NewlySaved(SavedVersions saved, ReadView view) {
    this.saved = saved;
    this.moment = view.moment();
  }

  /** The primary keys, ascending; some may come more than once. */
  Iterator<Key> look() {
    long settled = saved.settled();
    if (moment == null || settled == upTo) {
      return Collections.emptyIterator();
    }
    Iterator<Key> keys = saved.keys(KeyRange.all(), moment, upTo);
    if (settled != SavedVersions.UNSETTLED) {
      assert settled > upTo : settled;
      upTo = settled;
    }
    return keys;
  }
}
