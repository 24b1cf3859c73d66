package dev.varve.benchmarks.reproduce;

import static dev.varve.benchmarks.reproduce.Tree.AMLSM_R_TREE;
import static dev.varve.benchmarks.reproduce.Tree.LSM_R_TREE;
import static dev.varve.benchmarks.reproduce.Tree.R_TREE;

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

/** The experiments. */
public enum Experiment implements Labelled {
  /** Queries after ingestion and after compaction. */
  TABLE4("table4", "Spatial range query performance and number of buffer cache misses") {
    @Override
    List<Tree> trees() {
      return List.of(R_TREE, LSM_R_TREE, AMLSM_R_TREE);
    }

    @Override
    public List<IndexPhase> phases() {
      return List.of(
          new IndexPhase(TreeBench.INGEST, "Ingest points", Kind.LOAD),
          new IndexPhase(TreeBench.QUERIES, "Queries after ingestion", Kind.MISSING_QUERY),
          new IndexPhase(TreeBench.COMPACT, "Compaction", Kind.CHANGE),
          new IndexPhase(TreeBench.COMPACTED, "Queries after compaction", Kind.MISSING_QUERY));
    }

    @Override
    public String delayed() {
      return "while queries run";
    }

    @Override
    double pointSeconds() {
      return 30e-6;
    }

    @Override
    double reads(int points) {
      return 300.0 * TreeBench.QUERY_COUNT;
    }

    @Override
    public Map<String, String> paper() {
      return new TreeMap<>(
          Map.of(
              "the paper, RTree", "2543.2 ms and 560.6 misses after ingestion",
              "the paper, LSMRTree",
                  "86.7 ms and 24.7 misses after ingestion, 17.5 ms and 8.1 after" + " compaction",
              "the paper, AMLSMRTree",
                  "100.8 ms and 24.7 misses after ingestion, 16.5 ms and 8.1 after"
                      + " compaction"));
    }

    @Override
    public List<Goal.Outcome> claims(List<Section> sections) {
      return Claims.ofTable4(new Courses(sections));
    }

    @Override
    public List<Plot> plots(List<Section> sections, int points) {
      return Drawings.ofTable4(new Courses(sections));
    }
  },

  /** Ingestion. */
  FIG5("fig5", "Ingestion performance of the R-tree, LSM R-tree, and AMLSM R-tree: raw inserts") {
    @Override
    List<Tree> trees() {
      return List.of(R_TREE, LSM_R_TREE, AMLSM_R_TREE);
    }

    @Override
    public List<IndexPhase> phases() {
      return List.of(new IndexPhase(TreeBench.RAW_INSERTS, "Raw inserts", Kind.LOAD));
    }

    @Override
    public String delayed() {
      return "while points go in, those of merges too";
    }

    @Override
    double pointSeconds() {
      return 30e-6;
    }

    @Override
    double reads(int points) {
      return 0.11 * points;
    }

    @Override
    public Map<String, String> paper() {
      return new TreeMap<>(
          Map.of(
              "the paper",
              "RTree about 11 hours for 250 million records, slower and slower; both LSM indexes"
                  + " under 2 hours, at the same rate throughout, their curves on top of each"
                  + " other"));
    }

    @Override
    public List<Goal.Outcome> claims(List<Section> sections) {
      return Claims.ofFigure5(new Courses(sections));
    }

    @Override
    public List<Plot> plots(List<Section> sections, int points) {
      return Drawings.ofFigure5(new Courses(sections), points);
    }
  },

  /** Deletions. */
  FIG6("fig6", "Effect of deletion on query performance") {
    @Override
    List<Tree> trees() {
      return List.of(LSM_R_TREE, AMLSM_R_TREE);
    }

    @Override
    public List<IndexPhase> phases() {
      return List.of(
          new IndexPhase(
              TreeBench.DELETES_CACHED,
              "Queries while points go in and 1 % are deleted, pages from the system's cache",
              Kind.MISSING_QUERY),
          new IndexPhase(
              TreeBench.DELETES_ON_DISK, "The same, pages from the disk", Kind.MISSING_QUERY));
    }

    @Override
    public String delayed() {
      return "while queries run, in the second of two courses; in the first, none does";
    }

    @Override
    double pointSeconds() {
      return 5e-6;
    }

    @Override
    double reads(int points) {
      return 20.0 * TreeBench.PARTS * TreeBench.QUERIES_OF_A_PART;
    }

    @Override
    public Map<String, String> paper() {
      return new TreeMap<>(
          Map.of(
              "the paper",
              "AMLSMRTree consistently faster than LSMRTree, almost by a factor of two"));
    }

    @Override
    public List<Goal.Outcome> claims(List<Section> sections) {
      return Claims.ofFigure6(new Courses(sections));
    }

    @Override
    public List<Plot> plots(List<Section> sections, int points) {
      return Drawings.ofFigure6(new Courses(sections), points);
    }
  };

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

  Experiment(String label, String title) {
    this.label = label;
    this.title = title;
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
  public abstract String delayed();

  abstract List<Tree> trees();

  /** What is done, in order. */
  public abstract List<IndexPhase> phases();

  /** How long it takes, roughly: points one by one and reads as a device's, on two cores. */
  public double seconds(IndexSettings settings) {
    return settings.count() * pointSeconds() + reads(settings.count()) * settings.readNanos() / 1e9;
  }

  abstract double pointSeconds();

  abstract double reads(int points);

  /** What the paper prints. */
  public abstract Map<String, String> paper();

  /** The trees that take part. */
  public List<IndexContender> contenders(IndexSettings settings) {
    return trees().stream().map(tree -> tree.contender(settings)).toList();
  }

  /** What became of what the paper says. */
  public abstract List<Goal.Outcome> claims(List<Section> sections);

  /** What is drawn beside the plots of each phase. */
  public abstract List<Plot> plots(List<Section> sections, int points);
}
