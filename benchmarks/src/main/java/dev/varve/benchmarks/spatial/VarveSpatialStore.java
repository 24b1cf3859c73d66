package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexStore;
import dev.varve.benchmarks.index.VarveIndex;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.geometry.SpatialKey;
import dev.varve.rtree.geometry.SpatialKeyEncoder;
import dev.varve.rtree.query.NearestCursor;
import dev.varve.rtree.query.RegionQuery;
import dev.varve.rtree.query.SpatialQuery;

/** An LSM R-tree of the product. Confined to one thread. */
final class VarveSpatialStore implements SpatialStore, IndexStore.Delegating {
  private final VarveIndex<SpatialQuery> index;
  private final SpatialKeyEncoder encoder = new SpatialKeyEncoder();
  private final byte[] keyBytes = new byte[Long.BYTES];
  private final Slice primaryKey = new Slice();
  private final Slice foundKey = new Slice();
  private final Entry entry = new Entry();

  /** A store of an index that it closes. */
  VarveSpatialStore(VarveIndex<SpatialQuery> index) {
    this.index = index;
    entry.value().set(new byte[0], 0, 0);
  }

  @Override
  public void insert(double x, double y, long id) throws BenchmarkException {
    index.put(of(x, y, id).antimatter(false));
  }

  @Override
  public void delete(double x, double y, long id) throws BenchmarkException {
    index.put(of(x, y, id).antimatter(true));
  }

  private Entry of(double x, double y, long id) {
    Bytes.putLongBigEndian(keyBytes, 0, id);
    Slice key =
        encoder.encode(new Rectangle(x, y, x, y), primaryKey.set(keyBytes, 0, keyBytes.length));
    entry.key().set(key.bytes(), key.offset(), key.length());
    return entry;
  }

  @Override
  public void query(Box box, IdSink found) throws BenchmarkException {
    RegionQuery query =
        RegionQuery.intersecting(new Rectangle(box.minX(), box.minY(), box.maxX(), box.maxY()));
    try (EntryCursor cursor = index.lsm().search(query)) {
      while (cursor.next()) {
        found.accept(id(cursor.entry()));
      }
    } catch (StorageException e) {
      throw new BenchmarkException("query", e);
    }
  }

  @Override
  public void nearest(double x, double y, int count, IdSink found) throws BenchmarkException {
    try (NearestCursor cursor = NearestCursor.open(index.lsm(), x, y)) {
      for (int i = 0; i < count && cursor.next(); i++) {
        found.accept(id(cursor.entry()));
      }
    } catch (StorageException e) {
      throw new BenchmarkException("nearest", e);
    }
  }

  private long id(Entry found) {
    Slice key = SpatialKey.viewPrimaryKey(found.key(), foundKey);
    return Bytes.getLongBigEndian(key.bytes(), key.offset());
  }

  @Override
  public IndexStore index() {
    return index;
  }
}
