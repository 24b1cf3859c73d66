package dev.varve.benchmarks.reproduce;

import static dev.varve.benchmarks.reproduce.Tree.AMLSM_R_TREE;
import static dev.varve.benchmarks.reproduce.Tree.LSM_R_TREE;
import static dev.varve.benchmarks.reproduce.Tree.R_TREE;

import com.google.errorprone.annotations.Immutable;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexPhase;
import dev.varve.benchmarks.index.IndexPhase.Kind;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Plot;
import dev.varve.benchmarks.report.Section;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;

/** The experiments. */
public enum Experiment implements Labelled {
  /** Queries after ingestion and after compaction. */
  TABLE4(
      "table4",
      "Spatial range query performance and number of buffer cache misses",
      new Course(
          List.of(R_TREE, LSM_R_TREE, AMLSM_R_TREE),
          List.of(
              new IndexPhase(TreeBench.INGEST, "Ingest points", Kind.LOAD),
              new IndexPhase(TreeBench.QUERIES, "Queries after ingestion", Kind.MISSING_QUERY),
              new IndexPhase(TreeBench.COMPACT, "Compaction", Kind.CHANGE),
              new IndexPhase(TreeBench.COMPACTED, "Queries after compaction", Kind.MISSING_QUERY)),
          "while queries run",
          30e-6,
          points -> 300.0 * TreeBench.QUERY_COUNT),
      Map.of(
          "the paper, RTree", "2543.2 ms and 560.6 misses after ingestion",
          "the paper, LSMRTree",
              "86.7 ms and 24.7 misses after ingestion, 17.5 ms and 8.1 after compaction",
          "the paper, AMLSMRTree",
              "100.8 ms and 24.7 misses after ingestion, 16.5 ms and 8.1 after compaction"),
      Claims::ofTable4,
      (courses, points) -> Drawings.ofTable4(courses)),

  /** Ingestion. */
  FIG5(
      "fig5",
      "Ingestion performance of the R-tree, LSM R-tree, and AMLSM R-tree: raw inserts",
      new Course(
          List.of(R_TREE, LSM_R_TREE, AMLSM_R_TREE),
          List.of(new IndexPhase(TreeBench.RAW_INSERTS, "Raw inserts", Kind.LOAD)),
          "while points go in, those of merges too",
          30e-6,
          points -> 0.11 * points),
      Map.of(
          "the paper",
          "RTree about 11 hours for 250 million records, slower and slower; both LSM indexes"
              + " under 2 hours, at the same rate throughout, their curves on top of each other"),
      Claims::ofFigure5,
      Drawings::ofFigure5),

  /** Deletions. */
  FIG6(
      "fig6",
      "Effect of deletion on query performance",
      new Course(
          List.of(LSM_R_TREE, AMLSM_R_TREE),
          List.of(
              new IndexPhase(
                  TreeBench.DELETES_CACHED,
                  "Queries while points go in and 1 % are deleted, pages from the system's cache",
                  Kind.MISSING_QUERY),
              new IndexPhase(
                  TreeBench.DELETES_ON_DISK, "The same, pages from the disk", Kind.MISSING_QUERY)),
          "while queries run, in the second of two courses; in the first, none does",
          5e-6,
          points -> 20.0 * TreeBench.PARTS * TreeBench.QUERIES_OF_A_PART),
      Map.of(
          "the paper", "AMLSMRTree consistently faster than LSMRTree, almost by a factor of two"),
      Claims::ofFigure6,
      Drawings::ofFigure6);

  /** Records of the paper's experiments. */
  public static final long PAPER_POINTS = 250_000_000;

  /** Bytes of the buffer cache of the paper's LSM indexes. */
  public static final long PAPER_CACHE_BYTES = 1L << 30;

  /** Bytes of the memory components of the paper's LSM indexes. */
  public static final long PAPER_MEMORY_BYTES = 512L << 20;

  /** Size above which the paper's merge policy merges no component. */
  public static final long PAPER_MERGED_BYTES = 1L << 30;

  /**
   * What the paper's disks took for a page: 2,543.2 ms for 560.6 misses, and 86.7 ms for 24.7. They
   * turned 10,000 times a minute, and the system had no memory to cache files.
   */
  private static final long PAPER_DISK_MICROS = 4_000;

  /** What a solid-state disk takes. */
  private static final long SOLID_STATE_MICROS = 100;

  private final String label;
  private final String title;

  @SuppressWarnings("Immutable") // Its lists are copies.
  private final Course course;

  @SuppressWarnings("Immutable") // One of Map.of.
  private final Map<String, String> paper;

  private final Claiming claims;
  private final Drawing plots;

  /**
   * What is done, and how long that takes, roughly.
   *
   * @param trees that take part
   * @param phases in order
   * @param delayed which reads take longer
   * @param pointSeconds a point, on two cores
   * @param reads how many reads take longer, of so many points
   */
  private record Course(
      List<Tree> trees,
      List<IndexPhase> phases,
      String delayed,
      double pointSeconds,
      IntToDoubleFunction reads) {}

  /** What became of what the paper says. */
  @Immutable
  @FunctionalInterface
  private interface Claiming {
    List<Goal.Outcome> of(Courses courses);
  }

  /** What is drawn, of so many points. */
  @Immutable
  @FunctionalInterface
  private interface Drawing {
    List<Plot> of(Courses courses, int points);
  }

  Experiment(
      String label,
      String title,
      Course course,
      Map<String, String> paper,
      Claiming claims,
      Drawing plots) {
    this.label = label;
    this.title = title;
    this.course = course;
    this.paper = paper;
    this.claims = claims;
    this.plots = plots;
  }

  @Override
  public String label() {
    return label;
  }

  /** Its title in the paper. */
  public String title() {
    return title;
  }

  /**
   * By default, what a read takes longer where it stands for a device's: as long as on the paper's
   * disks. With these the tree in place would ingest for hours, as the paper's did, so that its
   * disk is a faster one there.
   */
  public long readMicros() {
    return this == FIG5 ? SOLID_STATE_MICROS : PAPER_DISK_MICROS;
  }

  /** Which reads take longer. */
  public String delayed() {
    return course.delayed;
  }

  /** What is done, in order. */
  public List<IndexPhase> phases() {
    return course.phases;
  }

  /** How long it takes, roughly: points one by one and reads as a device's, on two cores. */
  public double seconds(IndexSettings settings) {
    return settings.count() * course.pointSeconds
        + course.reads.applyAsDouble(settings.count()) * settings.readNanos() / 1e9;
  }

  /** What the paper prints, sorted. */
  public Map<String, String> paper() {
    return new TreeMap<>(paper);
  }

  /** The trees that take part. */
  public List<IndexContender> contenders(IndexSettings settings) {
    return course.trees.stream().map(tree -> tree.contender(settings)).toList();
  }

  /** What became of what the paper says. */
  public List<Goal.Outcome> claims(List<Section> sections) {
    return claims.of(new Courses(sections));
  }

  /** What is drawn beside the plots of each phase. */
  public List<Plot> plots(List<Section> sections, int points) {
    return plots.of(new Courses(sections), points);
  }
}
