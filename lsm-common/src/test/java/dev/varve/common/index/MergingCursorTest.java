package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Goal: the newest state of each key, in order. Method: streams whose keys share heads or not, up
 * to more of them than the list is looked through one by one, held against a map.
 */
final class MergingCursorTest {
  /** A stream that is a map. */
  private static final class MapCursor implements EntryCursor {
    private final Iterator<String> keys;
    private final String value;
    private final Entry entry = new Entry();

    MapCursor(Iterator<String> keys, String value) {
      this.keys = keys;
      this.value = value;
    }

    @Override
    public boolean next() {
      if (!keys.hasNext()) {
        return false;
      }
      byte[] key = keys.next().getBytes(StandardCharsets.UTF_8);
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      entry.key().set(key, 0, key.length);
      entry.value().set(bytes, 0, bytes.length);
      return true;
    }

    @Override
    public Entry entry() {
      return entry;
    }

    @Override
    public void close() {}
  }

  @Test
  void handsOutTheNewestStateOfEachKeyInOrder() throws StorageException {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      boolean descending = random.nextBoolean();
      Comparator<String> order = descending ? Comparator.reverseOrder() : Comparator.naturalOrder();
      // Behind a long beginning that all share, heads tell nothing; with empty streams between.
      String prefix = random.nextBoolean() ? "" : "a beginning";
      int domain = 1 + random.nextInt(200);
      TreeMap<String, String> expected = new TreeMap<>(order);
      List<EntryCursor> cursors = new ArrayList<>();
      int streams = random.nextInt(random.nextBoolean() ? 6 : 60);
      for (int stream = 0; stream < streams; stream++) {
        TreeMap<String, String> keys = new TreeMap<>(order);
        for (int i = random.nextInt(40); i > 0; i--) {
          keys.put(prefix + random.nextInt(domain), "");
        }
        String value = "stream " + stream;
        keys.keySet().forEach(key -> expected.putIfAbsent(key, value));
        cursors.add(new MapCursor(keys.keySet().iterator(), value));
      }
      List<String> got = new ArrayList<>();
      try (MergingCursor merged = new MergingCursor(cursors, 1, descending, () -> {})) {
        while (merged.next()) {
          got.add(text(merged.entry().key()) + "=" + text(merged.entry().value()));
          assertEquals("stream " + merged.source(), text(merged.entry().value()));
        }
        assertFalse(merged.next(), "seed " + seed);
      }
      List<String> wanted = new ArrayList<>();
      expected.forEach((key, value) -> wanted.add(key + "=" + value));
      assertEquals(wanted, got, "seed " + seed);
    }
  }

  @Test
  void closesItsCursorsAndTellsItsOwnerOnce() {
    int[] told = new int[1];
    MergingCursor merged = new MergingCursor(List.of(), 0, false, () -> told[0]++);
    merged.close();
    merged.close();
    assertTrue(told[0] == 1, "told " + told[0] + " times");
  }

  private static String text(Slice bytes) {
    return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
  }
}
