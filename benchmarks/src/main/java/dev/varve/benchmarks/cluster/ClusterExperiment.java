package dev.varve.benchmarks.cluster;

import dev.varve.benchmarks.measure.Labelled;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The experiments of <i>Storage Management in AsterixDB</i>, section 6.1, that ingest into a
 * cluster: what is run, and what the paper says of it. Pure.
 */
public enum ClusterExperiment implements Labelled {
  /** One to eight nodes, with each kind of secondary index. */
  FIG4A(
      "fig4a",
      "Ingestion by number of nodes, with one secondary index",
      scaling(),
      ClusterExperiment::scalingClaims),

  /** All kinds of secondary indexes at once. */
  FIG4B(
      "fig4b",
      "Ingestion with all kinds of secondary indexes at once",
      List.of(
          new Cell("n-gram", ClusterExperiment.NODES, Kinds.NGRAM, Kinds.PREFIX, 0.1),
          new Cell("all", ClusterExperiment.NODES, Kinds.ALL, Kinds.PREFIX, 0.1)),
      ClusterExperiment::togetherClaims),

  /** More and more secondary B+-trees. */
  FIG4C(
      "fig4c",
      "Ingestion by number of secondary B+-trees",
      trees(),
      ClusterExperiment::treesClaims),

  /** Merge policies. */
  TABLE2(
      "table2",
      "Ingestion under the prefix, constant and no-merge policies",
      List.of(
          new Cell("prefix", ClusterExperiment.NODES, "none", Kinds.PREFIX, 1),
          new Cell("constant", ClusterExperiment.NODES, "none", "constant:3", 1),
          new Cell("no-merge", ClusterExperiment.NODES, "none", "none", 1)),
      ClusterExperiment::policyClaims);

  /** How many nodes there are where their number is not what is looked at; the paper has 8. */
  static final int NODES = 4;

  /** What is near-linear: not more than a fifth is lost, or off the line. */
  private static final double LINEAR = 0.8;

  private final String label;
  private final String title;

  @SuppressWarnings("Immutable") // One of List.of, or a copy.
  private final List<Cell> cells;

  @SuppressWarnings("Immutable") // No constant's captures anything.
  private final Function<Map<String, Row>, List<Claim>> claims;

  /** Numbers of nodes, and secondary indexes and policies as {@code varve ingest} has them. */
  private static final class Kinds {
    static final List<Integer> SCALE = List.of(1, 2, 4, 8);
    static final String NGRAM = "ngram3:message_text";
    static final String ALL =
        "btree:user.followers_count,rtree:sender_location,keyword:message_text," + NGRAM;

    static final String PREFIX = RunningCluster.PREFIX;

    private Kinds() {}
  }

  /**
   * A run: an ingestion into an empty cluster.
   *
   * @param label which of the experiment's runs
   * @param nodes how many nodes
   * @param indexes secondary indexes, as {@code varve ingest --index} has them
   * @param policy the merge policy; {@code %d} in it is what a memory component holds
   * @param part of the records that others get: an index with many entries for each record writes
   *     as much with fewer of them
   */
  public record Cell(String label, int nodes, String indexes, String policy, double part) {}

  /**
   * What came of a run.
   *
   * @param cell the run
   * @param records how many were acknowledged
   * @param seconds from the first to the last acknowledgement
   * @param flushes flushes of all nodes
   * @param merges merges of all nodes
   * @param components disk components of all nodes at the end
   * @param cpuShare what the nodes' processes had of all processors meanwhile: well below 1 where
   *     budgets are what bounds
   */
  public record Row(
      Cell cell,
      long records,
      double seconds,
      long flushes,
      long merges,
      long components,
      double cpuShare) {
    /** Acknowledged records in a second. */
    public double rate() {
      return records / seconds;
    }
  }

  /**
   * Something that the paper prints, and what became of it here.
   *
   * @param text what it says
   * @param holds whether it is so here
   * @param found the figures
   */
  public record Claim(String text, boolean holds, String found) {}

