package dev.varve.rtree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.rtree.geometry.Distances;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.geometry.SpatialKey;
import dev.varve.rtree.query.RegionQuery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** What an index must hold, and what it must answer, found by looking at every entry. */
public final class SpatialModel {
  private final TreeMap<byte[], Entry> entries = new TreeMap<>(Arrays::compareUnsigned);

  /** The place of each record that has one. */
  private final Map<Integer, Entry> current = new HashMap<>();

  /** A query, and the same in plain words. */
  public record Question(RegionQuery query, Predicate<Rectangle> holds) {}

  /** Puts an entry or antimatter, and returns it. */
  public Entry put(Entry entry) {
    entries.put(entry.key().toByteArray(), entry);
    int id = SpatialData.id(entry.key());
    Entry before = current.get(id);
    if (!entry.antimatter()) {
      current.put(id, entry);
    } else if (before != null && before.key().sameBytes(entry.key())) {
      current.remove(id);
    }
    return entry;
  }

  /** The entry of the record that a key belongs to, or null when it is deleted. */
  public Entry current(Slice key) {
    return current.get(SpatialData.id(key));
  }

  /** The entries in key order, antimatter included. */
  public List<Entry> entries() {
    return List.copyOf(entries.values());
  }

  /** Some entry. */
  public Entry any(RandomGenerator random) {
    List<Entry> all = entries();
    return all.get(random.nextInt(all.size()));
  }

  /** A query of any kind whose region lies where the entries are. */
  public static Question question(SpatialData data, RandomGenerator random)
      throws StorageException {
    Rectangle a = data.next(random);
    Rectangle b = data.next(random);
    double grow = random.nextDouble() < 0.3 ? 0 : random.nextDouble(0.5);
    Rectangle window =
        random.nextBoolean()
            ? new Rectangle(a.minX(), a.minY(), a.maxX() + grow, a.maxY() + grow)
            : new Rectangle(
                Math.min(a.minX(), b.minX()),
                Math.min(a.minY(), b.minY()),
                Math.max(a.maxX(), b.maxX()),
                Math.max(a.maxY(), b.maxY()));
    double x = b.maxX();
    double y = a.minY();
    return switch (random.nextInt(5)) {
      case 0, 1 -> new Question(RegionQuery.intersecting(window), window::intersects);
      case 2 -> new Question(RegionQuery.containedIn(window), window::contains);
      case 3 ->
          new Question(RegionQuery.containing(x, y), r -> r.contains(new Rectangle(x, y, x, y)));
      default -> {
        double radius = random.nextInt(3) * grow;
        yield new Question(RegionQuery.within(radius, x, y), r -> distance(r, x, y) <= radius);
      }
    };
  }

  /** Distance of a rectangle from a point. */
  public static double distance(Rectangle r, double x, double y) {
    double dx = x < r.minX() ? r.minX() - x : x > r.maxX() ? x - r.maxX() : 0;
    double dy = y < r.minY() ? r.minY() - y : y > r.maxY() ? y - r.maxY() : 0;
    return Math.hypot(dx, dy);
  }

  /** Rounded as the product rounds, for orders that hang on the last bit. */
  private static double roundedDistance(Rectangle r, double x, double y) {
    return Distances.of(
        Distances.outside(x, r.minX(), r.maxX()), Distances.outside(y, r.minY(), r.maxY()));
  }

  /** Checks that a cursor returns what the question asks for in key order, and closes it. */
  public void assertAnswers(Question question, EntryCursor opened, boolean withAntimatter)
      throws StorageException {
    List<String> expected = new ArrayList<>();
    for (Entry entry : entries.values()) {
      if ((withAntimatter || !entry.antimatter())
          && question.holds.test(SpatialKey.rectangle(entry.key()))) {
        expected.add(entry.toString());
      }
    }
    List<String> found = new ArrayList<>();
    try (EntryCursor cursor = opened) {
      while (cursor.next()) {
        found.add(cursor.entry().toString());
      }
    }
    assertEquals(expected, found, () -> "entries " + question.query);
  }

  /** The distances of the nearest entries that are not antimatter, and their keys. */
  public List<String> nearest(double x, double y, int most) {
    return entries.values().stream()
        .filter(entry -> !entry.antimatter())
        .sorted(
            Comparator.comparingDouble(
                    (Entry entry) -> roundedDistance(SpatialKey.rectangle(entry.key()), x, y))
                .thenComparing(Entry::key, Slice::compareBytes))
        .limit(most)
        .map(Entry::toString)
        .toList();
  }
}
