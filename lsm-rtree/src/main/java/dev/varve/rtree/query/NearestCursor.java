package dev.varve.rtree.query;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.Validity;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.Origin;
import dev.varve.rtree.geometry.Rectangle;

/**
 * The entries of a spatial index from the nearest to a point to the farthest, reconciled over all
 * components and both of their ways of deletion; a caller that wants k of them stops after k.
 * Entries that are equally far are in key order. Confined to one thread; holds a snapshot of the
 * components until closed.
 */
public final class NearestCursor implements AutoCloseable {
  private final LsmCursor snapshot;
  private final Frontier frontier;
  private final Entry state = new Entry();
  private final Entry found = new Entry();
  private Origin origin = Origin.NOWHERE;
  private double distance;
  private boolean first = true;

  private NearestCursor(LsmCursor snapshot, Frontier frontier) {
    this.snapshot = snapshot;
    this.frontier = frontier;
  }

  /** Opens the components of an index, or some of them. */
  @FunctionalInterface
  public interface Components {
    /** Searches them for the newest state of each key, as {@link LsmIndex#searchStates} does. */
    @MustBeClosed
    LsmCursor searchStates(SpatialQuery query) throws StorageException;
  }

  /**
   * Begins a search.
   *
   * @throws RequestException when a coordinate is not finite
   */
  @MustBeClosed
  public static NearestCursor open(LsmIndex<SpatialQuery> index, double x, double y)
      throws StorageException {
    return over(index::searchStates, x, y);
  }

  /**
   * Begins a search of some components.
   *
   * @throws RequestException when a coordinate is not finite
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the cursor that is returned
  public static NearestCursor over(Components components, double x, double y)
      throws StorageException {
    Rectangle point = Rectangle.point(x, y);
    NearestQuery query = new NearestQuery();
    LsmCursor snapshot = components.searchStates(query);
    return new NearestCursor(snapshot, new Frontier(point.minX(), point.minY(), query.sources()));
  }

  /** Moves to the next entry; false at the end. */
  public boolean next() throws StorageException {
    while (nextState()) {
      if (!found.antimatter()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Moves to the newest state of the next entry, antimatter included: for callers that must tell
   * what is committed. False at the end.
   */
  public boolean nextState() throws StorageException {
    while (frontier.next(state)) {
      // States of a key come one after the other, the newest first: it is the one that counts, also
      // when
      // it is deleted.
      boolean older = !first && state.key().sameBytes(found.key());
      if (!older) {
        first = false;
        found.copyOf(state);
        Validity validity = snapshot.validity(frontier.source(), found.key());
        if (validity != Validity.DELETED_ON_DISK) {
          boolean deleted = validity == Validity.DELETED_IN_MEMORY;
          found.antimatter(deleted || found.antimatter());
          origin = deleted ? Origin.MEMORY : snapshot.originOf(frontier.source());
          distance = frontier.distance();
          return true;
        }
      }
    }
    return false;
  }

  /** Where the current state was found: memory or disk. */
  public Origin origin() {
    return origin;
  }

  /** The current entry; its bytes are valid until the next call of {@link #next}. */
  public Entry entry() {
    return found;
  }

  /** How far the current entry is from the point. */
  public double distance() {
    return distance;
  }

  /** Gives the snapshot back; idempotent. */
  @Override
  public void close() {
    snapshot.close();
  }
}
