package dev.varve.benchmarks.cluster;

import dev.varve.benchmarks.cluster.ClusterExperiment.Claim;
import dev.varve.benchmarks.measure.Labelled;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The experiments of <i>Storage Management in AsterixDB</i>, section 6, that query a cluster: what
 * is run, and what the paper says of it. Pure.
 */
public enum QueryExperiment implements Labelled {
  /** Range queries during ingestion, after it, and after a compaction. */
  TABLE3(
      "table3",
      "Range queries through a secondary B+-tree during ingestion, after it, after a compaction",
      List.of(new Cell("B+-tree", "btree:" + QueryExperiment.FIELD, Kind.RANGES, 6.0 / 7)),
      QueryExperiment::rangeClaims),

  /** What queries cost an ingestion. */
  FIG5B(
      "fig5b",
      "Ingestion with an LSM R-tree, alone and with queries meanwhile",
      List.of(
          new Cell("AMLSM R-tree, alone", Trees.AMLSM, Kind.NONE, Trees.BEFORE),
          new Cell("AMLSM R-tree, queries", Trees.AMLSM, Kind.PLACES, Trees.BEFORE),
          new Cell("LSM R-tree, alone", Trees.LSM, Kind.NONE, Trees.BEFORE),
          new Cell("LSM R-tree, queries", Trees.LSM, Kind.PLACES, Trees.BEFORE)),
      QueryExperiment::ingestionClaims),

  /** Queries during ingestion. */
  FIG5C(
      "fig5c",
      "Spatial queries during ingestion",
      List.of(
          new Cell("AMLSM R-tree", Trees.AMLSM, Kind.PLACES, Trees.BEFORE),
          new Cell("LSM R-tree", Trees.LSM, Kind.PLACES, Trees.BEFORE)),
      QueryExperiment::courseClaims);

  /** What the paper's range queries find. */
  static final List<Integer> CARDINALITIES = List.of(10, 100, 1_000, 10_000);

  /** An integer that says nothing of the primary key, as the paper's random one. */
  static final String FIELD = "user.id";

  /** Parts that an ingestion is seen in. */
  private static final int PARTS = 10;

  private final String label;
  private final String title;

  @SuppressWarnings("Immutable") // One of List.of.
  private final List<Cell> cells;

  @SuppressWarnings("Immutable") // No constant's captures anything.
  private final Function<List<Row>, List<Claim>> claims;

  /** Spatial indexes as {@code varve ingest} has them. */
  private static final class Trees {
    static final String AMLSM = "rtree:sender_location";
    static final String LSM = "rtree-deleted-keys:sender_location";

    /** Part of the records that is there before, so that there is something to ask for. */
    static final double BEFORE = 0.05;

    private Trees() {}
  }

  /** What is asked for. */
  public enum Kind {
    /** Nothing. */
    NONE,
    /** Ranges of an integer. */
    RANGES,
    /** Windows around places. */
    PLACES
  }

  /** When it is asked. */
  public enum Region {
    /** While records go in. */
    DURING,
    /** When all are in. */
    AFTER,
    /** When each index is one component. */
    COMPACTED
  }

  /**
   * A run: an ingestion into a cluster, with queries.
   *
   * @param label which of the experiment's runs
   * @param index the secondary index, as {@code varve ingest --index} has it
   * @param kind what is asked for
   * @param before part of the records that is in the cluster before anything is measured
   */
  public record Cell(String label, String index, Kind kind, double before) {
    /** Whether there are queries during the ingestion. */
    public boolean asks() {
      return kind != Kind.NONE;
    }

    /** Whether there are queries after it, too, and after a compaction. */
    public boolean compacts() {
      return kind == Kind.RANGES;
    }
  }

  /**
   * A query.
   *
   * @param region when it was asked
   * @param wanted how many records it should find; 0 where that is not aimed at
   * @param found how many it found
   * @param at during an ingestion, seconds since it began
   * @param seconds until its last record was there
   */
  public record Query(Region region, int wanted, long found, double at, double seconds) {
    /** The same, asked then. */
    Query in(Region when, double since) {
      return new Query(when, wanted, found, since, seconds);
    }
  }

  /**
   * What came of a run.
   *
   * @param cell the run
   * @param records how many were acknowledged in the ingestion that was measured
   * @param seconds from its first to its last acknowledgement
   * @param cpuShare what the nodes' processes had of all processors meanwhile
   * @param queries in order
   */
  public record Row(Cell cell, long records, double seconds, double cpuShare, List<Query> queries) {
    /** Copies the list. */
    public Row {
      queries = List.copyOf(queries);
    }

    /** Acknowledged records in a second. */
    public double rate() {
      return records / seconds;
    }

    /** Mean milliseconds of the queries of a region, by how many records they should find. */
    public Map<Integer, Double> millis(Region region) {
      return queries.stream()
          .filter(query -> query.region == region)
          .collect(
              Collectors.groupingBy(
                  Query::wanted,
                  TreeMap::new,
                  Collectors.averagingDouble(query -> 1e3 * query.seconds)));
    }

