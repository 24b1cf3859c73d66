package dev.varve.rtree.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.testkit.HeapPages;
import dev.varve.common.testkit.Seeds;
import dev.varve.rtree.SpatialData;
import dev.varve.rtree.SpatialModel;
import dev.varve.rtree.disk.DiskRTree;
import dev.varve.rtree.disk.RTreeBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a search for the nearest in disk components reads pages while they are pinned, and pins
 * none for longer. Scope: the frontier over two disk R-trees whose pages are overwritten once they
 * are given back. Oracle: the spatial model, sorted.
 */
class FrontierTest {
  private static final long SEED = 35;

  @ParameterizedTest
  @EnumSource(SpatialData.class)
  void pagesAreReadWhileTheyArePinned(SpatialData data) throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    SpatialModel all = new SpatialModel();
    List<HeapPages> files = new ArrayList<>();
    List<SpatialSource> trees = new ArrayList<>();
    for (int component = 0; component < 2; component++) {
      SpatialModel own = new SpatialModel();
      for (int id = 0; id < 3000; id++) {
        Entry entry = SpatialData.entry(data.next(random), component * 10_000 + id);
        own.put(entry);
        all.put(entry);
      }
      HeapPages pages = new HeapPages(512, RTreeBuilder::new);
      trees.add(DiskRTree.open(pages, pages.build(own.entries())));
      files.add(pages);
    }
    double x = random.nextDouble();
    double y = random.nextDouble();
    Frontier frontier = new Frontier(x, y, trees);
    Entry found = new Entry();
    List<String> nearest = new ArrayList<>();
    while (frontier.next(found)) {
      nearest.add(found.toString());
      for (HeapPages pages : files) {
        assertEquals(0, pages.pinned);
      }
    }
    assertEquals(all.nearest(x, y, Integer.MAX_VALUE), nearest);
    for (HeapPages pages : files) {
      assertTrue(pages.pins > 100, "leaves are pinned again for their entries");
    }
  }
}
