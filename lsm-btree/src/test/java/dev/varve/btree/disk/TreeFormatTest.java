package dev.varve.btree.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Golden;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.testkit.HeapPages;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Trees have the bytes of docs/format/btree.md, and those of every release. */
class TreeFormatTest {
  private static final String RESOURCE = "v1/btree.txt";
  private static final int PAGE_SIZE = 128;
  private static final String[] KEYS = {
    "varve/apple", "varve/apricot", "varve/banana-split", "varve/banana-tree", "varve/b\u0001", "x"
  };

  private static Entry entry(String key) {
    Entry entry = new Entry();
    byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
    byte[] value = ("the value of " + key).getBytes(StandardCharsets.UTF_8);
    entry.antimatter(key.endsWith("t"));
    entry.key().set(keyBytes, 0, keyBytes.length);
    entry.value().set(value, 0, entry.antimatter() ? 0 : value.length);
    return entry;
  }

  private static String[] sortedKeys() {
    String[] keys = KEYS.clone();
    Arrays.sort(keys);
    return keys;
  }

  @Test
  void aTreeHasTheBytesOfTheFormatPage() throws StorageException {
    HeapPages pages = new HeapPages(PAGE_SIZE, TreeBuilder::new);
    TreeBuilder builder = new TreeBuilder(pages);
    for (String key : sortedKeys()) {
      builder.add(entry(key));
    }
    int root = builder.finish();
    assertEquals(pages.pageCount - 1, root);
    byte[] tree = Arrays.copyOfRange(pages.bytes, PAGE_SIZE, pages.bytes.length);
    Golden.requireSame(RESOURCE, "btree.md", Golden.dump(tree));
  }

  @Test
  void theTreeOfVersionOneIsRead() throws StorageException {
    byte[] golden = Golden.bytes(RESOURCE);
    HeapPages pages = new HeapPages(PAGE_SIZE, TreeBuilder::new);
    pages.pageCount = 1 + golden.length / PAGE_SIZE;
    pages.bytes = new byte[PAGE_SIZE + golden.length];
    System.arraycopy(golden, 0, pages.bytes, PAGE_SIZE, golden.length);
    DiskTree tree = DiskTree.open(pages, pages.pageCount - 1);
    assertEquals(KEYS.length, tree.verify());
    Entry found = new Entry();
    try (EntryCursor cursor = tree.scan()) {
      for (String key : sortedKeys()) {
        Entry expected = entry(key);
        assertTrue(cursor.next());
        assertEquals(expected.toString(), cursor.entry().toString());
        assertTrue(tree.find(expected.key(), found));
        assertEquals(expected.toString(), found.toString());
      }
      assertFalse(cursor.next());
    }
  }
}
