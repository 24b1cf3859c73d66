package dev.varve.rtree.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageLayout;
import dev.varve.common.testkit.HeapPages;
import dev.varve.common.testkit.Seeds;
import dev.varve.rtree.SpatialData;
import dev.varve.rtree.SpatialModel;
import dev.varve.rtree.query.RegionQuery;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damage that a checksum does not find, because it was written like that: each kind is planted in a
 * good tree, which must then be refused, and bytes are changed at random, which must never lead to
 * anything but a corruption error or an answer.
 */
class RTreeVerifierTest {
  private static final long SEED = 20261121;
  private static final int PAGE_SIZE = 256;

  private final HeapPages pages = new HeapPages(PAGE_SIZE, RTreeBuilder::new);
  private int root;

  @BeforeEach
  void buildATreeOfThreeLevels() throws StorageException {
    root = build(pages, SpatialData.CLUSTERS, 300);
    assertTrue(pages.bytes[at(root) + InteriorLayout.LEVEL] >= 2);
  }

  private static int build(HeapPages pages, SpatialData data, int entries) throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    SpatialModel model = new SpatialModel();
    for (int id = 0; id < entries; id++) {
      model.put(SpatialData.entry(data.next(random), id));
    }
    int root = pages.build(model.entries());
    assertEquals(entries, DiskRTree.open(pages, root).verify());
    return root;
  }

  private static int at(int page) {
    return page * PAGE_SIZE;
  }

  /** The first interior page of level 1. */
  private int lowInterior() {
    int page = 1;
    while (pages.bytes[at(page) + PageLayout.KIND] != InteriorLayout.KIND) {
      page++;
    }
    assertEquals(1, pages.bytes[at(page) + InteriorLayout.LEVEL]);
    return page;
  }

  private int count(int page) {
    return Bytes.getUnsignedShort(pages.bytes, at(page) + LeafLayout.COUNT);
  }

  private int childrenAt(int interior) {
    return at(interior) + InteriorLayout.children(count(interior));
  }

  private void assertVerifyFails(int page, String problem) {
    CorruptionException found =
        assertThrows(CorruptionException.class, () -> DiskRTree.open(pages, root).verify());
    assertTrue(found.getMessage().contains(problem), found::getMessage);
    assertEquals(at(page), found.offset(), found::getMessage);
  }

  private void add(int offset, double more) {
    double value = Double.longBitsToDouble(Bytes.getLong(pages.bytes, offset));
    Bytes.putLong(pages.bytes, offset, Double.doubleToRawLongBits(value + more));
  }

  @Test
  void boundsThatAreTooWideOrTooNarrowAreFound() {
    int interior = lowInterior();
    int count = count(interior);
    for (int column = 0; column < 4; column++) {
      for (double more : new double[] {-1e-6, 1e-6}) {
        int offset = at(interior) + InteriorLayout.COLUMNS + 8 * (column * count + 1);
        byte[] before = pages.bytes.clone();
        add(offset, more);
        assertVerifyFails(interior, "bounds of child 1");
        pages.bytes = before;
      }
    }
  }

  @Test
  void aFirstPositionThatIsNotTheChildsIsFound() {
    int interior = lowInterior();
    pages.bytes[at(interior) + InteriorLayout.positions(count(interior)) + 8]++;
    assertVerifyFails(interior, "bounds of child 1");
  }

  @Test
  void positionsOutOfOrderAreFound() {
    int interior = lowInterior();
    pages.bytes[at(interior) + InteriorLayout.positions(count(interior)) + 7]++;
    assertVerifyFails(interior, "position of child 1 is below");
  }

  @Test
  void aPointThatIsNotAtItsPositionIsFound() {
    add(at(1) + LeafLayout.COLUMNS, 0.001);
    assertVerifyFails(1, "position of entry 0 is not that of its centre");
  }

  @Test
  void aCoordinateThatIsNotFiniteIsFound() {
    Bytes.putLong(pages.bytes, at(2) + LeafLayout.COLUMNS, Double.doubleToRawLongBits(Double.NaN));
    assertVerifyFails(2, "coordinates of entry 0");
  }

  @Test
  void entriesOutOfOrderAreFound() throws StorageException {
    HeapPages crowded = new HeapPages(PAGE_SIZE, RTreeBuilder::new);
    int crowdedRoot = build(crowded, SpatialData.CROWDED, 300);
    // The last byte of the primary key, which is what entries of one place differ in.
    int end = Bytes.getInt(crowded.bytes, at(1) + LeafLayout.END);
    crowded.bytes[at(1) + end - 2] = 0;
    crowded.bytes[at(1) + end - 1] = 0;
    CorruptionException found =
        assertThrows(
            CorruptionException.class, () -> DiskRTree.open(crowded, crowdedRoot).verify());
    assertTrue(found.getMessage().contains("is not above the one before"), found::getMessage);
  }

  @Test
  void leavesInTheWrongOrderAreFound() {
    int children = childrenAt(lowInterior());
    int first = Bytes.getInt(pages.bytes, children);
    int second = Bytes.getInt(pages.bytes, children + 4);
    Bytes.putInt(pages.bytes, children, second);
    Bytes.putInt(pages.bytes, children + 4, first);
    assertVerifyFails(lowInterior(), "bounds of child 0");
  }

  @Test
  void aPageWithTwoParentsIsFound() {
    int children = childrenAt(lowInterior());
    Bytes.putInt(pages.bytes, children + 4, Bytes.getInt(pages.bytes, children));
    assertVerifyFails(1, "reached twice");
  }

  @Test
  void aWrongLevelIsFound() {
    int interior = lowInterior();
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
    Bytes.putInt(pages.bytes, childrenAt(lowInterior()), pages.pageCount);
    assertVerifyFails(pages.pageCount, "no page of this file");
  }

  @Test
  void bytesBehindWhatThePagesHoldAreFound() {
    int end = Bytes.getInt(pages.bytes, at(2) + LeafLayout.END);
    pages.bytes[at(2) + end] = 1;
    assertVerifyFails(2, "bytes behind the tails");
    pages.bytes[at(2) + end] = 0;
    pages.bytes[at(root) + PAGE_SIZE - 1] = 1;
    assertVerifyFails(root, "bytes at the end");
    pages.bytes[at(root) + PAGE_SIZE - 1] = 0;
    pages.bytes[at(root) + InteriorLayout.RESERVED] = 1;
    assertVerifyFails(root, "reserved");
  }

  @Test
  void tailsThatStartWhereTheyCannotAreFound() {
    int starts = at(3) + LeafLayout.starts(count(3), 1);
    int first = Bytes.getUnsignedShort(pages.bytes, starts);
    Bytes.putShort(pages.bytes, starts, first + 1);
    assertVerifyFails(3, "a gap before tail 0");
    Bytes.putShort(pages.bytes, starts, first - 1);
    assertVerifyFails(3, "a gap before tail 0");
    Bytes.putShort(pages.bytes, starts, first);
    Bytes.putShort(pages.bytes, starts + 2, first);
    assertVerifyFails(3, "tail 0 from");
  }

  /** Whatever one or two bytes are changed to, reading gives a corruption error or an answer. */
  @ParameterizedTest
  @EnumSource(SpatialData.class)
  void noDamageLeadsOutOfBounds(SpatialData data) throws StorageException {
    HeapPages good = new HeapPages(PAGE_SIZE, RTreeBuilder::new);
    int goodRoot = build(good, data, 200);
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    for (int i = 0; i < 20_000; i++) {
      HeapPages damaged = good.copy();
      for (int change = random.nextInt(2); change >= 0; change--) {
        int offset = random.nextInt(PAGE_SIZE, damaged.bytes.length);
        damaged.bytes[offset] = (byte) random.nextInt();
      }
      read(damaged, goodRoot);
      assertEquals(0, damaged.pinned);
    }
  }

  private static void read(HeapPages damaged, int damagedRoot) {
    try {
      DiskRTree tree = DiskRTree.open(damaged, damagedRoot);
      tree.find(
          SpatialData.entry(SpatialData.CLUSTERS.next(Seeds.random(1)), 1).key(), new Entry());
      exhaust(tree.search(RegionQuery.everything()));
      exhaust(tree.scan());
      tree.verify();
    } catch (StorageException expected) {
      assertTrue(expected instanceof CorruptionException, expected::toString);
    }
  }

  private static void exhaust(EntryCursor opened) throws StorageException {
    try (EntryCursor cursor = opened) {
      while (cursor.next()) {
        assertTrue(cursor.entry().key().length() > 0);
      }
    }
  }
}
