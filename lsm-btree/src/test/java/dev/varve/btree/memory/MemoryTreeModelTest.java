package dev.varve.btree.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.btree.KeyShape;
import dev.varve.btree.Model;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.testkit.Batches;
import dev.varve.common.testkit.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random operations on the memory tree, checked against a sorted map of the JDK. */
class MemoryTreeModelTest {
  private static final long SEED = 20261121;
  private static final int PUTS = 20_000;

  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void everyPutFindAndSearchAgreesWithASortedMap(KeyShape shape) throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    MemoryTree tree = new MemoryTree() {};
    Model model = new Model();
    Entry found = new Entry();
    for (int i = 0; i < PUTS; i++) {
      tree.put(model.put(shape.key(random), 40, random));
      byte[] wanted = shape.key(random);
      Entry held = model.entries().get(wanted);
      assertEquals(held != null, tree.find(new Slice(wanted), found));
      if (held != null) {
        Model.assertSame(held, found);
      }
      if (i % 500 == 0) {
        KeyRange range = model.randomRange(shape, random);
        model.assertReturns(range, search(tree, range));
        Batches.check(model.someKeys(shape, random, 1 + random.nextInt(40)), tree::findAll);
      }
    }
    assertEquals(model.entries().size(), tree.entryCount());
    model.assertReturns(KeyRange.all(), search(tree, KeyRange.all()));
    model.assertReturns(KeyRange.all().descending(), search(tree, KeyRange.all().descending()));
  }

  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void sortedPutsAgreeWithASortedMapToo(KeyShape shape) throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    Model model = new Model();
    for (int i = 0; i < PUTS; i++) {
      model.put(shape.key(random), 10, random);
    }
    MemoryTree ascending = new MemoryTree() {};
    model.entries().values().forEach(ascending::put);
    MemoryTree descending = new MemoryTree() {};
    model.entries().descendingMap().values().forEach(descending::put);
    for (int i = 0; i < 50; i++) {
      KeyRange range = model.randomRange(shape, random);
      model.assertReturns(range, search(ascending, range));
      model.assertReturns(range, search(descending, range));
    }
  }

  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void whatWasGatheredIsThereOnceSettledAndTheLastOfEqualKeysStays(KeyShape shape)
      throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    MemoryTree tree = new MemoryTree() {};
    Model model = new Model();
    for (int round = 0; round < 5; round++) {
      tree.put(model.put(shape.key(random), 40, random));
      int gathered = round == 0 ? 1 : random.nextInt(PUTS / 4);
      for (int i = 0; i < gathered; i++) {
        tree.gather(model.put(shape.key(random), 40, random));
      }
      long held = tree.usedBytes();
      tree.settle();
      assertTrue(tree.usedBytes() <= held + Node.LEAF_BYTES, "nodes take more than was reckoned");
      assertEquals(model.entries().size(), tree.entryCount());
      model.assertReturns(KeyRange.all(), search(tree, KeyRange.all()));
      Batches.check(model.someKeys(shape, random, 40), tree::findAll);
    }
  }

  private static EntryCursor search(MemoryTree tree, KeyRange range) {
    return range.direction() == KeyRange.Direction.ASCENDING
        ? tree.ascending(range.low(), range.high())
        : tree.descending(range.low(), range.high());
  }
}
