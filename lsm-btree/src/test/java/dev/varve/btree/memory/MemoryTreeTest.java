package dev.varve.btree.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.CursorReuse;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Single behaviours of the memory tree, one small tree each. */
class MemoryTreeTest {
  private final MemoryTree tree = new MemoryTree() {};
  private final Entry found = new Entry();

  private static byte[] key(long number) {
    byte[] key = new byte[8];
    Bytes.putLongBigEndian(key, 0, number);
    return key;
  }

  private static Entry entry(byte[] key, byte[] value) {
    Entry entry = new Entry();
    entry.key().set(key, 0, key.length);
    entry.value().set(value, 0, value.length);
    return entry;
  }

  @Test
  void anEmptyTreeHoldsNothingAndHardlyAnyMemory() throws StorageException {
    assertFalse(tree.find(new Slice(key(1)), found));
    try (EntryCursor cursor = tree.ascending(KeyBound.unbounded(), KeyBound.unbounded())) {
      assertFalse(cursor.next());
    }
    try (EntryCursor cursor = tree.descending(KeyBound.inclusive(key(1)), KeyBound.unbounded())) {
      assertFalse(cursor.next());
    }
    assertEquals(0, tree.entryCount());
    assertTrue(tree.usedBytes() < 4096, () -> tree.usedBytes() + " bytes");
  }

  @Test
  void replacingAnEntryCountsItOnceAndAntimatterIsAnEntry() {
    tree.put(entry(key(1), key(10)));
    tree.put(entry(key(1), key(20)));
    assertEquals(1, tree.entryCount());
    assertTrue(tree.find(new Slice(key(1)), found));
    assertArrayEquals(key(20), found.value().toByteArray());
    assertFalse(found.antimatter());
    tree.put(entry(key(1), Bytes.EMPTY).antimatter(true));
    assertTrue(tree.find(new Slice(key(1)), found));
    assertTrue(found.antimatter());
    assertEquals(0, found.value().length());
  }

  @Test
  void aFoundEntryIsACopyThatLaterPutsDoNotChange() {
    byte[] value = key(10);
    tree.put(entry(key(1), value));
    value[0] = 99;
    assertTrue(tree.find(new Slice(key(1)), found));
    tree.put(entry(key(1), key(20)));
    assertArrayEquals(key(10), found.value().toByteArray());
  }

  @Test
  void entriesLongerThanAChunkGetTheirOwn() {
    byte[] large = new byte[3 << 20];
    large[large.length - 1] = 5;
    byte[] middling = new byte[120_000];
    for (int i = 0; i < 40; i++) {
      tree.put(entry(key(i), i % 2 == 0 ? large : middling));
    }
    for (int i = 0; i < 40; i++) {
      assertTrue(tree.find(new Slice(key(i)), found));
      assertArrayEquals(i % 2 == 0 ? large : middling, found.value().toByteArray());
    }
    long stored = 20L * large.length + 20L * middling.length;
    assertTrue(tree.usedBytes() >= stored);
    assertTrue(tree.usedBytes() < stored + stored / 8, () -> tree.usedBytes() + " bytes");
  }

  @Test
  void ascendingPutsLeaveFullNodes() {
    int count = 200_000;
    for (int i = 0; i < count; i++) {
      tree.put(entry(key(i), Bytes.EMPTY));
    }
    long arena = (count * 16L + (1 << 20)) / (1 << 20) * (1 << 20);
    double nodeBytesPerEntry = (tree.usedBytes() - arena) / (double) count;
    // Twelve bytes a slot, and a little for headers, interior nodes and the size of chunks.
    assertTrue(nodeBytesPerEntry < 16, () -> nodeBytesPerEntry + " bytes of nodes per entry");
  }

  @Test
  void usedBytesOfASmallTreeStayNearWhatItHolds() {
    long stored = 0;
    for (int i = 0; i < 10_000; i++) {
      tree.put(entry(key(i), new byte[104]));
      stored += 8 + 8 + 104;
      long used = tree.usedBytes();
      assertTrue(used >= stored);
      assertTrue(used < stored * 5 / 4 + 80_000, used + " bytes for " + stored);
    }
  }

  @Test
  void usedBytesGrowWithEntriesAndReplacements() {
    for (int i = 0; i < 100_000; i++) {
      tree.put(entry(key(i % 10), new byte[100]));
    }
    assertTrue(tree.usedBytes() > 10_000_000L);
    assertEquals(10, tree.entryCount());
  }

  @Test
  void keysWhoseHeadsAreAllOnesAreToldApart() {
    byte[] ones = new byte[40];
    Arrays.fill(ones, (byte) 0xFF);
    for (int length = 40; length >= 0; length--) {
      tree.put(entry(Arrays.copyOf(ones, length), key(length)));
      tree.put(entry(Arrays.copyOf(ones, length), key(length)));
    }
    assertEquals(41, tree.entryCount());
    for (int length = 0; length <= 40; length++) {
      assertTrue(tree.find(new Slice(ones, 0, length), found));
      assertArrayEquals(key(length), found.value().toByteArray());
    }
  }

  @Test
  void aRangeThatEndsBeforeItBeginsIsEmpty() throws StorageException {
    for (int i = 0; i < 1000; i++) {
      tree.put(entry(key(i), Bytes.EMPTY));
    }
    KeyBound low = KeyBound.inclusive(key(700));
    KeyBound high = KeyBound.inclusive(key(200));
    try (EntryCursor cursor = tree.ascending(low, high)) {
      assertFalse(cursor.next());
    }
    try (EntryCursor cursor = tree.descending(low, high)) {
      assertFalse(cursor.next());
    }
  }

  @Test
  void aClosedCursorReturnsNothingMore() throws StorageException {
    tree.put(entry(key(1), Bytes.EMPTY));
    EntryCursor ascending = tree.ascending(KeyBound.unbounded(), KeyBound.unbounded());
    ascending.close();
    ascending.close();
    assertFalse(ascending.next());
    EntryCursor descending = tree.descending(KeyBound.unbounded(), KeyBound.unbounded());
    descending.close();
    assertFalse(descending.next());
  }

  @Test
  void aSearchLeavesWhatItIsMadeOfToTheNext() throws StorageException {
    for (int i = 0; i < 1000; i++) {
      tree.put(entry(key(i), Bytes.EMPTY));
    }
    CursorReuse.verify(tree::ascending, tree::descending, MemoryTreeTest::key);
  }
}
