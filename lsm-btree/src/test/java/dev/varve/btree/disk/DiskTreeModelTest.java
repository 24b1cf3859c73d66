package dev.varve.btree.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.btree.KeyShape;
import dev.varve.btree.Model;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.Lookup;
import dev.varve.common.page.PageLayout;
import dev.varve.common.testkit.Batches;
import dev.varve.common.testkit.HeapPages;
import dev.varve.common.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bulk-loaded trees of several page sizes, checked against a sorted map of the JDK. */
class DiskTreeModelTest {
  private static final long SEED = 20261121;

  private static EntryCursor search(DiskTree tree, KeyRange range) throws StorageException {
    return range.direction() == KeyRange.Direction.ASCENDING
        ? tree.ascending(range.low(), range.high())
        : tree.descending(range.low(), range.high());
  }

  private static Model randomModel(KeyShape shape, int pageSize, RandomGenerator random) {
    Model model = new Model();
    for (int i = 0; i < 6000; i++) {
      byte[] key = shape.key(random);
      if (key.length <= Limits.maxKeyBytes(pageSize)) {
        // One in fifty values needs more than one unit of the smaller pages.
        model.put(key, random.nextInt(50) == 0 ? 1000 : 30, random);
      }
    }
    return model;
  }

  private static void check(KeyShape shape, HeapPages pages, RandomGenerator random)
      throws StorageException {
    Model model = randomModel(shape, pages.pageSize(), random);
    DiskTree tree = DiskTree.open(pages, pages.build(model.entries().values()));
    assertEquals(model.entries().size(), tree.verify());
    model.assertReturns(KeyRange.all(), tree.scan());
    model.assertReturns(KeyRange.all(), search(tree, KeyRange.all()));
    model.assertReturns(KeyRange.all().descending(), search(tree, KeyRange.all().descending()));
    Entry found = new Entry();
    for (Entry entry : model.entries().values()) {
      assertEquals(true, tree.find(entry.key(), found));
      Model.assertSame(entry, found);
      if (tree.findOptimistically(entry.key(), found) == Lookup.FOUND) {
        Model.assertSame(entry, found);
      }
    }
    for (int i = 0; i < 2000; i++) {
      byte[] wanted = shape.key(random);
      boolean present = model.entries().containsKey(wanted);
      assertEquals(present, tree.find(new Slice(wanted), found));
      Lookup other = present ? Lookup.ABSENT : Lookup.FOUND;
      assertNotEquals(other, tree.findOptimistically(new Slice(wanted), found));
    }
    for (int i = 0; i < 60; i++) {
      KeyRange range = model.randomRange(shape, random);
      model.assertReturns(range, search(tree, range));
    }
    checkBatches(tree, model, shape, random);
    pages.stampsValid = false;
    checkBatches(tree, model, shape, random);
    pages.cached = false;
    checkBatches(tree, model, shape, random);
    assertEquals(0, pages.pinned);
  }

  private static void checkBatches(
      DiskTree tree, Model model, KeyShape shape, RandomGenerator random) throws StorageException {
    for (int oneIn : new int[] {1, 3, 20, 300}) {
      Batches.check(model.someKeys(shape, random, oneIn), tree::findAll);
    }
  }

  @Test
  void aLookupOfMuchEndsEarlyAndGoesOnBehindTheKeyThatWasFoundLast() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    Model model = new Model();
    for (int i = 0; i < 200; i++) {
      model.put(KeyShape.UNIFORM.key(random), 50_000, random);
    }
    HeapPages pages = new HeapPages(4096, TreeBuilder::new);
    DiskTree tree = DiskTree.open(pages, pages.build(model.entries().values()));
    int lookups = Batches.check(model.someKeys(KeyShape.UNIFORM, random, 1), tree::findAll);
    assertTrue(lookups >= 4 && lookups <= 8, () -> lookups + " lookups of 4 MB");
  }

  @Test
  void damageThatABatchMeetsIsReported() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    Model model = randomModel(KeyShape.UNIFORM, 4096, random);
    HeapPages pages = new HeapPages(4096, TreeBuilder::new);
    DiskTree tree = DiskTree.open(pages, pages.build(model.entries().values()));
    pages.bytes[4096 + PageLayout.KIND] = 77;
    assertThrows(
        CorruptionException.class,
        () -> Batches.check(model.someKeys(KeyShape.UNIFORM, random, 1), tree::findAll));
    assertEquals(0, pages.pinned);
  }

  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void treesOnTinyPagesAgreeWithASortedMap(KeyShape shape) throws StorageException {
    check(shape, new HeapPages(128, TreeBuilder::new), Seeds.random(Seeds.one(SEED)));
  }

  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void treesWhoseInteriorPagesAreNotHeldAgreeToo(KeyShape shape) throws StorageException {
    HeapPages pages = new HeapPages(4096, TreeBuilder::new);
    pages.refusesToHold = true;
    check(shape, pages, Seeds.random(Seeds.one(SEED)));
  }

  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void treesOnPagesAboveSixtyFourKilobytesAgreeToo(KeyShape shape) throws StorageException {
    check(shape, new HeapPages(1 << 17, TreeBuilder::new), Seeds.random(Seeds.one(SEED)));
  }

  /** Every key, and its neighbours that are not there, as either end of every form of range. */
  @Test
  void rangesThatBeginOrEndAtAnyKeyOfAnyPageAreExact() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    Model model = new Model();
    for (int i = 0; i < 150; i++) {
      model.put(KeyShape.TINY.key(random), 20, random);
    }
    HeapPages pages = new HeapPages(128, TreeBuilder::new);
    DiskTree tree = DiskTree.open(pages, pages.build(model.entries().values()));
    for (byte[] key : model.entries().keySet()) {
      for (KeyRange range : rangesAround(key)) {
        model.assertReturns(range, search(tree, range));
        model.assertReturns(range.descending(), search(tree, range.descending()));
      }
    }
    assertEquals(0, pages.pinned);
  }

  private static List<KeyRange> rangesAround(byte[] key) {
    List<KeyRange> ranges = new ArrayList<>();
    for (byte[] end : List.of(key, Arrays.copyOf(key, key.length + 1))) {
      ranges.add(KeyRange.atLeast(end));
      ranges.add(KeyRange.greaterThan(end));
      ranges.add(KeyRange.atMost(end));
      ranges.add(KeyRange.lessThan(end));
      ranges.add(KeyRange.exactly(end));
      ranges.add(KeyRange.prefix(end));
      ranges.add(KeyRange.between(KeyBound.exclusive(end), KeyBound.exclusive(end)));
      ranges.add(KeyRange.closedOpen(new byte[] {1}, end));
      ranges.add(KeyRange.closed(end, new byte[] {1}));
    }
    return ranges;
  }
}
