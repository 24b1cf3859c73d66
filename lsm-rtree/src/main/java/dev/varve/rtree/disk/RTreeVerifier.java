package dev.varve.rtree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageLayout;
import dev.varve.rtree.geometry.HilbertCurve;
import dev.varve.rtree.geometry.SpatialKey;
import java.util.BitSet;

/** Walks a tree from the root and checks every rule of docs/format/rtree.md. Used once. */
final class RTreeVerifier {
  private final PageFile file;
  private final BitSet reached = new BitSet();
  private final LeafReader reader;
  private final Entry entry = new Entry();
  private final Slice lastKey = new Slice();
  private byte[] leaf = Bytes.EMPTY;
  private int lastLeafPage;
  private long entries;

  RTreeVerifier(PageFile file) {
    this.file = file;
    this.reader = new LeafReader(file);
  }

  long verify(int rootPage) throws StorageException {
    byte[] root = file.readUncached(rootPage, Bytes.EMPTY);
    if (root[PageLayout.KIND] == LeafLayout.KIND) {
      verifyLeaf(rootPage);
    } else {
      verifyInterior(rootPage, root[InteriorLayout.LEVEL]);
    }
    return entries;
  }

  /** Checks a page and everything below it, and returns what its parent must state. */
  private Bounds verifyInterior(int pageNumber, int level) throws StorageException {
    byte[] page = file.readUncached(pageNumber, Bytes.EMPTY);
    String problem = InteriorPage.problem(page, 0, file.pageSize());
    require(problem == null, pageNumber, String.valueOf(problem));
    require(InteriorPage.level(page, 0) == level, pageNumber, "level, should be " + level);
    require(isZero(page, InteriorLayout.RESERVED, InteriorLayout.COLUMNS), pageNumber, "reserved");
    int count = InteriorPage.count(page, 0);
    require(
        isZero(page, InteriorLayout.end(count), file.pageSize()), pageNumber, "bytes at the end");
    reach(pageNumber);
    Boxes boxes = new Boxes();
    InteriorPage.viewBoxes(page, 0, boxes);
    Bounds stated = new Bounds();
    Bounds all = new Bounds();
    for (int i = 0; i < count; i++) {
      int child = InteriorPage.child(page, 0, i);
      Bounds found = level == 1 ? verifyLeaf(child) : verifyInterior(child, level - 1);
      stated.clear();
      stated.minX = boxes.minX(i);
      stated.minY = boxes.minY(i);
      stated.maxX = boxes.maxX(i);
      stated.maxY = boxes.maxY(i);
      stated.position = InteriorPage.position(page, 0, i);
      require(
          stated.same(found), pageNumber, "bounds of child " + i + " are not those of its content");
      all.add(boxes, i);
    }
    all.position = InteriorPage.position(page, 0, 0);
    return all;
  }

  private Bounds verifyLeaf(int pageNumber) throws StorageException {
    leaf = file.readUncached(pageNumber, leaf);
    reader.load(leaf, 0, pageNumber);
    reach(pageNumber);
    require(pageNumber > lastLeafPage, pageNumber, "leaf before the one with lower keys");
    lastLeafPage = pageNumber;
    require(isZero(leaf, reader.end(), file.pageSize()), pageNumber, "bytes behind the tails");
    // Each tail ends where the next one starts, so only before the first can there be a gap.
    require(reader.start(0) == reader.tailsAt(), pageNumber, "a gap before tail 0");
    Bounds bounds = new Bounds();
    boolean onlyPoints = true;
    for (int slot = 0; slot < reader.count(); slot++) {
      reader.view(slot, entry);
      verifyKey(pageNumber, slot);
      onlyPoints &= SpatialKey.isPoint(entry.key());
      bounds.add(reader.boxes(), slot);
      lastKey.copyOf(entry.key());
      entries++;
    }
    require(
        onlyPoints == (reader.corners() == 1), pageNumber, "corners stored twice for points only");
    bounds.position = reader.position(0);
    return bounds;
  }

  private void verifyKey(int pageNumber, int slot) throws CorruptionException {
    Slice key = entry.key();
    if (!SpatialKey.isWellFormed(key)) {
      throw broken(pageNumber, "coordinates of entry " + slot);
    }
    if (HilbertCurve.position(SpatialKey.rectangle(key)) != SpatialKey.position(key)) {
      throw broken(pageNumber, "position of entry " + slot + " is not that of its centre");
    }
    if (entries > 0 && lastKey.compareBytes(key) >= 0) {
      throw broken(pageNumber, "key of entry " + slot + " is not above the one before");
    }
    int bytes = key.length() + entry.value().length();
    if (bytes > Limits.maxEntryBytes(file.pageSize())) {
      throw broken(pageNumber, "entry " + slot + " has " + bytes + " bytes");
    }
  }

  private void reach(int pageNumber) throws CorruptionException {
    require(!reached.get(pageNumber), pageNumber, "page is reached twice");
    reached.set(pageNumber);
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
