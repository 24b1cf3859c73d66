package dev.varve.rtree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.NearestCursor;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: whatever was inserted, deleted and inserted again, and however it is spread over memory and
 * disk components, every query finds what looking at all entries finds. Method: seeded operations
 * on an index and on a model, with flushes and merges of any run in between.
 */
class RTreeIndexModelTest {
  private static final int SEEDS = 12;
  private static final int OPERATIONS = 3000;
  private static final Path ROOT = Path.of("/node");

  @ParameterizedTest
  @EnumSource(SpatialData.class)
  void everyQueryFindsWhatLookingAtAllFinds(SpatialData data) throws Exception {
    Seeds.run(SEEDS, seed -> run(data, Seeds.random(seed)));
  }

  private static void run(SpatialData data, RandomGenerator random) throws StorageException {
    MemoryFileSystem files = new MemoryFileSystem();
    files.createDirectories(ROOT);
    SpatialModel model = new SpatialModel();
    // A cache much smaller than the index, so that pages come and go.
    try (SpatialIndexFixture fixture =
        new SpatialIndexFixture(ROOT, files, new PageCache(1 << 16))) {
      for (int i = 0; i < OPERATIONS; i++) {
        fixture.write(model.put(change(data, model, i, random)));
        if (random.nextInt(400) == 0) {
          fixture.index.flush();
        }
        if (random.nextInt(900) == 0 && fixture.componentCount() > 1) {
          int to = random.nextInt(2, fixture.componentCount() + 1);
          fixture.merge(random.nextInt(to - 1), to);
        }
        if (random.nextInt(60) == 0) {
          check(data, model, fixture, random);
        }
      }
      fixture.index.compact();
      fixture.index.verify();
      check(data, model, fixture, random);
    }
  }

  private static Entry change(
      SpatialData data, SpatialModel model, int id, RandomGenerator random) {
    if (id == 0 || random.nextInt(3) > 0) {
      return SpatialData.entry(data.next(random), id);
    }
    // Deletes an entry, or brings one back; both may be there already.
    return new Entry().copyOf(model.any(random)).antimatter(random.nextInt(3) > 0);
  }

  private static void check(
      SpatialData data, SpatialModel model, SpatialIndexFixture fixture, RandomGenerator random)
      throws StorageException {
    SpatialModel.Question question = SpatialModel.question(data, random);
    model.assertAnswers(question, fixture.index.search(question.query()), false);
    Rectangle place = data.next(random);
    double x = place.minX() + random.nextDouble(-0.1, 0.1);
    double y = place.minY();
    int most = random.nextInt(1, 40);
    assertEquals(model.nearest(x, y, most), fixture.nearest(x, y, most), x + ", " + y);
    Entry wanted = model.any(random);
    Entry found = new Entry();
    fixture.index.find(wanted.key(), found);
    if (!wanted.antimatter() || found.key().sameBytes(wanted.key())) {
      // Antimatter is gone once nothing is left that it deletes.
      assertEquals(wanted.toString(), found.toString());
    }
  }

  @Test
  void theNearestComeWithTheirDistancesInOrder() throws StorageException {
    MemoryFileSystem files = new MemoryFileSystem();
    files.createDirectories(ROOT);
    try (SpatialIndexFixture fixture =
        new SpatialIndexFixture(ROOT, files, new PageCache(1 << 20))) {
      fixture.write(SpatialData.entry(new Rectangle(3, 4, 3, 4), 1));
      fixture.write(SpatialData.entry(new Rectangle(6, 8, 9, 9), 2));
      fixture.index.flush();
      fixture.write(SpatialData.entry(new Rectangle(0, 1, 0, 1), 3));
      fixture.write(SpatialData.entry(new Rectangle(-1, -1, 1, 0), 4));
      double[] expected = {0, 1, 5, 10};
      try (NearestCursor cursor = NearestCursor.open(fixture.index, 0, 0)) {
        for (double distance : expected) {
          assertTrue(cursor.next());
          assertEquals(distance, cursor.distance());
        }
        assertFalse(cursor.next());
        assertFalse(cursor.next());
      }
    }
  }
}
