package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexKind;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.IndexSettings.Budget;
import dev.varve.benchmarks.index.LuceneIndex;
import dev.varve.benchmarks.index.VarveIndex;
import dev.varve.benchmarks.store.AsterixDbNode;
import dev.varve.benchmarks.store.ChildHeap;
import dev.varve.benchmarks.store.ReadDelay;
import dev.varve.benchmarks.store.StoreException;
import dev.varve.rtree.RTreeFormat;
import java.util.List;
import java.util.Map;

/**
 * The spatial indexes that can be compared. A constant loads nothing of its library until {@link
 * #open}.
 */
public enum SpatialStoreKind implements IndexKind {
  /** The product's R-tree with antimatter. */
  VARVE("varve") {
    @Override
    public SpatialStore open(IndexSettings settings, ReadDelay delay) throws StoreException {
      return new VarveSpatialStore(VarveIndex.open(settings, new RTreeFormat(), 0, delay));
    }

    @Override
    String options(Budget budget) {
      return VarveIndex.describe(budget, 0);
    }

    @Override
    List<String> jvmArguments(Budget budget) {
      return ChildHeap.arguments(heap(budget));
    }
  },

  /** The product's R-tree with deleted keys. */
  VARVE_DELETED_KEYS("varve-deleted-keys") {
    @Override
    public SpatialStore open(IndexSettings settings, ReadDelay delay) throws StoreException {
      return new VarveSpatialStore(
          VarveIndex.open(
              settings, RTreeFormat.withDeletedKeys(), AsterixDbNode.FALSE_POSITIVES, delay));
    }

    @Override
    String options(Budget budget) {
      return "deleted keys; " + VarveIndex.describe(budget, AsterixDbNode.FALSE_POSITIVES);
    }

    @Override
    List<String> jvmArguments(Budget budget) {
      return VARVE.jvmArguments(budget);
    }
  },

  /** AsterixDB's R-tree with antimatter, which is what it makes of {@code CREATE INDEX}. */
  ASTERIXDB("asterixdb") {
    @Override
    public SpatialStore open(IndexSettings settings, ReadDelay delay) throws StoreException {
      return openHyracks(settings, HyracksTree.Kind.ANTIMATTER, delay);
    }

    @Override
    String options(Budget budget) {
      return hyracks(budget) + "; LSMRTreeWithAntiMatterTuples, points without second corner";
    }
  },

  /** Hyracks' R-tree, changed in place. */
  IN_PLACE("in-place") {
    @Override
    public SpatialStore open(IndexSettings settings, ReadDelay delay) throws StoreException {
      return openHyracks(settings, HyracksTree.Kind.IN_PLACE, delay);
    }

    @Override
    String options(Budget budget) {
      return "hyracks-storage-am-rtree, changed in place, page "
          + budget.pageBytes()
          + " bytes, buffer cache "
          + (budget.cacheBytes() + budget.memoryBytes())
          + " bytes on the heap";
    }
  },

  /** Lucene with points as doubles. */
  LUCENE("lucene") {
    @Override
    public SpatialStore open(IndexSettings settings, ReadDelay delay) throws StoreException {
      return new LuceneStore(LuceneShape.DOUBLES, LuceneIndex.open(settings));
    }

    @Override
    String options(Budget budget) {
      return "DoublePoint of two dimensions; " + LuceneIndex.describe(budget);
    }

    @Override
    List<String> jvmArguments(Budget budget) {
      return ChildHeap.arguments(heap(budget));
    }
  },

  /** Lucene with points on the globe. */
  LUCENE_LATLON("lucene-latlon") {
    @Override
    public SpatialStore open(IndexSettings settings, ReadDelay delay) throws StoreException {
      return new LuceneStore(LuceneShape.GLOBE, LuceneIndex.open(settings));
    }

    @Override
    String options(Budget budget) {
      return "LatLonPoint; " + LuceneIndex.describe(budget);
    }

    @Override
    List<String> jvmArguments(Budget budget) {
      return ChildHeap.arguments(heap(budget));
    }
  },

  /** JTS, in memory and static. */
  JTS("jts") {
    @Override
    public SpatialStore open(IndexSettings settings, ReadDelay delay) {
      return new JtsStore();
    }

    @Override
    String options(Budget budget) {
      return "STRtree, node capacity " + JtsStore.NODE_CAPACITY + ", in memory, static";
    }

    @Override
    List<String> jvmArguments(Budget budget) {
      return ChildHeap.arguments(Math.max(heap(budget), 1L << 30));
    }
  };

  private final String label;

  SpatialStoreKind(String label) {
    this.label = label;
  }

  @Override
  public String label() {
    return label;
  }

  /** Opens the store in its empty directory; the caller closes it. Reads take longer by a delay. */
  public abstract SpatialStore open(IndexSettings settings, ReadDelay delay) throws StoreException;

  abstract String options(Budget budget);

  /** For those of Hyracks, which opens files through a door of the JVM. */
  List<String> jvmArguments(Budget budget) {
    return ChildHeap.arguments(
        heap(budget), "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED");
  }

  @Override
  public IndexContender contender(IndexSettings settings) {
    return new IndexContender(
        label,
        options(settings.budget()),
        jvmArguments(settings.budget()),
        settings.in(settings.directory().resolve(label)),
        refusals());
  }

  private Map<String, String> refusals() {
    return switch (this) {
      case VARVE, VARVE_DELETED_KEYS -> Map.of();
      case ASTERIXDB, IN_PLACE ->
          Map.of(SpatialBench.NEAREST, "its R-trees have no nearest search");
      case LUCENE, LUCENE_LATLON -> Map.of(SpatialBench.NEAREST, "its core has no nearest search");
      case JTS -> Map.of(SpatialBench.DELETE, "static", SpatialBench.LARGE_AFTER_DELETE, "static");
    };
  }

  private static long heap(Budget budget) {
    return budget.cacheBytes() + budget.memoryBytes();
  }

  private static SpatialStore openHyracks(
      IndexSettings settings, HyracksTree.Kind kind, ReadDelay delay) throws StoreException {
    Budget budget = settings.budget();
    // What is changed in place needs no memory components: it gets all of the memory as its cache.
    long cache =
        budget.cacheBytes() + (kind == HyracksTree.Kind.IN_PLACE ? budget.memoryBytes() : 0);
    return HyracksSpatialStore.of(
        HyracksTree.create(
            new AsterixDbNode.Sizes(
                settings.directory(), budget.pageBytes(), cache, budget.memoryBytes()),
            kind,
            delay));
  }

  private static String hyracks(Budget budget) {
    return AsterixDbNode.describe(budget.pageBytes(), budget.cacheBytes(), budget.memoryBytes());
  }
}
