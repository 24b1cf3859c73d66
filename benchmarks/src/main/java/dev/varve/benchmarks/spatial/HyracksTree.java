package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.store.AsterixDbNode;
import dev.varve.benchmarks.store.ReadDelay;
import dev.varve.benchmarks.store.StoreException;
import dev.varve.benchmarks.store.StoreFigures;
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
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndex;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpIOOperationCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpPageWriteCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.ThreadCountingTracker;
import org.apache.hyracks.storage.am.lsm.rtree.utils.LSMRTreeUtils;
import org.apache.hyracks.storage.am.rtree.frames.RTreePolicyType;
import org.apache.hyracks.storage.am.rtree.util.RTreeUtils;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.IIndexAccessor;
import org.jspecify.annotations.Nullable;

/**
 * An R-tree of Hyracks over a node of its own: AsterixDB's LSM R-tree with antimatter, or the
 * R-tree that is changed in place. Confined to one thread.
 */
final class HyracksTree {
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

  private final AsterixDbNode node;
  private final IIndex index;
  private final @Nullable ILSMIndex components;

  /** Kinds of R-trees. */
  enum Kind {
    /** Components with antimatter. */
    ANTIMATTER,
    /** One tree on pages that are changed. */
    IN_PLACE
  }

  private HyracksTree(AsterixDbNode node, IIndex index) throws HyracksDataException {
    this.node = node;
    this.index = index;
    this.components = index instanceof ILSMIndex lsm ? lsm : null;
    index.create();
    index.activate();
  }

  /** Creates a tree in an empty directory; the caller closes it. */
  static HyracksTree create(AsterixDbNode.Sizes sizes, Kind kind, ReadDelay delay)
      throws StoreException {
    AsterixDbNode node = AsterixDbNode.open(sizes, delay);
    try {
      return new HyracksTree(node, index(node, kind));
    } catch (HyracksDataException e) {
      node.close();
      throw new StoreException("create", e);
    }
  }

  private static IIndex index(AsterixDbNode node, Kind kind) throws HyracksDataException {
    IPrimitiveValueProviderFactory[] values =
        RTreeUtils.createPrimitiveValueProviderFactories(CORNERS.length, DoublePointable.FACTORY);
    return switch (kind) {
      case ANTIMATTER -> antimatter(node, values);
      case IN_PLACE ->
          RTreeUtils.createRTree(
              node.cache(),
              TYPES,
              values,
              CORNERS,
              RTreePolicyType.RTREE,
              node.place(PLACE),
              /* isPointMBR= */ false,
              new LinkedMetadataPageManagerFactory(),
              /* nullTypeTraits= */ null,
              /* nullIntrospector= */ null);
    };
  }

  private static IIndex antimatter(AsterixDbNode node, IPrimitiveValueProviderFactory[] values)
      throws HyracksDataException {
    return LSMRTreeUtils.createLSMTreeWithAntiMatterTuples(
        node.files(),
        node.memory(),
        node.place(PLACE),
        node.cache(),
        TYPES,
        CORNERS,
        WHOLE,
        values,
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

  IIndexAccessor newAccessor() throws HyracksDataException {
    return index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
  }

  /** Flushes and waits for merges; a tree in place has neither. */
  void settle() throws StoreException {
    if (components != null) {
      node.settle(components);
    }
  }

  StoreFigures figures() {
    return components == null ? new StoreFigures(1, node.diskBytes()) : node.figures(components);
  }

  long cacheMisses() {
    return node.cacheMisses();
  }

  void close() throws StoreException {
    settle();
    try {
      index.deactivate();
    } catch (HyracksDataException e) {
      throw new StoreException("close", e);
    }
    node.close();
  }
}
