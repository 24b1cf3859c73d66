package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.btree.impls.LSMBTree;

/**
 * One LSM B+-tree of Hyracks over a node of its own, put together as AsterixDB does it for a
 * primary index. Thread-safe.
 */
final class AsterixDbStore implements Store {
  static final int PAGE_BYTES = 128 << 10;

  private final AsterixDbNode node;
  private final LSMBTree index;

  private AsterixDbStore(AsterixDbNode node) throws HyracksDataException {
    this.node = node;
    this.index = node.openTree("kv", AsterixDbNode.Tree.PRIMARY, node.memory());
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
