package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.RankedCursor;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.rtree.geometry.Distances;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.RegionQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Places of records in a model, and what searches for them must find: brute force. */
final class Spots {
  /** Few places, so that many records share one. */
  private static final int PLACES = 8;

  private static final Pattern SPOT = Pattern.compile("\"spot\":\\[([^\\]]*)\\]");

  private Spots() {}

  /** A field with a point, a rectangle, or something else. */
  static String field(RandomGenerator random) {
    double x = place(random);
    double y = place(random);
    return ",\"spot\":"
        + switch (random.nextInt(8)) {
          case 0 -> "null";
          case 1 -> "[" + x + "]";
          case 2 -> "[" + x + "," + y + "," + (x + place(random)) + "," + (y + 1) + "]";
          default -> "[" + x + "," + y + "]";
        };
  }

  private static double place(RandomGenerator random) {
    return random.nextInt(PLACES) * 1.5;
  }

  /** Checks an R-tree on the spots of records. */
  static void check(Map<Long, String> records, Dataset dataset, String index)
      throws StorageException {
    TreeMap<Long, Rectangle> spots = new TreeMap<>();
    for (Map.Entry<Long, String> record : records.entrySet()) {
      Rectangle spot = spot(record.getValue());
      if (spot != null) {
        spots.put(record.getKey(), spot);
      }
    }
    Rectangle window = new Rectangle(1.5, 3, 6, 7.5);
    check(spots, dataset, index, RegionQuery.everything(), spot -> true);
    check(spots, dataset, index, RegionQuery.intersecting(window), window::intersects);
    check(spots, dataset, index, RegionQuery.containedIn(window), window::contains);
    check(
        spots,
        dataset,
        index,
        RegionQuery.within(3.2, 4.5, 4.5),
        spot -> distance(spot, 4.5, 4.5) <= 3.2);
    checkNearest(spots, dataset, index);
  }

  private static void check(
      Map<Long, Rectangle> spots,
      Dataset dataset,
      String index,
      RegionQuery region,
      Predicate<Rectangle> inside)
      throws StorageException {
    List<Long> expected =
        spots.entrySet().stream()
            .filter(spot -> inside.test(spot.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    assertEquals(
        expected,
        DatasetModel.sorted(Counted.search(dataset, index, new SpatialSearch(region))),
        index + " " + region);
  }

  private static void checkNearest(Map<Long, Rectangle> spots, Dataset dataset, String index)
      throws StorageException {
    List<Double> expected =
        spots.values().stream().map(spot -> distance(spot, 5, 4)).sorted().toList();
    List<Double> distances = new ArrayList<>();
    List<Long> ids = new ArrayList<>();
    try (RecordCursor cursor = Counted.search(dataset, index, new NearestSearch(5, 4))) {
      while (cursor.next()) {
        long id = DatasetModel.id(cursor);
        ids.add(id);
        double distance = ((RankedCursor) cursor).distance();
        distances.add(distance);
        assertEquals(distance(spots.get(id), 5, 4), distance, "distance of " + id);
      }
    }
    assertEquals(expected, distances, index + " nearest");
    ids.sort(null);
    assertEquals(List.copyOf(spots.keySet()), ids, index + " nearest");
  }

  private static double distance(Rectangle spot, double x, double y) {
    return Distances.of(
        Distances.outside(x, spot.minX(), spot.maxX()),
        Distances.outside(y, spot.minY(), spot.maxY()));
  }

  private static @Nullable Rectangle spot(String json) {
    Matcher matcher = SPOT.matcher(json);
    if (!matcher.find()) {
      return null;
    }
    String[] numbers = matcher.group(1).split(",");
    double[] n = new double[numbers.length];
    for (int i = 0; i < n.length; i++) {
      n[i] = Double.parseDouble(numbers[i]);
    }
    return n.length == 2
        ? new Rectangle(n[0], n[1], n[0], n[1])
        : n.length == 4 ? new Rectangle(n[0], n[1], n[2], n[3]) : null;
  }
}
