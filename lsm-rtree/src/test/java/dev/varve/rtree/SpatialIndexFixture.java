package dev.varve.rtree;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.SteppedIndex;
import dev.varve.rtree.query.NearestCursor;
import dev.varve.rtree.query.SpatialQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A spatial LSM index whose log is in the test's hands; flushes and merges run at once. */
final class SpatialIndexFixture implements AutoCloseable {
  final SteppedIndex<SpatialQuery> stepped;
  final LsmIndex<SpatialQuery> index;

  SpatialIndexFixture(Path directory, FileSystem files, PageCache cache) throws StorageException {
    this(directory, files, cache, Variant.ANTIMATTER);
  }

  /** How deletions are kept. */
  enum Variant {
    ANTIMATTER,
    DELETED_KEYS;

    RTreeFormat format() {
      return this == ANTIMATTER ? new RTreeFormat() : RTreeFormat.withDeletedKeys();
    }
  }

  SpatialIndexFixture(Path directory, FileSystem files, PageCache cache, Variant variant)
      throws StorageException {
    this.stepped = new SteppedIndex<>(directory, files, cache, variant.format());
    this.index = stepped.index();
  }

  /** Merges the components from one position to another, exclusive, if there are so many. */
  void merge(int from, int to) {
    stepped.merge(from, to);
  }

  void write(Entry entry) throws StorageException {
    stepped.write(entry);
  }

  int componentCount() {
    return stepped.componentCount();
  }

  List<String> nearest(double x, double y, int most) throws StorageException {
    List<String> found = new ArrayList<>();
    try (NearestCursor cursor = NearestCursor.open(index, x, y)) {
      while (found.size() < most && cursor.next()) {
        found.add(cursor.entry().toString());
      }
    }
    return found;
  }

  @Override
  public void close() throws StorageException {
    stepped.close();
  }
}
