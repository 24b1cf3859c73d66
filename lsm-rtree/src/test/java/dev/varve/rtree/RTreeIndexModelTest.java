package dev.varve.rtree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.rtree.SpatialIndexFixture.Variant;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.NearestCursor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: whatever was inserted, deleted, inserted again in the same place or moved to another one,
 * and however it is spread over memory and disk components, every query finds what looking at all
 * entries finds, in both ways to delete, before, during and after flushes and merges. Method:
 * seeded operations on an index and on a model, with flushes and merges of any run in between,
 * whose steps are stopped at to search.
 */
class RTreeIndexModelTest {
  private static final int SEEDS = 12;
  private static final int OPERATIONS = 3000;
  private static final Path ROOT = Path.of("/node");

  @ParameterizedTest
  @EnumSource(SpatialData.class)
  void everyQueryFindsWhatLookingAtAllFinds(SpatialData data) throws Exception {
    Seeds.run(SEEDS, seed -> run(data, Variant.ANTIMATTER, Seeds.random(seed)));
  }

  @ParameterizedTest
  @EnumSource(SpatialData.class)
  void everyQueryOverDeletedKeysFindsWhatLookingAtAllFinds(SpatialData data) throws Exception {
    Seeds.run(SEEDS, seed -> run(data, Variant.DELETED_KEYS, Seeds.random(seed)));
  }

  private static void run(SpatialData data, Variant variant, RandomGenerator random)
      throws StorageException {
    MemoryFileSystem files = new MemoryFileSystem();
    files.createDirectories(ROOT);
    SpatialModel model = new SpatialModel();
    // A cache much smaller than the index, so that pages come and go.
    try (SpatialIndexFixture fixture =
        new SpatialIndexFixture(ROOT, files, new PageCache(1 << 16), variant)) {
      for (int i = 0; i < OPERATIONS; i++) {
        for (Entry entry : changes(data, model, i, random)) {
          fixture.write(model.put(entry));
        }
        if (random.nextInt(400) == 0) {
          maintain(data, model, fixture, random);
        }
        if (random.nextInt(60) == 0) {
          check(data, model, fixture, random);
        }
      }
      fixture.index.compact();
      fixture.index.contents().verify();
      check(data, model, fixture, random);
    }
  }

  /** Flushes, and perhaps merges: a search that was opened before goes on, others begin. */
  @SuppressWarnings("MustBeClosedChecker") // the model closes it
  private static void maintain(
      SpatialData data, SpatialModel model, SpatialIndexFixture fixture, RandomGenerator random)
      throws StorageException {
    SpatialModel.Question question = SpatialModel.question(data, random);
    EntryCursor opened = fixture.index.search(question.query());
    fixture.stepped.maintain(random, () -> check(data, model, fixture, random));
    model.assertAnswers(question, opened, false);
  }

  /** A record has one place at most: what moves is deleted first. */
  private static List<Entry> changes(
      SpatialData data, SpatialModel model, int id, RandomGenerator random) {
    if (id == 0 || random.nextInt(3) > 0) {
      return List.of(SpatialData.entry(data.next(random), id));
    }
    Entry chosen = model.any(random);
    Entry current = model.current(chosen.key());
    int choice = random.nextInt(6);
    if (choice < 3) {
      // Deletes an entry that is there, or one that is deleted already once more.
      return List.of(new Entry().copyOf(current == null ? chosen : current).antimatter(true));
    }
    List<Entry> changes = new ArrayList<>();
    if (current != null) {
      changes.add(new Entry().copyOf(current).antimatter(true));
    }
    // Brings it back where it was once, or moves it.
    changes.add(
        choice < 5
            ? new Entry().copyOf(chosen).antimatter(false)
            : SpatialData.entry(data.next(random), SpatialData.id(chosen.key())));
    return changes;
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
