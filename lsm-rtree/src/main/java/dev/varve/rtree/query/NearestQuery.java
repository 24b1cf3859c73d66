package dev.varve.rtree.query;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the components of a snapshot, newest first, in which order the wrapper searches them:
 * what is nearest can't be found in one component after the other. The cursors that it opens are
 * empty; they only hold the snapshot. Confined to one search.
 */
final class NearestQuery implements SpatialQuery {
  /** Has no entries. */
  private static final class NoEntries implements EntryCursor {
    private final Entry none = new Entry();

    @Override
    public boolean next() {
      return false;
    }

    @Override
    public Entry entry() {
      return none;
    }

    @Override
    public void close() {
      // Holds nothing.
    }
  }

  private final List<SpatialSource> sources = new ArrayList<>();

  @Override
  @MustBeClosed
  public EntryCursor openIn(SpatialSource source) {
    sources.add(source);
    return new NoEntries();
  }

  /** The components, newest first. */
  List<SpatialSource> sources() {
    return sources;
  }
}
