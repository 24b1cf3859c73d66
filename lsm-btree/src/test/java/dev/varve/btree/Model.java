package dev.varve.btree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.bound.KeyBound;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a tree must hold: a sorted map, and the comparison of a cursor with it. */
public final class Model {
  private final NavigableMap<byte[], Entry> entries = new TreeMap<>(Arrays::compareUnsigned);

  /** The entries by key. */
  public NavigableMap<byte[], Entry> entries() {
    return entries;
  }

  /** Remembers a random entry for a key and returns it. */
  public Entry put(byte[] key, int maxValueLength, RandomGenerator random) {
    byte[] value = new byte[random.nextInt(maxValueLength + 1)];
    random.nextBytes(value);
    Entry entry = new Entry();
    entry.key().copyOf(key, 0, key.length);
    entry.value().copyOf(value, 0, value.length);
    entry.antimatter(random.nextInt(5) == 0);
    entries.put(key, entry);
    return entry;
  }

  /**
   * Some keys with what is held for them: of those that are held one in so many, and as many that
   * may be held or not.
   */
  public NavigableMap<byte[], @Nullable Entry> someKeys(
      KeyShape shape, RandomGenerator random, int oneIn) {
    NavigableMap<byte[], @Nullable Entry> keys = new TreeMap<>(Arrays::compareUnsigned);
    for (Map.Entry<byte[], Entry> held : entries.entrySet()) {
      if (random.nextInt(oneIn) == 0) {
        keys.put(held.getKey(), held.getValue());
        byte[] other = shape.key(random);
        keys.put(other, entries.get(other));
      }
    }
    return keys;
  }

  /** A random range of any form whose ends are keys of the model or near them. */
  public KeyRange randomRange(KeyShape shape, RandomGenerator random) {
    KeyBound low = randomBound(shape, random);
    KeyBound high = randomBound(shape, random);
    KeyRange range =
        random.nextInt(8) == 0
            ? KeyRange.prefix(shortened(shape.key(random), random))
            : KeyRange.between(low, high);
    return random.nextBoolean() ? range : range.descending();
  }

  private KeyBound randomBound(KeyShape shape, RandomGenerator random) {
    byte[] key = shape.key(random);
    if (random.nextBoolean() && !entries.isEmpty()) {
      byte[] near = entries.floorKey(key);
      key = near == null ? entries.firstKey() : near;
    }
    return switch (random.nextInt(5)) {
      case 0 -> KeyBound.unbounded();
      case 1, 2 -> KeyBound.inclusive(key);
      default -> KeyBound.exclusive(key);
    };
  }

  private static byte[] shortened(byte[] key, RandomGenerator random) {
    return Arrays.copyOf(key, random.nextInt(key.length + 1));
  }

  /** The entries that a search must return, in order. */
  public List<Entry> expected(KeyRange range) {
    List<Entry> expected = new ArrayList<>();
    boolean descending = range.direction() == KeyRange.Direction.DESCENDING;
    for (Entry entry : (descending ? entries.descendingMap() : entries).values()) {
      if (range.contains(entry.key())) {
        expected.add(entry);
      }
    }
    return expected;
  }

  /** Checks that a cursor returns exactly the entries of a range, then closes it. */
  public void assertReturns(KeyRange range, EntryCursor opened) throws StorageException {
    try (EntryCursor cursor = opened) {
      for (Entry entry : expected(range)) {
        assertTrue(cursor.next(), () -> range + " ended early");
        assertSame(entry, cursor.entry());
      }
      assertFalse(cursor.next(), () -> range + " goes on with " + cursor.entry());
      assertFalse(cursor.next());
    }
  }

  /** Checks one entry. */
  public static void assertSame(Entry expected, Entry found) {
    assertEquals(expected.key().toString(), found.key().toString());
    assertEquals(expected.value().toString(), found.value().toString());
    assertEquals(expected.antimatter(), found.antimatter(), expected::toString);
  }
}
