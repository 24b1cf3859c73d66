package dev.varve.benchmarks.reproduce;

import static dev.varve.benchmarks.reproduce.Tree.AMLSM_R_TREE;
import static dev.varve.benchmarks.reproduce.Tree.LSM_R_TREE;
import static dev.varve.benchmarks.reproduce.Tree.R_TREE;

import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Goal.Status;
import dev.varve.benchmarks.report.Metric;
import java.util.ArrayList;
import java.util.List;

/** What the paper says about its experiments, and what was found. Thread-safe: no state. */
final class Claims {
  /**
   * How much a flat course may fall, and how much curves may differ that lie on top of each other.
   */
  private static final double FLAT = 0.8;

  private Claims() {}

  private static Goal.Outcome atLeast(String claim, String phase, double bound, double found) {
    return outcome(claim, phase, "at least " + Metric.text(bound), bound, found, found >= bound);
  }

  private static Goal.Outcome atMost(String claim, String phase, double bound, double found) {
    return outcome(claim, phase, "at most " + Metric.text(bound), bound, found, found <= bound);
  }

  private static Goal.Outcome outcome(
      String claim, String phase, String demand, double bound, double found, boolean holds) {
    return Double.isNaN(found)
        ? new Goal.Outcome(claim, phase, "ratio", demand, 0, 0, Status.OPEN, "")
        : new Goal.Outcome(
            claim,
            phase,
            "ratio",
            demand,
            bound,
            found,
            holds ? Status.MET : Status.MISSED,
            holds ? "" : "the trees of this run are to each other as found");
  }

  static List<Goal.Outcome> ofTable4(Courses courses) {
    String before = TreeBench.QUERIES;
    String after = TreeBench.COMPACTED;
    double tree = courses.millis(before, R_TREE);
    List<Goal.Outcome> claims = new ArrayList<>();
    claims.add(
        atLeast(
            "RTree slower than LSMRTree after ingestion (paper: 29 times)",
            before,
            10,
            tree / courses.millis(before, LSM_R_TREE)));
    claims.add(
        atLeast(
            "RTree slower than AMLSMRTree after ingestion (paper: 25 times)",
            before,
            10,
            tree / courses.millis(before, AMLSM_R_TREE)));
    claims.add(
        atLeast(
            "compaction speeds LSMRTree up (paper: 5.0 times)",
            after,
            1,
            courses.millis(before, LSM_R_TREE) / courses.millis(after, LSM_R_TREE)));
    claims.add(
        atLeast(
            "compaction speeds AMLSMRTree up (paper: 6.1 times)",
            after,
            1,
            courses.millis(before, AMLSM_R_TREE) / courses.millis(after, AMLSM_R_TREE)));
    claims.add(
        atLeast(
            "RTree misses the cache more often than LSMRTree (paper: 22.7 times)",
            before,
            1,
            courses.misses(before, R_TREE) / courses.misses(before, LSM_R_TREE)));
    claims.add(
        atLeast(
            "RTree misses the cache more often than AMLSMRTree (paper: 22.7 times)",
            before,
            1,
            courses.misses(before, R_TREE) / courses.misses(before, AMLSM_R_TREE)));
    claims.add(
        atLeast(
            "LSMRTree misses less often after compaction (paper: 3.0 times)",
            after,
            1,
            courses.misses(before, LSM_R_TREE) / courses.misses(after, LSM_R_TREE)));
    claims.add(
        atLeast(
            "AMLSMRTree misses less often after compaction (paper: 3.0 times)",
            after,
            1,
            courses.misses(before, AMLSM_R_TREE) / courses.misses(after, AMLSM_R_TREE)));
    return claims;
  }

  static List<Goal.Outcome> ofFigure5(Courses courses) {
    String phase = TreeBench.RAW_INSERTS;
    List<Goal.Outcome> claims = new ArrayList<>();
    claims.add(
        atLeast("LSMRTree: last fifth over first fifth", phase, FLAT, steady(courses, LSM_R_TREE)));
    claims.add(
        atLeast(
            "AMLSMRTree: last fifth over first fifth", phase, FLAT, steady(courses, AMLSM_R_TREE)));
    claims.add(
        atMost(
            "RTree: last fifth over its fastest part",
            phase,
            0.5,
            courses.rate(phase, R_TREE, 0.8, 1) / courses.fastest(phase, R_TREE)));
    double lsm = courses.settledSeconds(phase, LSM_R_TREE);
    double antimatter = courses.settledSeconds(phase, AMLSM_R_TREE);
    claims.add(
        atLeast(
            "RTree takes longer than the slower LSM index (paper: over 5.5 times)",
            phase,
            5,
            courses.settledSeconds(phase, R_TREE) / Math.max(lsm, antimatter)));
    claims.add(
        atLeast(
            "the LSM indexes' curves are on top of each other",
            phase,
            FLAT,
            Math.min(lsm, antimatter) / Math.max(lsm, antimatter)));
    return claims;
  }

  private static double steady(Courses courses, Tree tree) {
    return courses.rate(TreeBench.RAW_INSERTS, tree, 0.8, 1)
        / courses.rate(TreeBench.RAW_INSERTS, tree, 0, 0.2);
  }

  static List<Goal.Outcome> ofFigure6(Courses courses) {
    String phase = TreeBench.DELETES_CACHED;
    return List.of(
        atLeast(
            "AMLSMRTree faster than LSMRTree over the second half (paper: almost 2 times)",
            phase,
            1.5,
            courses.rate(phase, AMLSM_R_TREE, 0.5, 1) / courses.rate(phase, LSM_R_TREE, 0.5, 1)),
        atLeast(
            "AMLSMRTree consistently faster: share of the course behind its first fifth",
            phase,
            FLAT,
            courses.shareFaster(phase, AMLSM_R_TREE, LSM_R_TREE)));
  }
}
