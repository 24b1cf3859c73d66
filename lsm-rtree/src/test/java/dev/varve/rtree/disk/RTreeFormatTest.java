package dev.varve.rtree.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Golden;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.testkit.HeapPages;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.geometry.SpatialKeyEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Trees have the bytes of docs/format/rtree.md, and those of every release. */
class RTreeFormatTest {
  private static final String RESOURCE = "v1/rtree.txt";
  private static final int PAGE_SIZE = 256;

  private static Entry entry(Rectangle place, String primaryKey, String value) {
    Entry entry = new Entry();
    Slice id = new Slice(primaryKey.getBytes(StandardCharsets.UTF_8));
    entry.key().copyOf(new SpatialKeyEncoder().encode(place, id));
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    entry.value().copyOf(bytes, 0, bytes.length);
    return entry;
  }

  private static List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      double x = i % 2 == 0 ? -1.5 : -1;
      entries.add(entry(new Rectangle(x, -2, x, -2), "p" + i, ""));
    }
    entries.get(3).antimatter(true);
    entries.add(entry(new Rectangle(10, 20, 30, 40), "area", "v"));
    entries.add(entry(new Rectangle(300, 0, 300, 0), "far", ""));
    entries.sort((a, b) -> a.key().compareBytes(b.key()));
    return entries;
  }

  @Test
  void aTreeHasTheBytesOfTheFormatPage() throws StorageException {
    HeapPages pages = new HeapPages(PAGE_SIZE, RTreeBuilder::new);
    int root = pages.build(entries());
    assertEquals(pages.pageCount - 1, root);
    byte[] tree = Arrays.copyOfRange(pages.bytes, PAGE_SIZE, pages.bytes.length);
    Golden.requireSame(RESOURCE, "rtree.md", Golden.dump(tree));
  }

  @Test
  void theTreeOfVersionOneIsRead() throws StorageException {
    byte[] golden = Golden.bytes(RESOURCE);
    HeapPages pages = new HeapPages(PAGE_SIZE, RTreeBuilder::new);
    pages.pageCount = 1 + golden.length / PAGE_SIZE;
    pages.bytes = new byte[PAGE_SIZE + golden.length];
    System.arraycopy(golden, 0, pages.bytes, PAGE_SIZE, golden.length);
    DiskRTree tree = DiskRTree.open(pages, pages.pageCount - 1);
    List<Entry> entries = entries();
    assertEquals(entries.size(), tree.verify());
    Entry found = new Entry();
    try (EntryCursor cursor = tree.scan()) {
      for (Entry expected : entries) {
        assertTrue(cursor.next());
        assertEquals(expected.toString(), cursor.entry().toString());
        assertTrue(tree.find(expected.key(), found));
        assertEquals(expected.toString(), found.toString());
      }
      assertFalse(cursor.next());
    }
  }
}
