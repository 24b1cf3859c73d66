package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.KeyValueOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Every form of bound means the same at either end of a range, in both directions, wherever the
 * keys are. Method: all ranges between bounds at empty keys, zero bytes, bytes of FF and the
 * longest keys, that are there or not, against a sorted set and the words of the bounds.
 */
class KeyBoundsTest {
  private static final int LONGEST = 256;

  /** An end of a range, and which keys it lets in from either side. */
  private record End(KeyBound bound, Predicate<byte[]> asLow, Predicate<byte[]> asHigh) {}

  private final TestStore store = TestStore.empty(1);
  private final TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
  private final List<End> ends = new ArrayList<>();

  KeyBoundsTest() {
    List<byte[]> all = candidates();
    for (int i = 0; i < all.size(); i++) {
      byte[] key = all.get(i);
      if (i % 3 != 2) {
        keys.add(key);
      }
      ends.add(new End(KeyBound.inclusive(key), k -> order(k, key) >= 0, k -> order(k, key) <= 0));
      ends.add(new End(KeyBound.exclusive(key), k -> order(k, key) > 0, k -> order(k, key) < 0));
      ends.add(
          new End(
              KeyBound.afterPrefix(key),
              k -> order(k, key) > 0 && !begins(k, key),
              k -> order(k, key) < 0 || begins(k, key)));
    }
    ends.add(new End(KeyBound.unbounded(), k -> true, k -> true));
  }

  private static List<byte[]> candidates() {
    byte[] alphabet = {0, 'a', (byte) 0xFF};
    List<byte[]> all = new ArrayList<>();
    all.add(new byte[0]);
    for (byte first : alphabet) {
      all.add(new byte[] {first});
      for (byte second : alphabet) {
        all.add(new byte[] {first, second});
      }
    }
    for (byte b : alphabet) {
      byte[] longest = new byte[LONGEST];
      Arrays.fill(longest, b);
      all.add(longest);
    }
    all.add(new byte[] {'b'});
    all.add(new byte[] {1});
    all.add(new byte[] {(byte) 0xFF, (byte) 0xFF, 5});
    all.add(new byte[] {(byte) 0xFE, (byte) 0xFF});
    return all;
  }

  private static int order(byte[] key, byte[] bound) {
    return Arrays.compareUnsigned(key, bound);
  }

  private static boolean begins(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  @Test
  void everyRangeIsExactInMemory() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", KeyValueModel.options());
      put(pairs, keys);
      check(pairs);
    }
  }

  @Test
  void everyRangeIsExactInOneComponentOnDisk() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", KeyValueModel.options());
      put(pairs, keys);
      pairs.compact();
      check(pairs);
    }
  }

  @Test
  void everyRangeIsExactInComponentsThatHideEachOther() throws StorageException {
    overwrittenIn(KeyValueModel.options());
  }

  @Test
  void everyRangeIsExactInComponentsThatAreCutByKeyRange() throws StorageException {
    overwrittenIn(KeyValueModel.options().withMergePolicy(KeyValueModel.CUT));
  }

  private void overwrittenIn(KeyValueOptions options) throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", options);
      put(pairs, keys);
      pairs.flush();
      put(pairs, candidates());
      pairs.compact();
      put(pairs, keys);
      pairs.flush();
      try (KeyValueSession session = pairs.openSession()) {
        for (byte[] key : candidates()) {
          if (!keys.contains(key)) {
            session.remove(new Slice(key));
          }
        }
      }
      check(pairs);
    }
  }

  @Test
  void aSkipScanOverPrefixesEnds() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", KeyValueModel.options());
      put(pairs, keys);
      List<Integer> seen = new ArrayList<>();
      KeyBound low = KeyBound.exclusive(new byte[0]);
      while (seen.size() < 300) {
        try (RecordCursor cursor = pairs.scan(KeyRange.between(low, KeyBound.unbounded()))) {
          if (!cursor.next()) {
            break;
          }
          byte[] prefix = {cursor.key().toByteArray()[0]};
          seen.add(prefix[0] & 0xFF);
          low = KeyBound.afterPrefix(prefix);
        }
      }
      List<Integer> expected =
          keys.stream().filter(k -> k.length > 0).map(k -> k[0] & 0xFF).distinct().toList();
      assertEquals(expected, seen);
    }
  }

  private static void put(KeyValueStore pairs, Iterable<byte[]> keys) throws StorageException {
    try (KeyValueSession session = pairs.openSession()) {
      for (byte[] key : keys) {
        session.put(new Slice(key), new Slice(new byte[100]));
      }
    }
  }

  private void check(KeyValueStore pairs) throws StorageException {
    int found = 0;
    for (End low : ends) {
      for (End high : ends) {
        List<String> expected =
            keys.stream()
                .filter(key -> low.asLow.test(key) && high.asHigh.test(key))
                .map(HexFormat.of()::formatHex)
                .toList();
        KeyRange range = KeyRange.between(low.bound, high.bound);
        String ends = low.bound + " to " + high.bound;
        assertEquals(expected, keys(pairs.scan(range)), ends);
        List<String> back = new ArrayList<>(keys(pairs.scan(range.descending())));
        java.util.Collections.reverse(back);
        assertEquals(expected, back, () -> ends + " descending");
        for (byte[] key : keys) {
          boolean inside = low.asLow.test(key) && high.asHigh.test(key);
          assertEquals(inside, range.contains(new Slice(key)), ends);
        }
        found += expected.size();
      }
    }
    assertTrue(found > 8_000, found + " found");
  }

  private static List<String> keys(RecordCursor opened) throws StorageException {
    List<String> found = new ArrayList<>();
    try (RecordCursor cursor = opened) {
      while (cursor.next()) {
        found.add(HexFormat.of().formatHex(cursor.key().toByteArray()));
      }
    }
    return found;
  }
}
