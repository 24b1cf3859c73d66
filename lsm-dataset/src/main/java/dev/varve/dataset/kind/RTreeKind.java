package dev.varve.dataset.kind;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.index.LsmIndex;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.rtree.RTreeFormat;
import dev.varve.rtree.geometry.SpatialKey;
import dev.varve.rtree.geometry.SpatialKeyEncoder;
import dev.varve.rtree.query.NearestCursor;
import dev.varve.rtree.query.RegionQuery;
import dev.varve.rtree.query.SpatialQuery;
import org.jspecify.annotations.Nullable;

/**
 * An R-tree on a field with a point or a rectangle: {@code rtree}, or {@code rtree-deleted-keys},
 * which deletes by primary keys beside each component. Immutable and thread-safe.
 */
public final class RTreeKind extends RTreeFormat implements IndexKind<SpatialQuery> {
  /** With antimatter. */
  public RTreeKind() {
    this(Reconciliation.ANTIMATTER);
  }

  private RTreeKind(Reconciliation reconciliation) {
    super(reconciliation);
  }

  @Override
  public @Nullable IndexKind<?> named(String name) {
    for (Reconciliation reconciliation : Reconciliation.values()) {
      RTreeKind kind = new RTreeKind(reconciliation);
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    return null;
  }

  @Override
  public String names() {
    return "rtree, rtree-deleted-keys";
  }

  @Override
  public RecordSchema.Reading reading() {
    return RecordSchema.Reading.SPATIAL;
  }

  @Override
  public EntryMaker newEntryMaker() {
    SpatialKeyEncoder encoder = new SpatialKeyEncoder();
    return value -> encoder.encode(value.rectangle(), value.primaryKey());
  }

  @Override
  public DeletedKeys.PrimaryKeyView newPrimaryKeyView() {
    return (key, primaryKey) -> {
      if (!SpatialKey.isWellFormed(key)) {
        throw new IllegalArgumentException("it has no room for a rectangle");
      }
      return SpatialKey.viewPrimaryKey(key, primaryKey);
    };
  }

  @Override
  public boolean answers(IndexSearch search) {
    return search instanceof SpatialSearch || search instanceof NearestSearch;
  }

  @Override
  public @Nullable Question<SpatialQuery> question(IndexSearch search) {
    if (!(search instanceof SpatialSearch spatial)) {
      return null;
    }
    RegionQuery region = spatial.region();
    return new Question<>(region, (key, value) -> isIn(region, key));
  }

  @Override
  public boolean isExact(IndexSearch search) {
    return true;
  }

  /** Deleted keys and stamps are two answers to one question. */
  @Override
  public boolean keepsStamps() {
    return deletedKeys() == null;
  }

  private static boolean isIn(RegionQuery region, Slice key) {
    double minX = SpatialKey.minX(key);
    double minY = SpatialKey.minY(key);
    double maxX = SpatialKey.maxX(key);
    double maxY = SpatialKey.maxY(key);
    return minX <= region.maxX()
        && maxX >= region.minX()
        && minY <= region.maxY()
        && maxY >= region.minY()
        && region.accepts(minX, minY, maxX, maxY);
  }

  @Override
  @MustBeClosed
  public NearestCursor nearest(
      LsmIndex<SpatialQuery> index, NearestSearch search, FilterRange filter)
      throws StorageException {
    return NearestCursor.over(
        query -> filter.searchCandidates(index, query), search.x(), search.y());
  }
}
