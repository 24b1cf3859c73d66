package dev.varve.btree.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.HeapPages;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Trees put together by hand that break one rule each, and keep those that are checked before. */
class CraftedTreeTest {
  private final HeapPages pages = new HeapPages(128, TreeBuilder::new);

  /** A leaf of one entry without a value; the prefix is as many bytes of the key. */
  private int leaf(String key, int prefixLength) {
    byte[] keyBytes = key.getBytes(StandardCharsets.US_ASCII);
    int rest = keyBytes.length - prefixLength;
    byte[] page = new byte[128];
    Bytes.putShort(page, LeafLayout.COUNT, 1);
    Bytes.putShort(page, LeafLayout.PREFIX_LENGTH, prefixLength);
    int slot = LeafLayout.slots(prefixLength);
    int entryAt = slot + LeafLayout.slotBytes(0);
    Bytes.putInt(page, LeafLayout.END, entryAt + 1);
    System.arraycopy(keyBytes, 0, page, LeafLayout.PREFIX, prefixLength);
    Bytes.putLongBigEndian(page, slot, Bytes.head(keyBytes, prefixLength, rest));
    Bytes.putShort(page, slot + LeafLayout.START_IN_SLOT, entryAt);
    page[entryAt] = (byte) (2 * rest);
    return pages.append(LeafLayout.KIND, page, 1);
  }

  /** An interior page of one separator of one byte; the prefix is as many bytes of it. */
  private int interior(int level, char separator, int prefixLength, int... children) {
    byte[] page = new byte[128];
    Bytes.putShort(page, InteriorLayout.COUNT, 1);
    Bytes.putShort(page, InteriorLayout.PREFIX_LENGTH, prefixLength);
    page[InteriorLayout.LEVEL] = (byte) level;
    int restAt = InteriorLayout.starts(1) + Short.BYTES + prefixLength;
    int end = restAt + 1 - prefixLength;
    Bytes.putInt(page, InteriorLayout.END, end);
    if (prefixLength == 0) {
      Bytes.putLongBigEndian(page, InteriorLayout.HEADS, (long) separator << 56);
    }
    Bytes.putInt(page, InteriorLayout.children(1), children[0]);
    Bytes.putInt(page, InteriorLayout.children(1) + Integer.BYTES, children[1]);
    Bytes.putShort(page, InteriorLayout.starts(1), restAt);
    page[end - 1] = (byte) separator;
    return pages.append(InteriorLayout.KIND, page, 1);
  }

  private void assertRefused(int root, String problem) {
    CorruptionException found =
        assertThrows(CorruptionException.class, () -> DiskTree.open(pages, root).verify());
    assertTrue(found.getMessage().contains(problem), found::getMessage);
  }

  @Test
  void aTreeThatKeepsEveryRuleIsAccepted() throws StorageException {
    int root = interior(1, 'c', 1, leaf("apple", 5), leaf("cherry", 6));
    assertEquals(2, DiskTree.open(pages, root).verify());
  }

  @Test
  void aPrefixShorterThanItCouldBeIsFound() {
    assertRefused(leaf("apple", 2), "prefix of 2 bytes, keys share 5");
    int root = interior(1, 'c', 0, leaf("apple", 5), leaf("cherry", 6));
    assertRefused(root, "prefix of 0 bytes, separators share 1");
  }

  @Test
  void leavesThatDoNotLieInTheOrderOfTheirKeysAreFound() {
    int high = leaf("cherry", 6);
    int low = leaf("apple", 5);
    assertRefused(interior(1, 'c', 1, low, high), "leaf before the one with lower keys");
  }

  @Test
  void aLevelThatDoesNotFallByOneIsFound() {
    int low = interior(1, 'c', 1, leaf("apple", 5), leaf("cherry", 6));
    int high = interior(1, 'p', 1, leaf("lemon", 5), leaf("plum", 4));
    assertRefused(interior(3, 'l', 1, low, high), "level 1, should be 2");
  }

  /** Twenty pages that lead to a million paths: opening must not follow them all. */
  @Test
  void pagesThatMultiplyPathsAreFoundSoon() {
    int page = interior(1, 'c', 1, leaf("apple", 5), leaf("cherry", 6));
    for (int level = 2; level <= 20; level++) {
      page = interior(level, 'c', 1, page, page);
    }
    assertRefused(page, "more interior pages than pages");
  }
}
