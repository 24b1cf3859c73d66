package dev.varve.btree.disk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.CursorReuse;
import dev.varve.btree.KeyShape;
import dev.varve.btree.Model;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.Lookup;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.testkit.HeapPages;
import dev.varve.common.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Single behaviours of trees on pages: limits, shapes, and what a read touches. */
class DiskTreeTest {
  private static final long SEED = 20261124;

  private final HeapPages pages = new HeapPages(512, TreeBuilder::new);
  private final Entry found = new Entry();

  private static byte[] key(long number) {
    byte[] key = new byte[9];
    key[0] = 7;
    Bytes.putLongBigEndian(key, 1, number);
    return key;
  }

  private static Entry entry(byte[] key, byte[] value) {
    Entry entry = new Entry();
    entry.key().set(key, 0, key.length);
    entry.value().set(value, 0, value.length);
    return entry;
  }

  private static List<Entry> numbered(int count, int valueLength) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(entry(key(i), new byte[valueLength]));
    }
    return entries;
  }

  @Test
  void othersReadTheInteriorPagesWhileATreeIsOpened() throws StorageException {
    int root = pages.build(numbered(20_000, 20));
    DiskTree.open(pages, root);
    assertEquals(root, pages.held.get(0));
    List<Integer> below = pages.held.subList(1, pages.held.size());
    assertTrue(below.size() > 20, "a tree of three levels and more");
    assertEquals(below.stream().sorted().toList(), pages.fetched.stream().sorted().toList());
    assertFalse(pages.fetchedLate);
    assertEquals(0, pages.fetches, "each fetch is closed");
    // A level that falls by none is damage, which is found within the fetch.
    pages.bytes[below.get(0) * 512 + InteriorLayout.LEVEL]++;
    HeapPages damaged = pages.copy();
    assertThrows(CorruptionException.class, () -> DiskTree.open(damaged, root));
    assertFalse(damaged.fetched.isEmpty());
    assertEquals(0, damaged.fetches, "each fetch is closed");
  }

  @Test
  void everyCursorAndLookupSaysTheSamePositionOfAnEntry() throws StorageException {
    List<Entry> entries = numbered(500, 3);
    TreeBuilder builder = new TreeBuilder(pages);
    for (Entry entry : entries) {
      builder.add(entry);
    }
    DiskTree tree = DiskTree.open(pages, builder.finish());
    List<Long> positions = new ArrayList<>();
    try (EntryCursor scan = tree.scan()) {
      while (scan.next()) {
        positions.add(scan.position());
      }
    }
    assertEquals(entries.size(), new HashSet<>(positions).size(), "no two are the same");
    int from = 123;
    int to = 456;
    KeyBound low = KeyBound.inclusive(entries.get(from).key());
    KeyBound high = KeyBound.inclusive(entries.get(to).key());
    List<Long> expected = new ArrayList<>(positions.subList(from, to + 1));
    List<Long> seen = new ArrayList<>();
    try (EntryCursor ascending = tree.ascending(low, high)) {
      while (ascending.next()) {
        seen.add(ascending.position());
      }
    }
    assertEquals(expected, seen);
    seen.clear();
    try (EntryCursor descending = tree.descending(low, high)) {
      while (descending.next()) {
        seen.add(0, descending.position());
      }
    }
    assertEquals(expected, seen);
    LookupBatch batch = new LookupBatch();
    for (int i = 0; i < entries.size(); i += 7) {
      batch.add(entries.get(i).key());
    }
    batch.begin();
    for (int n = 0; n < batch.pendingCount(); n++) {
      batch.ask(batch.pending(n));
    }
    tree.findAll(batch);
    assertEquals(batch.size(), batch.to());
    for (int i = 0; i < batch.size(); i++) {
      assertTrue(batch.isFound(i));
      assertEquals(positions.get(7 * i), batch.liesAt(i));
    }
  }

  @Test
  void aTreeWithoutEntriesHasNoPages() throws StorageException {
    int root = pages.build(List.of());
    assertEquals(DiskTree.NO_ROOT, root);
    assertEquals(1, pages.pageCount());
    DiskTree tree = DiskTree.open(pages, root);
    assertFalse(tree.find(new Slice(key(1)), found));
    assertEquals(0, tree.verify());
    for (EntryCursor opened :
        List.of(
            tree.scan(),
            tree.ascending(KeyBound.unbounded(), KeyBound.unbounded()),
            tree.descending(KeyBound.unbounded(), KeyBound.unbounded()))) {
      try (EntryCursor cursor = opened) {
        assertFalse(cursor.next());
      }
    }
  }

  @Test
  void keysMustAscend() throws StorageException {
    TreeBuilder builder = new TreeBuilder(pages);
    builder.add(entry(key(5), Bytes.EMPTY));
    for (byte[] wrong : List.of(key(5), key(4), new byte[] {7}, Bytes.EMPTY)) {
      RequestException refused =
          assertThrows(RequestException.class, () -> builder.add(entry(wrong, Bytes.EMPTY)));
      assertEquals(RequestException.Reason.UNSORTED_INPUT, refused.reason());
    }
    builder.add(entry(Arrays.copyOf(key(5), 10), Bytes.EMPTY));
    assertEquals(2, DiskTree.open(pages, builder.finish()).verify());
  }

  @Test
  void aKeyOverTheLimitIsRefusedAndOneAtTheLimitIsNot() throws StorageException {
    int limit = Limits.maxKeyBytes(512);
    assertEquals(128, limit);
    assertEquals(4096, Limits.maxKeyBytes(16 << 10));
    assertEquals(1 << 15, Limits.maxKeyBytes(1 << 20));
    TreeBuilder builder = new TreeBuilder(pages);
    for (int i = 1; i < 200; i++) {
      byte[] longest = new byte[limit];
      Arrays.fill(longest, (byte) 9);
      longest[limit - 1] = (byte) i;
      builder.add(entry(longest, new byte[300]));
    }
    byte[] tooLong = new byte[limit + 1];
    tooLong[0] = 10;
    assertThrows(LimitException.class, () -> builder.add(entry(tooLong, Bytes.EMPTY)));
    assertEquals(199, DiskTree.open(pages, builder.finish()).verify());
  }

  @Test
  void anEntryOverTheLimitIsRefusedAndOneAtTheLimitIsNot() throws StorageException {
    byte[] longest = new byte[Limits.maxEntryBytes(512) - 9];
    Arrays.fill(longest, (byte) 3);
    TreeBuilder builder = new TreeBuilder(pages);
    builder.add(entry(key(1), new byte[10]));
    builder.add(entry(key(2), longest));
    builder.add(entry(key(3), new byte[10]));
    Entry tooLong = entry(key(4), new byte[longest.length + 1]);
    assertThrows(LimitException.class, () -> builder.add(tooLong));
    DiskTree tree = DiskTree.open(pages, builder.finish());
    assertEquals(3, tree.verify());
    assertTrue(tree.find(new Slice(key(2)), found));
    assertArrayEquals(longest, found.value().toByteArray());
    // Three leaves, one of 255 units, and their root.
    assertEquals(1 + 1 + 255 + 1 + 1, pages.pageCount());
  }

  @Test
  void leavesAreFullAndFollowEachOther() throws StorageException {
    int count = 20_000;
    int valueLength = 20;
    HeapPages large = new HeapPages(4096, TreeBuilder::new);
    DiskTree tree = DiskTree.open(large, large.build(numbered(count, valueLength)));
    assertEquals(count, tree.verify());
    // Head, start and length take eleven bytes; the prefix and the rest of the key next to none.
    double stored = count * (valueLength + 11.0);
    double share = stored / large.writtenBytes();
    assertTrue(share > 0.97, () -> share + " of the bytes are entries");
  }

  @Test
  void keysWhoseHeadsAreAllOnesAreToldApart() throws StorageException {
    byte[] ones = new byte[120];
    Arrays.fill(ones, (byte) 0xFF);
    TreeBuilder builder = new TreeBuilder(pages);
    for (int length = 0; length <= 120; length++) {
      builder.add(entry(Arrays.copyOf(ones, length), key(length)));
    }
    DiskTree tree = DiskTree.open(pages, builder.finish());
    assertEquals(121, tree.verify());
    for (int length = 0; length <= 120; length++) {
      assertTrue(tree.find(new Slice(ones, 0, length), found));
      assertArrayEquals(key(length), found.value().toByteArray());
    }
  }

  @Test
  void aPointReadPinsOneLeafAndNothingElse() throws StorageException {
    DiskTree tree = DiskTree.open(pages, pages.build(numbered(20_000, 20)));
    pages.pins = 0;
    assertTrue(tree.find(new Slice(key(12_345)), found));
    assertFalse(tree.find(new Slice(key(20_000)), found));
    assertEquals(2, pages.pins);
    assertEquals(0, pages.pinned);
  }

  @Test
  void aGlancePinsNothingAndSaysWhatItSees() throws StorageException {
    DiskTree tree = DiskTree.open(pages, pages.build(numbered(20_000, 20)));
    pages.pins = 0;
    assertEquals(Lookup.FOUND, tree.findOptimistically(new Slice(key(12_346)), found));
    assertArrayEquals(key(12_346), found.key().toByteArray());
    assertEquals(Lookup.ABSENT, tree.findOptimistically(new Slice(key(20_000)), found));
    pages.stampsValid = false;
    assertEquals(Lookup.RETRY, tree.findOptimistically(new Slice(key(12_346)), found));
    assertEquals(Lookup.RETRY, tree.findOptimistically(new Slice(key(20_000)), found));
    pages.cached = false;
    assertEquals(Lookup.RETRY, tree.findOptimistically(new Slice(key(12_346)), found));
    assertEquals(0, pages.pins);
  }

  /** By estimates where they are right, and past them where not. */
  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void aGlanceKnowsOfEveryKeyWhetherItIsThere(KeyShape shape) throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    Model model = new Model();
    for (int i = 0; i < 20_000; i++) {
      byte[] key = shape.key(random);
      if (key.length <= Limits.maxKeyBytes(pages.pageSize())) {
        model.put(key, 10, random);
      }
    }
    DiskTree tree = DiskTree.open(pages, pages.build(model.entries().values()));
    int unknown = 0;
    int asked = 0;
    for (byte[] present : model.entries().keySet()) {
      byte[] beside = present.length == 0 ? new byte[1] : present.clone();
      beside[beside.length - 1] += (byte) (1 - 2 * random.nextInt(2));
      for (byte[] key : List.of(present, beside)) {
        Slice wanted = new Slice(key);
        tree.touchGlance(wanted);
        Lookup outcome = tree.findOptimistically(wanted, found);
        Lookup expected = model.entries().containsKey(key) ? Lookup.FOUND : Lookup.ABSENT;
        unknown += outcome == Lookup.RETRY ? 1 : 0;
        asked++;
        assertTrue(outcome == Lookup.RETRY || outcome == expected, () -> wanted + " is " + outcome);
      }
    }
    assertTrue(shape != KeyShape.UNIFORM || unknown < asked / 50, unknown + " of " + asked);
  }

  @Test
  void aGlanceAtADamagedLeafLeavesItToTheReaderWithAPin() throws StorageException {
    DiskTree tree = DiskTree.open(pages, pages.build(numbered(20_000, 20)));
    Slice wanted = new Slice(key(0));
    pages.bytes[512 + LeafLayout.END] = 0;
    pages.bytes[512 + LeafLayout.END + 1] = 0;
    assertEquals(Lookup.RETRY, tree.findOptimistically(wanted, found));
    assertThrows(CorruptionException.class, () -> tree.find(wanted, found));
  }

  @Test
  void aPointReadAllocatesNothing() throws StorageException {
    DiskTree tree = DiskTree.open(pages, pages.build(numbered(20_000, 20)));
    Slice wanted = new Slice(key(12_345));
    assertTrue(tree.find(wanted, found));
    var threads =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    threads.getThreadAllocatedBytes(thread);
    long before = threads.getThreadAllocatedBytes(thread);
    for (int i = 0; i < 10_000; i++) {
      tree.find(wanted, found);
    }
    long allocated = threads.getThreadAllocatedBytes(thread) - before;
    // The virtual machine itself allocates a little now and then.
    assertTrue(allocated < 10_000, () -> allocated + " bytes in 10,000 finds");
  }

  @Test
  void aCursorHasOnePagePinnedUntilItEndsOrIsClosed() throws StorageException {
    DiskTree tree = DiskTree.open(pages, pages.build(numbered(1000, 20)));
    try (EntryCursor cursor = tree.ascending(KeyBound.unbounded(), KeyBound.unbounded())) {
      assertEquals(0, pages.pinned);
      while (cursor.next()) {
        assertEquals(1, pages.pinned);
      }
      assertEquals(0, pages.pinned);
    }
    EntryCursor descending = tree.descending(KeyBound.unbounded(), KeyBound.unbounded());
    assertTrue(descending.next());
    assertEquals(1, pages.pinned);
    descending.close();
    descending.close();
    assertEquals(0, pages.pinned);
    assertFalse(descending.next());
    EntryCursor scan = tree.scan();
    assertTrue(scan.next());
    assertEquals(0, pages.pinned);
    scan.close();
    assertFalse(scan.next());
  }

  @Test
  void aSearchLeavesWhatItIsMadeOfToTheNext() throws StorageException {
    DiskTree tree = DiskTree.open(pages, pages.build(numbered(1000, 20)));
    CursorReuse.verify(tree::ascending, tree::descending, DiskTreeTest::key);
    assertEquals(0, pages.pinned);
  }
}
