package dev.varve.hyracks.adapter;

import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;

/** A node's storage on a simulated disk, and indexes in it, for Hyracks' published suites. */
final class StoreHarness implements AutoCloseable {
  private final NodeStorage node;
  private int indexes;

  StoreHarness() {
    // One harness stays open while others run: it leaves them most of the heap.
    EngineOptions options =
        EngineOptions.builder(Path.of("/node/store"))
            .durability(Durability.NONE)
            .cacheBytes(64 << 20)
            .activeDatasetBytes(128 << 20)
            .build();
    EngineSeams seams =
        new EngineSeams(
            new MemoryFileSystem(),
            new SystemClock(),
            new ThreadTaskExecutor(),
            new SplittableRandom(1));
    try {
      node = NodeStorage.open(options, seams);
    } catch (StorageException failure) {
      throw new AssertionError(failure);
    }
  }

  NodeStorage node() {
    return node;
  }

  /** An index that is not created yet; each has a name of its own. */
  StoreIndex newIndex(int fieldCount, IBinaryComparatorFactory[] comparators) {
    return newIndex(IndexShape.BTREE, fieldCount, comparators);
  }

  /** An R-tree that is not created yet. */
  StoreIndex newPlaces(int fieldCount, IBinaryComparatorFactory[] corners) {
    return newIndex(IndexShape.RTREE, fieldCount, corners);
  }

  StoreIndex newIndex(IndexShape shape, int fieldCount, IBinaryComparatorFactory[] comparators) {
    String path = "index-" + indexes++;
    return new StoreResource(
            path,
            new TupleDescription(
                shape, fieldCount, Stream.of(comparators).map(KeyField::of).toList()))
        .createInstance(node);
  }

  @Override
  public void close() {
    try {
      node.close();
    } catch (StorageException failure) {
      throw new AssertionError(failure);
    }
  }
}
