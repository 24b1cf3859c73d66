package dev.varve.rtree;

import dev.varve.common.error.StorageException;
import dev.varve.common.index.ComponentFormat;
import dev.varve.common.index.DiskIndex;
import dev.varve.common.index.DiskIndexBuilder;
import dev.varve.common.index.MemoryIndex;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import dev.varve.rtree.disk.DiskRTree;
import dev.varve.rtree.disk.Limits;
import dev.varve.rtree.disk.RTreeBuilder;
import dev.varve.rtree.memory.MemoryRTree;
import dev.varve.rtree.query.SpatialQuery;

/**
 * The R-tree as an LSM index, with antimatter in its components, which are in Hilbert order
 * (Storage Management in AsterixDB, section 3.3). Entries have the keys that {@code
 * SpatialKeyEncoder} makes; searches return them in the order of those. Immutable and thread-safe.
 *
 * <p>Limits: key and value have at most {@link #maxEntryBytes} together. Memory components do not
 * check them, because by then the write is under way: who accepts records refuses longer ones. No
 * search looks a key up in the Bloom filters of components, so an index does best without them.
 */
public final class RTreeFormat implements ComponentFormat<SpatialQuery> {
  /** The format. */
  public RTreeFormat() {}

  /** Most bytes of a key and its value together on pages of this size: a quarter of a page. */
  public static int maxEntryBytes(int pageSize) {
    return Limits.maxEntryBytes(pageSize);
  }

  @Override
  public String name() {
    return "rtree";
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
}