  ClusterExperiment(
      String label,
      String title,
      List<Cell> cells,
      Function<Map<String, Row>, List<Claim>> claims) {
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

  /** What became of what the paper says. */
  public List<Claim> claims(List<Row> rows) {
    return claims.apply(
        rows.stream()
            .collect(
                Collectors.toMap(
                    row -> row.cell().label(), row -> row, (a, b) -> b, LinkedHashMap::new)));
  }

  /** By name in the order in which the paper has their rates. */
  private static Map<String, Cell> kinds() {
    Map<String, Cell> kinds = new LinkedHashMap<>();
    kinds.put("no index", new Cell("", 0, "none", Kinds.PREFIX, 1));
    kinds.put("B+-tree", new Cell("", 0, "btree:user.followers_count", Kinds.PREFIX, 1));
    kinds.put("R-tree", new Cell("", 0, "rtree:sender_location", Kinds.PREFIX, 1));
    kinds.put("keyword", new Cell("", 0, "keyword:message_text", Kinds.PREFIX, 0.3));
    kinds.put("n-gram", new Cell("", 0, Kinds.NGRAM, Kinds.PREFIX, 0.1));
    return kinds;
  }

  private static String on(String kind, int nodes) {
    return kind + ", " + nodes + (nodes == 1 ? " node" : " nodes");
  }

  private static List<Cell> scaling() {
    List<Cell> cells = new ArrayList<>();
    kinds()
        .forEach(
            (kind, cell) ->
                Kinds.SCALE.forEach(
                    nodes ->
                        cells.add(
                            new Cell(
                                on(kind, nodes),
                                nodes,
                                cell.indexes(),
                                cell.policy(),
                                cell.part()))));
    return cells;
  }

  private static List<Claim> scalingClaims(Map<String, Row> rows) {
    List<Claim> claims = new ArrayList<>();
    int most = Kinds.SCALE.get(Kinds.SCALE.size() - 1);
    String slower = null;
    for (String kind : kinds().keySet()) {
      double speedUp = rate(rows, on(kind, most)) / rate(rows, on(kind, 1));
      claims.add(
          new Claim(
              kind + ": " + most + " nodes take nearly " + most + " times what one takes",
              speedUp >= LINEAR * most,
              text("%.2f times", speedUp)));
      if (slower != null) {
        double before = rate(rows, on(slower, most));
        double after = rate(rows, on(kind, most));
        claims.add(
            new Claim(
                kind + " is slower than " + slower,
                after < before,
                text("%,.0f and %,.0f records/s on %d nodes", after, before, most)));
      }
      slower = kind;
    }
    return claims;
  }

  private static List<Claim> togetherClaims(Map<String, Row> rows) {
    double ratio = rate(rows, "all") / rate(rows, "n-gram");
    return List.of(
        new Claim(
            "the n-gram index is what bounds all of them together",
            ratio >= 0.6 && ratio <= 1.05,
            text("%.2f of its rate alone", ratio)));
  }

  private static List<Cell> trees() {
    List<String> fields =
        List.of(
            "btree:user.followers_count",
            "btree:send_time_millis",
            "btree:user.friends_count",
            "btree:user.statuses_count",
            "btree:retweet_count");
    List<Cell> cells = new ArrayList<>();
    for (int count = 0; count <= fields.size(); count++) {
      cells.add(
          new Cell(
              Integer.toString(count),
              NODES,
              count == 0 ? "none" : String.join(",", fields.subList(0, count)),
              Kinds.PREFIX,
              1));
    }
    return cells;
  }

  private static List<Claim> treesClaims(Map<String, Row> rows) {
    int most = rows.size() - 1;
    double first = rate(rows, "0");
    double last = rate(rows, Integer.toString(most));
    double off = 0;
    boolean falls = true;
    for (int count = 1; count <= most; count++) {
      double rate = rate(rows, Integer.toString(count));
      off = Math.max(off, Math.abs(rate - (first + (last - first) * count / most)) / first);
      falls &= rate < rate(rows, Integer.toString(count - 1));
    }
    return List.of(
        new Claim(
            "each further index costs throughput", falls, text("%,.0f to %,.0f", first, last)),
        new Claim(
            "throughput decreases nearly linearly",
            off <= 1 - LINEAR,
            text("at most %.0f %% of the first off the line", 100 * off)));
  }

  private static List<Claim> policyClaims(Map<String, Row> rows) {
    double prefix = rate(rows, "prefix");
    double constant = rate(rows, "constant") / prefix;
    double none = rate(rows, "no-merge") / prefix;
    return List.of(
        new Claim("constant is slower than prefix", constant < 1, text("%.2f of it", constant)),
        new Claim(
            "constant takes 0.76 of prefix (0.6 to 0.9 counts)",
            constant >= 0.6 && constant <= 0.9,
            text("%.2f", constant)),
        new Claim("no-merge is slower than prefix", none < 1, text("%.2f of it", none)),
        new Claim(
            "no-merge takes 0.76 of prefix (0.6 to 0.9 counts)",
            none >= 0.6 && none <= 0.9,
            text("%.2f", none)));
  }

  private static double rate(Map<String, Row> rows, String label) {
    Row row = rows.get(label);
    if (row == null) {
      throw new IllegalArgumentException("no run is called " + label);
    }
    return row.rate();
  }

  private static String text(String format, Object... figures) {
    return String.format(Locale.ROOT, format, figures);
  }
}
