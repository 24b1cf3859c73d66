package dev.varve.rtree.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.testkit.Seeds;
import dev.varve.rtree.SpatialData;
import dev.varve.rtree.SpatialModel;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.RegionQuery;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A memory tree answers as a list of all entries does, and counts what it holds. */
class MemoryRTreeTest {
  private static final long SEED = 20261121;

  private final MemoryRTree tree = new MemoryRTree();

  @ParameterizedTest
  @EnumSource(SpatialData.class)
  void searchesFindWhatLookingAtAllFinds(SpatialData data) throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    SpatialModel model = new SpatialModel();
    for (int id = 0; id < 20_000; id++) {
      Entry entry = SpatialData.entry(data.next(random), id);
      if (id > 0 && random.nextInt(5000) == 0) {
        entry = new Entry().copyOf(model.any(random)).antimatter(true);
      }
      entry.value().copyOf(new byte[] {(byte) id}, 0, 1);
      tree.put(model.put(entry));
    }
    assertEquals(model.entries().size(), tree.entryCount());
    SpatialModel.Question all = new SpatialModel.Question(RegionQuery.everything(), r -> true);
    model.assertAnswers(all, tree.scan(), true);
    for (int i = 0; i < 60; i++) {
      SpatialModel.Question question = SpatialModel.question(data, random);
      model.assertAnswers(question, tree.search(question.query()), true);
    }
    Entry found = new Entry();
    for (Entry entry : model.entries()) {
      assertTrue(tree.find(entry.key(), found));
      assertEquals(entry.toString(), found.toString());
    }
  }

  @Test
  void antimatterTakesThePlaceOfWhatItDeletes() {
    Rectangle place = new Rectangle(1, 2, 1, 2);
    tree.put(SpatialData.entry(place, 1));
    tree.put(SpatialData.entry(place, 1).antimatter(true));
    assertEquals(1, tree.entryCount());
    Entry found = new Entry();
    assertTrue(tree.find(SpatialData.entry(place, 1).key(), found));
    assertTrue(found.antimatter());
    assertFalse(tree.find(SpatialData.entry(place, 2).key(), found));
  }

  @Test
  void usedBytesGrowWithWhatIsHeld() {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    long empty = tree.usedBytes();
    for (int id = 0; id < 10_000; id++) {
      tree.put(SpatialData.entry(SpatialData.CLUSTERS.next(random), id));
    }
    long points = tree.usedBytes();
    for (int id = 0; id < 10_000; id++) {
      tree.put(SpatialData.entry(SpatialData.RECTANGLES.next(random), id));
    }
    assertTrue(empty < 4096, "empty: " + empty);
    assertTrue(points > 10_000 * 60 && points < 10_000 * 120, "points: " + points);
    assertTrue(tree.usedBytes() - points > points, "rectangles: " + tree.usedBytes());
  }

  @Test
  void bytesThatAreNoSpatialKeyAreMisuse() {
    Entry entry = new Entry();
    entry.key().set(new byte[30], 0, 30);
    assertThrows(IllegalArgumentException.class, () -> tree.put(entry));
    assertFalse(tree.find(new Slice(new byte[3]), entry));
  }
}
