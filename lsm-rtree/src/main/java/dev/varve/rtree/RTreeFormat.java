package dev.varve.rtree;

import dev.varve.btree.BTreeFormat;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.MemoryIndex;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import dev.varve.rtree.disk.DiskRTree;
import dev.varve.rtree.disk.Limits;
import dev.varve.rtree.disk.RTreeBuilder;
import dev.varve.rtree.geometry.SpatialKey;
import dev.varve.rtree.memory.MemoryRTree;
import dev.varve.rtree.query.SpatialQuery;
import org.jspecify.annotations.Nullable;

/**
 * The R-tree as an LSM index, its components in Hilbert order, in both of the paper's variants:
 * with antimatter in its components (Storage Management in AsterixDB, section 3.3), or {@link
 * #withDeletedKeys} beside them (section 3.2). Entries have the keys that {@code SpatialKeyEncoder}
 * makes; searches return them in the order of those. Immutable and thread-safe.
 *
 * <p>Limits: key and value have at most {@link #maxEntryBytes} together. Memory components do not
 * check them, because by then the write is under way: the layer that accepts records refuses longer
 * ones. No search looks a key up in the Bloom filters of components, so an index with antimatter
 * does best without them; one with deleted keys has its filters over those, and needs them.
 */
public class RTreeFormat implements ComponentFormat<SpatialQuery> {
  /** How a component says that an entry in an older one is deleted. */
  public enum Reconciliation {
    /** By an entry of the same key in its place: {@code rtree}, the better one for queries. */
    ANTIMATTER,
    /**
     * By the primary key, in a B+-tree beside the R-tree: {@code rtree-deleted-keys}. Most bytes of
     * a primary key are then those of a key of a B+-tree.
     */
    DELETED_KEYS
  }

  private static final DeletedKeys DELETED_KEYS =
      new DeletedKeys(new BTreeFormat(), SpatialKey::viewPrimaryKey);

  private final Reconciliation reconciliation;

  /** The format with antimatter. */
  public RTreeFormat() {
    this(Reconciliation.ANTIMATTER);
  }

  /** A format in one of the variants. */
  protected RTreeFormat(Reconciliation reconciliation) {
    this.reconciliation = reconciliation;
  }

  /** The format with deleted keys. */
  public static RTreeFormat withDeletedKeys() {
    return new RTreeFormat(Reconciliation.DELETED_KEYS);
  }

  /** Most bytes of a key and its value together on pages of this size: a quarter of a page. */
  public static int maxEntryBytes(int pageSize) {
    return Limits.maxEntryBytes(pageSize);
  }

  @Override
  public String name() {
    return switch (reconciliation) {
      case ANTIMATTER -> "rtree";
      case DELETED_KEYS -> "rtree-deleted-keys";
    };
  }

  @Override
  public MemoryIndex<SpatialQuery> createMemoryIndex() {
    return new MemoryRTree();
  }

  @Override
  public DiskIndexBuilder createBuilder(PageFileWriter file) {
    return new RTreeBuilder(file);
  }

  @Override
  public DiskIndex<SpatialQuery> open(PageFile file, int rootPage) throws StorageException {
    return DiskRTree.open(file, rootPage);
  }

  @Override
  public @Nullable DeletedKeys deletedKeys() {
    return reconciliation == Reconciliation.DELETED_KEYS ? DELETED_KEYS : null;
  }
}
