package dev.varve.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.cluster.QueryExperiment.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** What is asked for at random, of the records that are there when it is made. Confined. */
final class Questions {
  /** Half the side of a window, in degrees. */
  private static final double REACH = 0.25;

  /** Windows lie around so many of the first records. */
  private static final int CENTRES = 500;

  private final Random random;
  private final List<Integer> cardinalities;

  /** Values of the field with how many records have them, or places. */
  private final List<Found> found;

  /**
   * A question.
   *
   * @param wanted how many records it should find, or 0
   * @param line the shell's
   */
  record Question(int wanted, String line) {}

  /** A value of a field, and how many records have it or a lower one; or a place. */
  private record Found(double x, double y) {}

  /** What answers a line of a shell. */
  @FunctionalInterface
  interface Shell {
    JsonNode ask(String line) throws BenchmarkException;
  }

  private Questions(Random random, List<Integer> cardinalities, List<Found> found)
      throws BenchmarkException {
    if (found.isEmpty()) {
      throw new BenchmarkException("the cluster has no records to ask for");
    }
    this.random = random;
    this.cardinalities = cardinalities;
    this.found = found;
  }

  /** Looks at what is there. */
  static Questions of(Kind kind, Shell shell, Random random) throws BenchmarkException {
    List<Found> found = new ArrayList<>();
    if (kind != Kind.RANGES) {
      String line = "query --range 0: --limit " + CENTRES + " --json";
      for (JsonNode place : shell.ask(line).findValues("sender_location")) {
        found.add(new Found(place.get(0).asDouble(), place.get(1).asDouble()));
      }
      return new Questions(random, List.of(), found);
    }
    long records = 0;
    for (JsonNode value :
        shell.ask("query --range : --group " + QueryExperiment.FIELD + " --json").path("found")) {
      records += value.get("records").asLong();
      found.add(new Found(value.get("value").asDouble(), records));
    }
    long half = records / 2;
    List<Integer> possible =
        QueryExperiment.CARDINALITIES.stream().filter(wanted -> wanted <= half).toList();
    return new Questions(random, possible, found);
  }

  /** One of them, with the same probability for each cardinality. */
  Question next() {
    if (cardinalities.isEmpty()) {
      Found place = found.get(random.nextInt(found.size()));
      return new Question(
          0,
          String.format(
              Locale.ROOT,
              "query --window=%f,%f,%f,%f",
              place.x - REACH,
              place.y - REACH,
              place.x + REACH,
              place.y + REACH));
    }
    int wanted = cardinalities.get(random.nextInt(cardinalities.size()));
    int low;
    int high;
    do {
      low = random.nextInt(found.size());
      double before = low == 0 ? 0 : found.get(low - 1).y;
      high = low;
      while (high < found.size() && found.get(high).y - before < wanted) {
        high++;
      }
    } while (high == found.size());
    assert low <= high : low + " to " + high;
    return new Question(
        wanted,
        String.format(
            Locale.ROOT,
            "query --by %s --range %.0f:%.0f",
            QueryExperiment.FIELD,
            found.get(low).x,
            found.get(high).x));
  }
}
