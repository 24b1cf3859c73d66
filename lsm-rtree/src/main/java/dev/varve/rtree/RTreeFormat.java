package dev.varve.rtree;

import dev.varve.btree.BTreeFormat;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.ComponentFormat;
import dev.varve.common.index.DeletedKeys;
import dev.varve.common.index.DiskIndex;
import dev.varve.common.index.DiskIndexBuilder;
import dev.varve.common.index.MemoryIndex;
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
public final class RTreeFormat implements ComponentFormat<SpatialQuery> {
  private static final DeletedKeys DELETED_KEYS =
      new DeletedKeys(new BTreeFormat(), SpatialKey::viewPrimaryKey);

  private final String name;
  private final @Nullable DeletedKeys deletedKeys;

  /** The format with antimatter, the better one for queries: {@code rtree}. */
  public RTreeFormat() {
    this("rtree", null);
  }

  private RTreeFormat(String name, @Nullable DeletedKeys deletedKeys) {
    this.name = name;
    this.deletedKeys = deletedKeys;
  }

  /**
   * The format with a B+-tree of deleted keys beside each R-tree: {@code rtree-deleted-keys}. Most
   * bytes of a primary key are then those of a key of a B+-tree.
   */
  public static RTreeFormat withDeletedKeys() {
    return new RTreeFormat("rtree-deleted-keys", DELETED_KEYS);
  }

  /** Most bytes of a key and its value together on pages of this size: a quarter of a page. */
  public static int maxEntryBytes(int pageSize) {
    return Limits.maxEntryBytes(pageSize);
  }

  @Override
  public String name() {
    return name;
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
  public boolean descending(SpatialQuery predicate) {
    return false;
  }

  @Override
  public @Nullable DeletedKeys deletedKeys() {
    return deletedKeys;
  }
}
