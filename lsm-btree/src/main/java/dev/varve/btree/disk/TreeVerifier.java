package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageLayout;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Walks a tree from the root and checks every rule of docs/format/btree.md. Used once. */
final class TreeVerifier {
  /** The bounds that the pages above state for a page: low included, high not; null for none. */
  private record Bounds(@Nullable Slice low, @Nullable Slice high) {}

  private final PageFile file;
  private final BitSet reached = new BitSet();
  private final LeafReader reader;
  private final Entry entry = new Entry();
  private final Slice lastKey = new Slice();
  private byte[] leaf = Bytes.EMPTY;
  private int lastLeafPage;
  private long entries;

  TreeVerifier(PageFile file) {
    this.file = file;
    this.reader = new LeafReader(file);
  }

  long verify(int rootPage) throws StorageException {
    byte[] root = file.readUncached(rootPage, Bytes.EMPTY);
    Bounds everything = new Bounds(null, null);
    if (root[PageLayout.KIND] == LeafLayout.KIND) {
      verifyLeaf(rootPage, everything);
    } else {
      verifyInterior(rootPage, root[InteriorLayout.LEVEL], everything);
    }
    return entries;
  }

  private void verifyInterior(int pageNumber, int level, Bounds bounds) throws StorageException {
    byte[] page = file.readUncached(pageNumber, Bytes.EMPTY);
    String problem = InteriorPage.problem(page, 0, file.pageSize());
    require(problem == null, pageNumber, String.valueOf(problem));
    require(InteriorPage.level(page, 0) == level, pageNumber, "level, should be " + level);
    require(isZero(page, InteriorLayout.RESERVED, InteriorLayout.HEADS), pageNumber, "reserved");
    require(
        isZero(page, InteriorPage.end(page, 0), file.pageSize()), pageNumber, "bytes at the end");
    reach(pageNumber, 1);
    int count = InteriorPage.count(page, 0);
    Slice low = bounds.low;
    for (int index = 0; index <= count; index++) {
      Slice high = index < count ? new Slice(InteriorPage.separator(page, 0, index)) : bounds.high;
      require(
          low == null || high == null || low.compareBytes(high) < 0,
          pageNumber,
          "separator " + index + " is not above the one before, or not within its page's bounds");
      Bounds childBounds = new Bounds(low, high);
      int child = InteriorPage.child(page, 0, index);
      if (level == 1) {
        verifyLeaf(child, childBounds);
      } else {
        verifyInterior(child, level - 1, childBounds);
      }
      low = high;
    }
    verifyPrefix(page, pageNumber);
  }

  private void verifyPrefix(byte[] page, int pageNumber) throws CorruptionException {
    int count = InteriorPage.count(page, 0);
    int shared = 0;
    if (count > 0) {
      byte[] first = InteriorPage.separator(page, 0, 0);
      byte[] last = InteriorPage.separator(page, 0, count - 1);
      shared = TreeBuilder.commonPrefix(new Slice(first), new Slice(last));
    }
    int prefixLength = InteriorPage.prefixLength(page, 0);
    require(
        shared == prefixLength,
        pageNumber,
        "prefix of " + prefixLength + " bytes, separators share " + shared);
  }

  private void verifyLeaf(int pageNumber, Bounds bounds) throws StorageException {
    leaf = file.readUncached(pageNumber, leaf);
    reader.load(leaf, 0, pageNumber);
    int units = leaf[PageLayout.UNITS] & 0xFF;
    reach(pageNumber, units);
    require(pageNumber > lastLeafPage, pageNumber, "leaf before the one with lower keys");
    lastLeafPage = pageNumber;
    long header = LeafPage.header(leaf, 0);
    int end = LeafPage.end(header);
    require(isZero(leaf, end, units * file.pageSize()), pageNumber, "bytes behind the entries");
    require(units == (end + file.pageSize() - 1) / file.pageSize(), pageNumber, "more units");
    // Each entry ends where the next one starts, so only before the first can there be a gap.
    require(
        LeafPage.start(leaf, 0, header, 0) == LeafPage.entriesAt(header),
        pageNumber,
        "a gap before entry 0");
    Slice first = new Slice();
    for (int slot = 0; slot < reader.count(); slot++) {
      reader.view(slot, entry);
      verifyKey(pageNumber, slot, bounds);
      if (slot == 0) {
        first.copyOf(entry.key());
      }
      lastKey.copyOf(entry.key());
      entries++;
    }
    int shared = TreeBuilder.commonPrefix(first, lastKey);
    int prefixLength = LeafPage.prefixLength(header);
    require(
        shared == prefixLength,
        pageNumber,
        "prefix of " + prefixLength + " bytes, keys share " + shared);
  }

  private void verifyKey(int pageNumber, int slot, Bounds bounds) throws CorruptionException {
    Slice key = entry.key();
    long header = LeafPage.header(leaf, 0);
    int rest = key.length() - LeafPage.prefixLength(header);
    if (rest < Long.BYTES
        && (LeafPage.head(leaf, 0, header, slot) & (-1L >>> (Byte.SIZE * rest))) != 0) {
      throw broken(pageNumber, "no zeros behind the short head of entry " + slot);
    }
    if (entries > 0 && lastKey.compareBytes(key) >= 0) {
      throw broken(pageNumber, "key of entry " + slot + " is not above the one before");
    }
    if (bounds.low != null && key.compareBytes(bounds.low) < 0) {
      throw broken(pageNumber, "key of entry " + slot + " is below the leaf's low bound");
    }
    if (bounds.high != null && key.compareBytes(bounds.high) >= 0) {
      throw broken(pageNumber, "key of entry " + slot + " is not below the leaf's high bound");
    }
    if (key.length() > Limits.maxKeyBytes(file.pageSize())) {
      throw broken(pageNumber, "key of entry " + slot + " has " + key.length() + " bytes");
    }
  }

  private void reach(int pageNumber, int units) throws CorruptionException {
    require(
        reached.get(pageNumber, pageNumber + units).isEmpty(), pageNumber, "page is reached twice");
    reached.set(pageNumber, pageNumber + units);
  }

  private void require(boolean holds, int pageNumber, String problem) throws CorruptionException {
    if (!holds) {
      throw broken(pageNumber, problem);
    }
  }

  private CorruptionException broken(int pageNumber, String problem) {
    return new CorruptionException(file.name(), (long) pageNumber * file.pageSize(), problem);
  }

  private static boolean isZero(byte[] page, int from, int to) {
    for (int i = from; i < to; i++) {
      if (page[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
