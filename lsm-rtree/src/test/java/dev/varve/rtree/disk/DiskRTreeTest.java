package dev.varve.rtree.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.ComponentFile;
import dev.varve.common.page.ComponentFileOptions;
import dev.varve.common.page.ComponentFileWriter;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.HeapPages;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.rtree.SpatialData;
import dev.varve.rtree.SpatialModel;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.geometry.SpatialKeyEncoder;
import dev.varve.rtree.query.RegionQuery;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tree in a real component file answers as a list of all entries does. */
class DiskRTreeTest {
  private static final long SEED = 20261121;
  private static final Path PATH = Path.of("/c-1-1.lsm");
  private static final long STORE = 7;

  private final FileSystem files = new MemoryFileSystem();
  private final SpatialModel model = new SpatialModel();

  private int write(SpatialData data, int entries, int pageSize) throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    for (int id = 0; id < entries; id++) {
      Entry entry = SpatialData.entry(data.next(random), id).antimatter(random.nextInt(9) == 0);
      byte[] value = new byte[random.nextInt(4) * random.nextInt(9)];
      random.nextBytes(value);
      entry.value().copyOf(value, 0, value.length);
      model.put(entry);
    }
    try (ComponentFileWriter writer =
        ComponentFileWriter.create(files, PATH, ComponentFileOptions.of(STORE, pageSize, 1))) {
      RTreeBuilder builder = new RTreeBuilder(writer);
      for (Entry entry : model.entries()) {
        builder.add(entry);
      }
      int root = builder.finish();
      writer.seal(new byte[] {1});
      return root;
    }
  }

  @ParameterizedTest
  @EnumSource(SpatialData.class)
  void searchesFindWhatLookingAtAllFinds(SpatialData data) throws StorageException {
    int root = write(data, 20_000, 1024);
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    // A cache much smaller than the component, so that pages come and go.
    try (ComponentFile file = ComponentFile.open(files, PATH, STORE, new PageCache(40_000))) {
      DiskRTree tree = DiskRTree.open(file, root);
      assertEquals(model.entries().size(), tree.verify());
      SpatialModel.Question all = new SpatialModel.Question(RegionQuery.everything(), r -> true);
      model.assertAnswers(all, tree.scan(), true);
      model.assertAnswers(all, tree.search(RegionQuery.everything()), true);
      for (int i = 0; i < 60; i++) {
        SpatialModel.Question question = SpatialModel.question(data, random);
        model.assertAnswers(question, tree.search(question.query()), true);
      }
      Entry found = new Entry();
      for (Entry entry : model.entries()) {
        assertTrue(tree.find(entry.key(), found));
        assertEquals(entry.toString(), found.toString());
      }
      for (int i = 0; i < 1000; i++) {
        assertFalse(tree.find(SpatialData.entry(data.next(random), 20_000 + i).key(), found));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(SpatialData.class)
  void largePagesAnswerAsSmallOnesDo(SpatialData data) throws StorageException {
    int root = write(data, 6000, 1 << 17);
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    try (ComponentFile file = ComponentFile.open(files, PATH, STORE, new PageCache(1 << 20))) {
      DiskRTree tree = DiskRTree.open(file, root);
      assertEquals(model.entries().size(), tree.verify());
      for (int i = 0; i < 30; i++) {
        SpatialModel.Question question = SpatialModel.question(data, random);
        model.assertAnswers(question, tree.search(question.query()), true);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(SpatialData.class)
  void primaryKeysOfAnyLengthComeBackWhole(SpatialData data) throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    SpatialKeyEncoder encoder = new SpatialKeyEncoder();
    for (int i = 0; i < 6000; i++) {
      // Words at a time, and what is more than a few; up to the last byte of a page, too.
      byte[] primaryKey = new byte[4 + random.nextInt(i % 2 == 0 ? 8 : 60)];
      random.nextBytes(primaryKey);
      Slice key = encoder.encode(data.next(random), new Slice(primaryKey));
      Entry entry = new Entry().antimatter(random.nextInt(9) == 0);
      entry.key().copyOf(key);
      entry.value().set(new byte[0], 0, 0);
      model.put(entry);
    }
    for (int pageSize : new int[] {512, 4096}) {
      HeapPages pages = new HeapPages(pageSize, RTreeBuilder::new);
      DiskRTree tree = DiskRTree.open(pages, pages.build(model.entries()));
      assertEquals(model.entries().size(), tree.verify());
      for (int i = 0; i < 30; i++) {
        SpatialModel.Question question = SpatialModel.question(data, random);
        model.assertAnswers(question, tree.search(question.query()), true);
      }
    }
  }

  @Test
  void pagesOfPointsAreFull() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    for (int id = 0; id < 10_000; id++) {
      model.put(SpatialData.entry(SpatialData.CLUSTERS.next(random), id));
    }
    HeapPages pages = new HeapPages(4096, RTreeBuilder::new);
    pages.build(model.entries());
    // Two coordinates, position, start, length and four bytes of primary key: 31 bytes each.
    int leaves = (10_000 + 130) / 131;
    assertEquals(1 + leaves + 1, pages.pageCount);
  }

  @Test
  void othersReadTheInteriorPagesWhileATreeIsOpened() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    for (int id = 0; id < 5000; id++) {
      model.put(SpatialData.entry(SpatialData.CLUSTERS.next(random), id));
    }
    HeapPages pages = new HeapPages(512, RTreeBuilder::new);
    DiskRTree.open(pages, pages.build(model.entries()));
    List<Integer> below = pages.held.subList(1, pages.held.size());
    assertTrue(below.size() > 20, "a tree of three levels and more");
    assertEquals(below.stream().sorted().toList(), pages.fetched.stream().sorted().toList());
    assertFalse(pages.fetchedLate);
    assertEquals(0, pages.fetches, "each fetch is closed");
  }

  @Test
  void aCursorKeepsAtMostOneLeafPinnedAndNoneWhenClosed() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    for (int id = 0; id < 5000; id++) {
      model.put(SpatialData.entry(SpatialData.CLUSTERS.next(random), id));
    }
    HeapPages pages = new HeapPages(512, RTreeBuilder::new);
    pages.refusesToHold = true;
    DiskRTree tree = DiskRTree.open(pages, pages.build(model.entries()));
    EntryCursor cursor = tree.search(RegionQuery.everything());
    for (int i = 0; i < 3000; i++) {
      assertTrue(cursor.next());
      assertEquals(1, pages.pinned);
    }
    cursor.close();
    cursor.close();
    assertEquals(0, pages.pinned);
    assertFalse(cursor.next());
  }

  @Test
  void aFlippedBitIsCorruptionWhereItIsReadFirst() throws StorageException {
    int root = write(SpatialData.CLUSTERS, 20_000, 1024);
    byte[] flipped = new byte[1];
    try (StorageFile raw = files.open(PATH, OpenMode.READ_WRITE)) {
      raw.read(5 * 1024 + 500, flipped, 0, 1);
      flipped[0] ^= 4;
      raw.write(5 * 1024 + 500, flipped, 0, 1);
    }
    try (ComponentFile file = ComponentFile.open(files, PATH, STORE, new PageCache(1 << 20))) {
      DiskRTree tree = DiskRTree.open(file, root);
      CorruptionException found = assertThrows(CorruptionException.class, tree::verify);
      assertEquals(5 * 1024, found.offset());
      SpatialModel.Question all = new SpatialModel.Question(RegionQuery.everything(), r -> true);
      assertThrows(
          CorruptionException.class,
          () -> model.assertAnswers(all, tree.search(RegionQuery.everything()), true));
    }
  }

  @Test
  void theBuilderRefusesWhatNoTreeMayHold() throws StorageException {
    HeapPages pages = new HeapPages(256, RTreeBuilder::new);
    RTreeBuilder builder = new RTreeBuilder(pages);
    Entry low = SpatialData.entry(new Rectangle(1, 1, 1, 1), 1);
    Entry high = SpatialData.entry(new Rectangle(1, 1, 1, 1), 2);
    builder.add(high);
    assertThrows(RequestException.class, () -> builder.add(low));
    assertThrows(RequestException.class, () -> builder.add(high));
    Entry noKey = new Entry();
    noKey.key().set(new byte[40], 0, 40);
    assertThrows(RequestException.class, () -> builder.add(noKey));
    Entry tooLong = SpatialData.entry(new Rectangle(2, 2, 2, 2), 3);
    tooLong.value().set(new byte[64], 0, 64);
    assertThrows(LimitException.class, () -> builder.add(tooLong));
    assertEquals(0, new RTreeBuilder(new HeapPages(256, RTreeBuilder::new)).finish());
    assertEquals(1, DiskRTree.open(pages, builder.finish()).verify());
  }
}
