package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.data.std.primitive.FixedLengthTypeTrait;
import org.apache.hyracks.data.std.primitive.VarLengthTypeTrait;
import org.apache.hyracks.storage.am.common.freepage.AppendOnlyLinkedMetadataPageManagerFactory;
import org.apache.hyracks.storage.am.lsm.btree.impls.LSMBTree;
import org.apache.hyracks.storage.am.lsm.btree.utils.LSMBTreeUtil;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpIOOperationCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.NoOpPageWriteCallbackFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.ThreadCountingTracker;
import org.apache.hyracks.storage.common.compression.NoOpCompressorDecompressorFactory;
import org.apache.hyracks.util.trace.ITracer;

/**
 * One LSM B+-tree of Hyracks over a node of its own, put together as AsterixDB does it for a
 * primary index. Thread-safe.
 */
final class AsterixDbStore implements Store {
  static final int PAGE_BYTES = 128 << 10;
  private static final int KEY_BYTES = 16;
  private static final IBinaryComparatorFactory[] COMPARATORS = {new AsterixDbKeyOrder()};

  private final AsterixDbNode node;
  private final LSMBTree index;

  private AsterixDbStore(AsterixDbNode node) throws HyracksDataException {
    this.node = node;
    FileReference place = node.place("kv");
    this.index = index(node, place);
    if (!place.getFile().exists()) {
      index.create();
    }
    index.activate();
  }

  private static AsterixDbNode.Sizes sizes(StoreSettings settings) {
    return new AsterixDbNode.Sizes(
        settings.directory(),
        PAGE_BYTES,
        settings.memory().cacheBytes(),
        settings.memory().writeBytes());
  }

  static AsterixDbStore open(StoreSettings settings) throws BenchmarkException {
    AsterixDbNode node = AsterixDbNode.open(sizes(settings), ReadDelay.NONE);
    try {
      return new AsterixDbStore(node);
    } catch (HyracksDataException e) {
      node.close();
      throw new BenchmarkException("open", e);
    }
  }

  private static LSMBTree index(AsterixDbNode node, FileReference place)
      throws HyracksDataException {
    return LSMBTreeUtil.createLSMTree(
        node.files(),
        node.memory(),
        place,
        node.cache(),
        new ITypeTraits[] {new FixedLengthTypeTrait(KEY_BYTES), VarLengthTypeTrait.INSTANCE},
        COMPARATORS,
        new int[] {0},
        AsterixDbNode.FALSE_POSITIVES,
        AsterixDbNode.policy(),
        new ThreadCountingTracker(),
        node.scheduler(),
        NoOpIOOperationCallbackFactory.INSTANCE,
        NoOpPageWriteCallbackFactory.INSTANCE,
        /* needKeyDupCheck= */ true,
        /* filterTypeTraits= */ null,
        /* filterCmpFactories= */ null,
        /* btreeFields= */ null,
        /* filterFields= */ null,
        /* durable= */ true,
        AppendOnlyLinkedMetadataPageManagerFactory.INSTANCE,
        /* updateAware= */ false,
        ITracer.NONE,
        NoOpCompressorDecompressorFactory.INSTANCE,
        /* hasBloomFilter= */ true,
        /* nullTypeTraits= */ null,
        /* nullIntrospector= */ null);
  }

  @Override
  public StoreSession openSession() throws BenchmarkException {
    try {
      return new AsterixDbSession(index);
    } catch (HyracksDataException e) {
      throw new BenchmarkException("open a session", e);
    }
  }

  @Override
  public void settle() throws BenchmarkException {
    node.settle(index);
  }

  @Override
  public StoreFigures figures() {
    return node.figures(index);
  }

  @Override
  public void close() throws BenchmarkException {
    settle();
    try {
      index.deactivate();
    } catch (HyracksDataException e) {
      throw new BenchmarkException("close", e);
    }
    node.close();
  }
}
