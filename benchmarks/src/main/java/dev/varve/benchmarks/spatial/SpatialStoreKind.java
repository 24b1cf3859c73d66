package dev.varve.benchmarks.spatial;

import com.google.errorprone.annotations.Immutable;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.DatasetIndex;
import dev.varve.benchmarks.index.DatasetIndex.Answers;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexKind;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.IndexSettings.Budget;
import dev.varve.benchmarks.index.LuceneIndex;
import dev.varve.benchmarks.index.VarveIndex;
import dev.varve.benchmarks.store.AsterixDbNode;
import dev.varve.benchmarks.store.ChildHeap;
import dev.varve.benchmarks.store.ReadDelay;
import dev.varve.rtree.RTreeFormat;
import java.util.List;
import java.util.Map;

/**
 * The spatial indexes that can be compared. A constant loads nothing of its library until {@link
 * #open}: what it is made of are lambdas, which the JVM links when they are called.
 */
public enum SpatialStoreKind implements IndexKind {
  /** The product's R-tree with antimatter. */
  VARVE(
      "varve",
      budget -> VarveIndex.describe(budget, 0),
      (settings, delay) ->
          new VarveSpatialStore(VarveIndex.open(settings, new RTreeFormat(), 0, delay))),

  /** The product's R-tree with deleted keys. */
  VARVE_DELETED_KEYS(
      "varve-deleted-keys",
      budget -> "deleted keys; " + VarveIndex.describe(budget, AsterixDbNode.FALSE_POSITIVES),
      (settings, delay) ->
          new VarveSpatialStore(
              VarveIndex.open(
                  settings, RTreeFormat.withDeletedKeys(), AsterixDbNode.FALSE_POSITIVES, delay))),

  /** Keys of a dataset of the product. */
  VARVE_KEYS(
      "varve-keys",
      budget -> DatasetIndex.describe(budget, Answers.KEYS),
      (settings, delay) -> SpatialDataset.open(settings, Answers.KEYS)),

  /** Records of a dataset of the product. */
  VARVE_RECORDS(
      "varve-records",
      budget -> DatasetIndex.describe(budget, Answers.RECORDS),
      (settings, delay) -> SpatialDataset.open(settings, Answers.RECORDS)),

  /** AsterixDB's R-tree with antimatter, which is what it makes of {@code CREATE INDEX}. */
  ASTERIXDB(
      "asterixdb",
      budget ->
          AsterixDbNode.describe(
                  budget.pageBytes(), budget.memory().cacheBytes(), budget.memory().writeBytes())
              + "; LSMRTreeWithAntiMatterTuples, points without second corner",
      (settings, delay) -> new HyracksSpatialStore(HyracksTrees.openAntimatter(settings, delay))),

  /** Hyracks' R-tree, changed in place. */
  IN_PLACE(
      "in-place",
      budget ->
          "hyracks-storage-am-rtree, changed in place, page %d bytes, buffer cache %d bytes on the heap"
              .formatted(budget.pageBytes(), heap(budget)),
      (settings, delay) -> new HyracksSpatialStore(HyracksTrees.openInPlace(settings, delay))),

  /** Lucene with points as doubles. */
  LUCENE(
      "lucene",
      budget -> "DoublePoint of two dimensions; " + LuceneIndex.describe(budget),
      (settings, delay) -> new LuceneStore(LuceneShape.DOUBLES, LuceneIndex.open(settings))),

  /** Lucene with points on the globe. */
  LUCENE_LATLON(
      "lucene-latlon",
      budget -> "LatLonPoint; " + LuceneIndex.describe(budget),
      (settings, delay) -> new LuceneStore(LuceneShape.GLOBE, LuceneIndex.open(settings))),

  /** JTS, in memory and static. */
  JTS(
      "jts",
      budget -> "STRtree, node capacity " + JtsStore.NODE_CAPACITY + ", in memory, static",
      (settings, delay) -> new JtsStore());

  private final String label;
  private final Description description;
  private final Opener opener;

  /** Opens a store in an empty directory; its caller closes it. */
  @Immutable
  @FunctionalInterface
  private interface Opener {
    SpatialStore open(IndexSettings settings, ReadDelay delay) throws BenchmarkException;
  }

  SpatialStoreKind(String label, Description description, Opener opener) {
    this.label = label;
    this.description = description;
    this.opener = opener;
  }

  @Override
  public String label() {
    return label;
  }

  /** Opens the store in its empty directory; the caller closes it. Reads take longer by a delay. */
  public SpatialStore open(IndexSettings settings, ReadDelay delay) throws BenchmarkException {
    return opener.open(settings, delay);
  }

  @Override
  public IndexContender contender(IndexSettings settings) {
    Budget budget = settings.budget();
    return new IndexContender(
        label,
        description.of(budget),
        jvmArguments(budget),
        settings.in(settings.directory().resolve(label)),
        refusals());
  }

  private List<String> jvmArguments(Budget budget) {
    return switch (this) {
      case ASTERIXDB, IN_PLACE -> AsterixDbNode.jvmArguments(heap(budget));
      case JTS -> ChildHeap.arguments(Math.max(heap(budget), 1L << 30));
      case VARVE, VARVE_DELETED_KEYS, LUCENE, LUCENE_LATLON -> ChildHeap.arguments(heap(budget));
      // Two engines while the scratch store is loaded.
      case VARVE_KEYS, VARVE_RECORDS -> ChildHeap.arguments(3 * heap(budget));
    };
  }

  private Map<String, String> refusals() {
    return switch (this) {
      case VARVE, VARVE_DELETED_KEYS, VARVE_KEYS, VARVE_RECORDS -> Map.of();
      case ASTERIXDB, IN_PLACE ->
          Map.of(SpatialBench.NEAREST, "its R-trees have no nearest search");
      case LUCENE, LUCENE_LATLON -> Map.of(SpatialBench.NEAREST, "its core has no nearest search");
      case JTS -> Map.of(SpatialBench.DELETE, "static", SpatialBench.LARGE_AFTER_DELETE, "static");
    };
  }

  private static long heap(Budget budget) {
    return budget.memory().totalBytes();
  }
}