    /** Mean number of records that the queries of a region found, by how many they should. */
    public Map<Integer, Double> found(Region region) {
      return queries.stream()
          .filter(query -> query.region == region)
          .collect(
              Collectors.groupingBy(
                  Query::wanted, TreeMap::new, Collectors.averagingDouble(Query::found)));
    }

    /** Mean milliseconds in each tenth of the ingestion; tenths without a query are left out. */
    public List<Double> course() {
      double end = queries.stream().mapToDouble(Query::at).max().orElse(0);
      Map<Integer, Double> parts =
          queries.stream()
              .filter(query -> query.region == Region.DURING)
              .collect(
                  Collectors.groupingBy(
                      query -> (int) Math.min(PARTS - 1, PARTS * query.at / Math.max(end, 1e-9)),
                      TreeMap::new,
                      Collectors.averagingDouble(query -> 1e3 * query.seconds)));
      return List.copyOf(parts.values());
    }
  }

  QueryExperiment(
      String label, String title, List<Cell> cells, Function<List<Row>, List<Claim>> claims) {
    this.label = label;
    this.title = title;
    this.cells = List.copyOf(cells);
    this.claims = claims;
  }

  @Override
  public String label() {
    return label;
  }

  /** Its title. */
  public String title() {
    return title;
  }

  /** Its runs, in order. */
  public List<Cell> cells() {
    return cells;
  }

  /**
   * What became of what the paper says.
   *
   * @param rows one for each run, in order
   */
  public List<Claim> claims(List<Row> rows) {
    if (rows.size() != cells.size()) {
      throw new IllegalArgumentException(cells.size() + " runs, not " + rows.size());
    }
    return claims.apply(rows);
  }

  private static List<Claim> rangeClaims(List<Row> rows) {
    Row row = rows.get(0);
    Map<Integer, Double> during = row.millis(Region.DURING);
    Map<Integer, Double> after = row.millis(Region.AFTER);
    Map<Integer, Double> compacted = row.millis(Region.COMPACTED);
    List<Claim> claims = new ArrayList<>();
    for (int wanted : after.keySet()) {
      double rested = of(after, wanted);
      double slower = of(during, wanted) / rested;
      claims.add(
          new Claim(
              text("%,d records: slower during ingestion, by a large margin (2 counts)", wanted),
              slower >= 2,
              text("%.1f times as long as after it", slower)));
      double left = of(compacted, wanted) / rested;
      claims.add(
          new Claim(
              text(
                  "%,d records: a compaction takes little off, 1 to 21 %% (up to 35 counts)",
                  wanted),
              left >= 0.65 && left <= 1.05,
              text("%.2f of what it took before", left)));
    }
    double start = of(after, 10) / of(after, 100);
    claims.add(
        new Claim(
            "the job's start is most of a small query: 10 records take 0.73 of 100 (0.5 counts)",
            start >= 0.5 && start <= 1.2,
            text("%.2f", start)));
    return claims;
  }

  private static List<Claim> ingestionClaims(List<Row> rows) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < rows.size(); i += 2) {
      double ratio = rows.get(i + 1).rate() / rows.get(i).rate();
      claims.add(
          new Claim(
              rows.get(i + 1).cell().label() + ": they cost the ingestion hardly anything (0.9)",
              ratio >= 0.9,
              text("%.2f of the rate alone", ratio)));
    }
    return claims;
  }

  private static List<Claim> courseClaims(List<Row> rows) {
    List<Claim> claims = new ArrayList<>();
    for (Row row : rows) {
      List<Double> course = row.course();
      int falls = 0;
      for (int i = 1; i < course.size(); i++) {
        falls += course.get(i) < course.get(i - 1) ? 1 : 0;
      }
      claims.add(
          new Claim(
              row.cell().label() + ": a sawtooth, which falls with each merge (twice counts)",
              falls >= 2,
              text("%d of %d tenths are faster than the one before", falls, course.size())));
      double found = growth(row, Query::found);
      double time = growth(row, Query::seconds);
      claims.add(
          new Claim(
              row.cell().label() + ": no collapse, time grows no faster than what is found",
              time <= Math.max(1, found),
              text(
                  "in the second half %.2f times the time for %.2f times the records",
                  time, found)));
    }
    return claims;
  }

  /** The mean of the second half of the queries, by that of the first. */
  private static double growth(Row row, ToDoubleFunction<Query> figure) {
    List<Query> queries = row.queries();
    int half = queries.size() / 2;
    double first = queries.subList(0, half).stream().mapToDouble(figure).average().orElse(0);
    double second =
        queries.subList(half, queries.size()).stream().mapToDouble(figure).average().orElse(0);
    return second / first;
  }

  private static double of(Map<Integer, Double> millis, int wanted) {
    Double mean = millis.get(wanted);
    return mean == null ? Double.NaN : mean;
  }

  private static String text(String format, Object... figures) {
    return String.format(Locale.ROOT, format, figures);
  }
}
