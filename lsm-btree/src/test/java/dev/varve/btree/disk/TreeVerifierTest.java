package dev.varve.btree.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyShape;
import dev.varve.btree.Model;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageLayout;
import dev.varve.common.testkit.HeapPages;
import dev.varve.common.testkit.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damage that a checksum does not find, because it was written like that: each kind is planted in a
 * good tree, which must then be refused, and bytes are changed at random, which must never lead to
 * anything but a corruption error or a tree that is consistent in itself.
 */
class TreeVerifierTest {
  private static final long SEED = 20261121;
  private static final int PAGE_SIZE = 256;

  private final HeapPages pages = new HeapPages(PAGE_SIZE, TreeBuilder::new);
  private int root;

  @BeforeEach
  void buildATreeOfThreeLevels() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    Model model = new Model();
    for (int i = 0; i < 4000; i++) {
      model.put(KeyShape.UNIFORM.key(random), 20, random);
    }
    root = pages.build(model.entries().values());
    assertEquals(4000, DiskTree.open(pages, root).verify());
    assertTrue(pages.bytes[at(root) + InteriorLayout.LEVEL] >= 2);
  }

  private static int at(int page) {
    return page * PAGE_SIZE;
  }

  /** Offset of a leaf's n-th slot. */
  private static int slot(HeapPages pages, int leaf, int n) {
    int at = leaf * pages.pageSize();
    int prefix = Bytes.getUnsignedShort(pages.bytes, at + LeafLayout.PREFIX_LENGTH);
    int end = Bytes.getInt(pages.bytes, at + LeafLayout.END);
    return at + LeafLayout.slots(prefix) + n * LeafLayout.slotBytes(end);
  }

  /** The n-th interior page of level 1. */
  private int lowInterior(int n) {
    int left = n;
    for (int page = 1; page < pages.pageCount; page++) {
      boolean interior = pages.bytes[at(page) + PageLayout.KIND] == InteriorLayout.KIND;
      if (interior && pages.bytes[at(page) + InteriorLayout.LEVEL] == 1 && left-- == 0) {
        return page;
      }
    }
    throw new AssertionError("no interior page " + n);
  }

  private int childrenAt(int interior) {
    int count = Bytes.getUnsignedShort(pages.bytes, at(interior) + InteriorLayout.COUNT);
    return at(interior) + InteriorLayout.children(count);
  }

  private void assertVerifyFails(int page, String problem) {
    CorruptionException found =
        assertThrows(CorruptionException.class, () -> DiskTree.open(pages, root).verify());
    assertTrue(found.getMessage().contains(problem), found::getMessage);
    assertEquals(at(page), found.offset(), found::getMessage);
  }

  @Test
  void leavesInTheWrongOrderAreFound() {
    int children = childrenAt(lowInterior(0));
    int first = Bytes.getInt(pages.bytes, children);
    int second = Bytes.getInt(pages.bytes, children + 4);
    Bytes.putInt(pages.bytes, children, second);
    Bytes.putInt(pages.bytes, children + 4, first);
    assertVerifyFails(second, "not below the leaf's high bound");
  }

  @Test
  void aPageWithTwoParentsIsFound() {
    int children = childrenAt(lowInterior(0));
    int first = Bytes.getInt(pages.bytes, children);
    Bytes.putInt(pages.bytes, children + 4, first);
    assertVerifyFails(first, "reached twice");
  }

  @Test
  void keysOutOfOrderAreFound() {
    int leaf = 1;
    int first = slot(pages, leaf, 0);
    int second = slot(pages, leaf, 1);
    long head = Bytes.getLong(pages.bytes, first);
    Bytes.putLong(pages.bytes, first, Bytes.getLong(pages.bytes, second));
    Bytes.putLong(pages.bytes, second, head);
    assertVerifyFails(leaf, "not above the one before");
  }

  @Test
  void aSeparatorAboveItsRightChildIsFound() throws StorageException {
    int interior = lowInterior(0);
    int child = Bytes.getInt(pages.bytes, childrenAt(interior));
    // The first separator's last byte is the first that the keys beside it differ in.
    byte[] page = pages.readUncached(interior, Bytes.EMPTY);
    int rest = InteriorPage.start(page, 0, 0);
    int last = InteriorPage.start(page, 0, 1) - 1;
    int head = InteriorLayout.HEADS + last - rest;
    pages.bytes[at(interior) + last]++;
    pages.bytes[at(interior) + head]++;
    assertVerifyFails(child + 1, "below the leaf's low bound");
  }

  @Test
  void aHeadThatIsNotTheBeginningOfItsSeparatorIsFound() {
    int interior = lowInterior(1);
    pages.bytes[at(interior) + InteriorLayout.HEADS + 7]++;
    assertVerifyFails(interior, "head of separator 0");
  }

  @Test
  void aWrongLevelIsFound() {
    int interior = lowInterior(2);
    pages.bytes[at(interior) + InteriorLayout.LEVEL]++;
    assertVerifyFails(interior, "level 2, should be 1");
  }

  @Test
  void aLeafInPlaceOfAnInteriorPageIsFound() {
    Bytes.putInt(pages.bytes, childrenAt(root), 1);
    assertVerifyFails(1, "where an interior page belongs");
  }

  @Test
  void aChildOutsideTheFileIsFound() {
    Bytes.putInt(pages.bytes, childrenAt(lowInterior(0)), pages.pageCount);
    assertVerifyFails(pages.pageCount, "no page of this file");
  }

  @Test
  void entriesThatStartWhereTheyCannotAreFound() {
    int leaf = 3;
    int firstStart = slot(pages, leaf, 0) + LeafLayout.START_IN_SLOT;
    int secondStart = slot(pages, leaf, 1) + LeafLayout.START_IN_SLOT;
    int first = Bytes.getUnsignedShort(pages.bytes, firstStart);
    Bytes.putShort(pages.bytes, firstStart, first + 1);
    assertVerifyFails(leaf, "a gap before entry 0");
    Bytes.putShort(pages.bytes, firstStart, first - 1);
    assertVerifyFails(leaf, "entry 0");
    Bytes.putShort(pages.bytes, firstStart, first);
    Bytes.putShort(pages.bytes, secondStart, 5000);
    assertVerifyFails(leaf, "entry 0 from");
    Bytes.putShort(pages.bytes, secondStart, first);
    assertVerifyFails(leaf, "entry 0 from");
  }

  @Test
  void startsThatAreNegativeOrTooHighInALargePageAreFoundByEveryReader() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    Model model = new Model();
    for (int i = 0; i < 3000; i++) {
      model.put(KeyShape.UNIFORM.key(random), 20, random);
    }
    HeapPages large = new HeapPages(1 << 17, TreeBuilder::new);
    int largeRoot = large.build(model.entries().values());
    int firstStart = slot(large, 1, 0) + LeafLayout.START_IN_SLOT;
    int secondStart = slot(large, 1, 1) + LeafLayout.START_IN_SLOT;
    Slice second = model.entries().higherEntry(model.entries().firstKey()).getValue().key();
    for (int start : new int[] {-5, Integer.MIN_VALUE, Integer.MAX_VALUE, 100}) {
      Bytes.putInt(large.bytes, secondStart, start);
      DiskTree tree = DiskTree.open(large.copy(), largeRoot);
      assertThrows(CorruptionException.class, () -> tree.find(second, new Entry()));
      assertThrows(CorruptionException.class, tree::verify);
      assertFalse(reads(tree.scan()));
    }
    HeapPages fresh = new HeapPages(1 << 17, TreeBuilder::new);
    int freshRoot = fresh.build(model.entries().values());
    Bytes.putInt(fresh.bytes, firstStart, -5);
    assertFalse(reads(DiskTree.open(fresh, freshRoot).scan()));
  }

  @Test
  void bytesBehindTheEntriesAreFound() {
    int leaf = 2;
    int end = Bytes.getInt(pages.bytes, at(leaf) + LeafLayout.END);
    pages.bytes[at(leaf) + end] = 1;
    assertVerifyFails(leaf, "bytes behind the entries");
  }

  /** Whatever one or two bytes are changed to, reading gives a corruption error or an answer. */
  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void noDamageLeadsOutOfBounds(KeyShape shape) throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    Model model = new Model();
    for (int i = 0; i < 300; i++) {
      byte[] key = shape.key(random);
      if (key.length <= Limits.maxKeyBytes(PAGE_SIZE)) {
        model.put(key, random.nextInt(30) == 0 ? 700 : 20, random);
      }
    }
    HeapPages good = new HeapPages(PAGE_SIZE, TreeBuilder::new);
    int goodRoot = good.build(model.entries().values());
    int refused = 0;
    for (int round = 0; round < 600; round++) {
      HeapPages damaged = good.copy();
      for (int i = random.nextInt(2); i >= 0; i--) {
        int at = PAGE_SIZE + random.nextInt(damaged.bytes.length - PAGE_SIZE);
        if (at % PAGE_SIZE >= PageLayout.BODY) {
          damaged.bytes[at] = (byte) random.nextInt(256);
        }
      }
      refused += isRefused(damaged, goodRoot, model) ? 1 : 0;
      assertEquals(0, damaged.pinned);
    }
    assertTrue(refused > 100, "only " + refused + " were refused");
  }

  private static boolean isRefused(HeapPages damaged, int root, Model model)
      throws StorageException {
    Entry found = new Entry();
    boolean readable = true;
    DiskTree tree;
    try {
      tree = DiskTree.open(damaged, root);
    } catch (CorruptionException e) {
      return true;
    }
    for (Entry entry : model.entries().values()) {
      try {
        tree.findOptimistically(entry.key(), found);
        tree.find(entry.key(), found);
      } catch (CorruptionException e) {
        readable = false;
      }
    }
    KeyBound middle = KeyBound.inclusive(new byte[] {(byte) 0x80});
    readable &= reads(tree.scan()) && reads(tree.ascending(middle, KeyBound.unbounded()));
    readable &= reads(tree.descending(KeyBound.unbounded(), middle));
    try {
      assertEquals(model.entries().size(), tree.verify());
    } catch (CorruptionException e) {
      return true;
    }
    assertTrue(readable, "verify found nothing in a tree that could not be read");
    assertConsistent(tree);
    return false;
  }

  private static boolean reads(EntryCursor opened) throws StorageException {
    try (EntryCursor cursor = opened) {
      while (cursor.next()) {
        assertTrue(cursor.entry().key().length() <= PAGE_SIZE);
      }
      return true;
    } catch (CorruptionException e) {
      return false;
    }
  }

  private static void assertConsistent(DiskTree tree) throws StorageException {
    Entry found = new Entry();
    Slice key = new Slice();
    try (EntryCursor cursor = tree.scan()) {
      while (cursor.next()) {
        key.copyOf(cursor.entry().key());
        assertTrue(tree.find(key, found), () -> "not found: " + key);
        Model.assertSame(cursor.entry(), found);
      }
    }
  }
}
