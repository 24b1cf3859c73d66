package dev.varve.benchmarks.reproduce;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.spatial.SpatialStore;
import dev.varve.benchmarks.spatial.SpatialStoreKind;
import dev.varve.benchmarks.store.ReadDelay;
import java.util.Map;

/** The trees of the experiments, under the names of the paper. */
enum Tree implements Labelled {
  /** Changed in place: small pages, all of the memory as its buffer cache. */
  R_TREE("RTree", SpatialStoreKind.IN_PLACE, 2 << 10),
  /** With deleted keys. */
  LSM_R_TREE("LSMRTree", SpatialStoreKind.VARVE_DELETED_KEYS, 32 << 10),
  /** With antimatter. */
  AMLSM_R_TREE("AMLSMRTree", SpatialStoreKind.VARVE, 32 << 10);

  private final String label;
  private final SpatialStoreKind kind;
  private final int pageBytes;

  Tree(String label, SpatialStoreKind kind, int pageBytes) {
    this.label = label;
    this.kind = kind;
    this.pageBytes = pageBytes;
  }

  @Override
  public String label() {
    return label;
  }

  /** Opens it in its empty directory; the caller closes it. */
  SpatialStore open(IndexSettings settings, ReadDelay delay) throws BenchmarkException {
    return kind.open(settings, delay);
  }

  /** What takes part, of settings whose page size is this tree's. */
  IndexContender contender(IndexSettings settings) {
    IndexContender contender = kind.contender(settings.withPages(pageBytes));
    return new IndexContender(
        label,
        contender.options(),
        contender.jvmArguments(),
        contender.settings(),
        this == R_TREE ? Map.of(TreeBench.COMPACT, "-", TreeBench.COMPACTED, "-") : Map.of());
  }
}
