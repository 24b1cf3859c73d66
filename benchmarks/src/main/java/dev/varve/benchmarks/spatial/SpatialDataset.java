package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.DatasetIndex;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.IndexStore;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.RegionQuery;
import java.nio.charset.StandardCharsets;

/**
 * A dataset of the product with an R-tree. Confined to one thread.
 *
 * @param index the dataset, which is closed with this
 * @param answers what searches hand on
 */
record SpatialDataset(DatasetIndex index, DatasetIndex.Answers answers)
    implements SpatialStore, IndexStore.Delegating {
  static SpatialDataset open(IndexSettings settings, DatasetIndex.Answers answers)
      throws BenchmarkException {
    return new SpatialDataset(DatasetIndex.of(settings, "rtree:at"), answers);
  }

  @Override
  public void insert(double x, double y, long id) throws BenchmarkException {
    String json = "{\"id\":" + id + ",\"at\":[" + x + "," + y + "]}";
    index.insert(json.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void delete(double x, double y, long id) throws BenchmarkException {
    index.delete(id);
  }

  @Override
  public void query(Box box, IdSink found) throws BenchmarkException {
    SpatialSearch search =
        new SpatialSearch(
            RegionQuery.intersecting(
                new Rectangle(box.minX(), box.minY(), box.maxX(), box.maxY())));
    index.ids(answers, search, Long.MAX_VALUE, found);
  }

  @Override
  public void nearest(double x, double y, int count, IdSink found) throws BenchmarkException {
    NearestSearch search = new NearestSearch(x, y);
    index.ids(answers, search, count, found);
  }
}
