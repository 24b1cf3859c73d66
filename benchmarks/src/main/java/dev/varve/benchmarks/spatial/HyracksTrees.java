package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.HyracksIndex;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.store.AsterixDbNode;
import dev.varve.benchmarks.store.ReadDelay;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.data.std.accessors.DoubleBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.LongBinaryComparatorFactory;
import org.apache.hyracks.data.std.primitive.DoublePointable;
import org.apache.hyracks.data.std.primitive.LongPointable;
import org.apache.hyracks.storage.am.common.api.IPrimitiveValueProviderFactory;
import org.apache.hyracks.storage.am.common.freepage.AppendOnlyLinkedMetadataPageManagerFactory;
import org.apache.hyracks.storage.am.common.freepage.LinkedMetadataPageManagerFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpIOOperationCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpPageWriteCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.ThreadCountingTracker;
import org.apache.hyracks.storage.am.lsm.rtree.utils.LSMRTreeUtils;
import org.apache.hyracks.storage.am.rtree.frames.RTreePolicyType;
import org.apache.hyracks.storage.am.rtree.util.RTreeUtils;
import org.apache.hyracks.storage.common.IIndex;

/**
 * Opens R-trees of Hyracks: AsterixDB's LSM R-tree with antimatter, and the R-tree that is changed
 * in place. Thread-safe: no state.
 */
final class HyracksTrees {
  private static final String PLACE = "spatial";
  private static final ITypeTraits[] TYPES = {
    DoublePointable.TYPE_TRAITS,
    DoublePointable.TYPE_TRAITS,
    DoublePointable.TYPE_TRAITS,
    DoublePointable.TYPE_TRAITS,
    LongPointable.TYPE_TRAITS
  };

  /** Order of the coordinates. */
  static final IBinaryComparatorFactory[] CORNERS = {
    DoubleBinaryComparatorFactory.INSTANCE,
    DoubleBinaryComparatorFactory.INSTANCE,
    DoubleBinaryComparatorFactory.INSTANCE,
    DoubleBinaryComparatorFactory.INSTANCE
  };

  private static final IBinaryComparatorFactory[] WHOLE = {
    DoubleBinaryComparatorFactory.INSTANCE,
    DoubleBinaryComparatorFactory.INSTANCE,
    DoubleBinaryComparatorFactory.INSTANCE,
    DoubleBinaryComparatorFactory.INSTANCE,
    LongBinaryComparatorFactory.INSTANCE
  };

  private HyracksTrees() {}

  /** Components with antimatter. */
  static HyracksIndex openAntimatter(IndexSettings settings, ReadDelay delay)
      throws BenchmarkException {
    return HyracksIndex.create(
        HyracksIndex.sizes(settings), delay, HyracksTrees::antimatter, HyracksPoint::id);
  }

  /**
   * One tree on pages that are changed. It needs no memory components, and gets all of the memory
   * as its cache.
   */
  static HyracksIndex openInPlace(IndexSettings settings, ReadDelay delay)
      throws BenchmarkException {
    IndexSettings.Budget budget = settings.budget();
    return HyracksIndex.create(
        new AsterixDbNode.Sizes(
            settings.directory(),
            budget.pageBytes(),
            budget.memory().totalBytes(),
            budget.memory().writeBytes()),
        delay,
        HyracksTrees::inPlace,
        HyracksPoint::id);
  }

  private static IPrimitiveValueProviderFactory[] values() {
    return RTreeUtils.createPrimitiveValueProviderFactories(
        CORNERS.length, DoublePointable.FACTORY);
  }

  private static IIndex inPlace(AsterixDbNode node) throws HyracksDataException {
    return RTreeUtils.createRTree(
        node.cache(),
        TYPES,
        values(),
        CORNERS,
        RTreePolicyType.RTREE,
        node.place(PLACE),
        /* isPointMBR= */ false,
        new LinkedMetadataPageManagerFactory(),
        /* nullTypeTraits= */ null,
        /* nullIntrospector= */ null);
  }

  private static IIndex antimatter(AsterixDbNode node) throws HyracksDataException {
    return LSMRTreeUtils.createLSMTreeWithAntiMatterTuples(
        node.files(),
        node.memory(),
        node.place(PLACE),
        node.cache(),
        TYPES,
        CORNERS,
        WHOLE,
        values(),
        RTreePolicyType.RTREE,
        AsterixDbNode.policy(),
        new ThreadCountingTracker(),
        node.scheduler(),
        NoOpIOOperationCallbackFactory.INSTANCE,
        NoOpPageWriteCallbackFactory.INSTANCE,
        LSMRTreeUtils.proposeBestLinearizer(TYPES, CORNERS.length),
        /* rtreeFields= */ null,
        /* filterTypeTraits= */ null,
        /* filterCmpFactories= */ null,
        /* filterFields= */ null,
        /* durable= */ true,
        /* isPointMBR= */ true,
        AppendOnlyLinkedMetadataPageManagerFactory.INSTANCE,
        /* nullTypeTraits= */ null,
        /* nullIntrospector= */ null);
  }
}
