package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.SortingLoader;
import java.util.List;
import java.util.function.Supplier;

/**
 * Bulk loads of a dataset that is empty on all nodes. A kill leaves of each partition all of its
 * records or none. Confined to one thread.
 */
final class LoadTarget implements ImportTarget {
  /** Memory for sorting records, of all nodes. */
  private static final long SORT_BYTES = 64 << 20;

  private final PerNode<SortingLoader> loaders;
  private long durable;

  /**
   * Begins the loads.
   *
   * @param nodes the dataset on each node, in the order of nodes
   * @throws dev.varve.common.error.ConflictException with {@code NOT_EMPTY}
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the target
  LoadTarget(List<Dataset> nodes) throws StorageException {
    long memory = Math.min(SORT_BYTES, Runtime.getRuntime().maxMemory() / 16) / nodes.size();
    this.loaders = PerNode.open(nodes, node -> node.bulkLoadUnsorted(memory), SortingLoader::close);
  }

  @Override
  public String method() {
    return "bulk load";
  }

  @Override
  public String leftByStop() {
    return "Each partition has all of its records or none";
  }

  @Override
  public long durable() {
    return durable;
  }

  @Override
  public void add(Slice record, Supplier<String> place) throws StorageException {
    loaders.of(record).add(record);
  }

  @Override
  public long finish() throws StorageException {
    long replaced = 0;
    for (SortingLoader loader : loaders.all()) {
      long loaded = loader.finish();
      assert loaded >= 0 : loaded;
      replaced += loader.replaced();
      durable += loaded + loader.replaced();
    }
    return replaced;
  }

  @Override
  public void close() throws StorageException {
    loaders.close();
  }
}
