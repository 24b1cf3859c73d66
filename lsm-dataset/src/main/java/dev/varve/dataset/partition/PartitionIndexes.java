package dev.varve.dataset.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.component.ComponentId;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Signal;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.LsmIndexOptions;
import dev.varve.dataset.catalog.IndexKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The open indexes of a partition: the primary at position 0, then its secondaries. Thread-safe;
 * closed by the partition's host when nobody is inside.
 */
public final class PartitionIndexes implements AutoCloseable {
  /** Memory components of an index: one is written while the other is flushed. */
  private static final int MEMORY_COMPONENTS = 2;

  private static final long FORCE_EVERY_BYTES = 16L << 20;

  private final PartitionConfig config;
  private final List<LsmIndex<KeyRange>> all;

  private PartitionIndexes(PartitionConfig config, List<LsmIndex<KeyRange>> all) {
    this.config = config;
    this.all = List.copyOf(all);
  }

  /** Whether partitions can have indexes of a kind. */
  public static boolean offers(IndexKind kind) {
    return kind instanceof IndexKind.BTree;
  }

  /** Makes the directories of a partition's indexes, durably. */
  public static void createDirectories(PartitionConfig config, FileSystem files)
      throws StorageException {
    for (int position = 0; position < config.indexCount(); position++) {
      files.createDirectories(directory(config, position));
    }
    for (int position = 0; position < config.indexCount(); position++) {
      // Files of a load that failed may have been deleted just now: none of them may come back.
      files.forceDirectory(directory(config, position));
    }
    Path directory = config.directory();
    for (int level = 0; level < 3 && directory != null; level++) {
      files.forceDirectory(directory);
      directory = directory.getParent();
    }
  }

  /**
   * Opens every index of a partition.
   *
   * @throws CorruptionException when the directory of one is missing
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the indexes are owned by the result
  static PartitionIndexes open(PartitionConfig config, PartitionServices services)
      throws StorageException {
    List<LsmIndex<KeyRange>> opened = new ArrayList<>();
    try {
      for (int position = 0; position < config.indexCount(); position++) {
        Path directory = directory(config, position);
        if (!services.indexes().files().exists(directory)) {
          throw new CorruptionException(directory.toString(), -1, "the index is missing");
        }
        opened.add(
            LsmIndex.open(
                directory,
                new BTreeFormat(),
                options(config, position, services.settings()),
                services.indexes()));
      }
      for (LsmIndex<KeyRange> index : opened) {
        // A component may say more than what is left of a log that was not durable: no LSN twice.
        services.log().skipTo(index.indexLsn());
      }
      return new PartitionIndexes(config, opened);
    } catch (StorageException | RuntimeException | Error e) {
      opened.forEach(LsmIndex::close);
      throw e;
    }
  }

  /**
   * Refuses indexes that lack their newest components: older ones show by the gap that they leave.
   *
   * @param newest by position, the newest flush that must be there, 0 for none
   */
  void requireFlushes(long[] newest) throws CorruptionException {
    for (int position = 0; position < newest.length; position++) {
      long found = all.get(position).newestFlush();
      if (found < newest[position]) {
        ComponentId missing = new ComponentId(found + 1, newest[position]);
        throw new CorruptionException(
            directory(config, position).resolve("c-" + missing + ".lsm").toString(),
            -1,
            "component is missing: the checkpoint relies on flush "
                + newest[position]
                + " of the index, the newest one found is "
                + found);
      }
    }
  }

  static Path directory(PartitionConfig config, int position) {
    return config.directory().resolve("i" + config.indexId(position));
  }

  private static LsmIndexOptions options(
      PartitionConfig config, int position, PartitionSettings settings) {
    return new LsmIndexOptions(
        config.indexId(position),
        settings.pageBytes(),
        // Only primary indexes are asked for one key at a time.
        position == 0 ? config.options().filterFalsePositiveRate() : 0,
        MEMORY_COMPONENTS,
        // All indexes of a dataset are sealed together when its memory is used up: the dataset's
        // gate decides, not an index by itself.
        Long.MAX_VALUE,
        FORCE_EVERY_BYTES,
        settings.policies().apply(config.mergePolicy()));
  }

  /** The primary index. */
  LsmIndex<KeyRange> primary() {
    return all.get(0);
  }

  /** The index at a position. */
  LsmIndex<KeyRange> get(int position) {
    return all.get(position);
  }

  /** Number of indexes. */
  int size() {
    return all.size();
  }

  /** All indexes, the primary first. */
  public List<LsmIndex<KeyRange>> all() {
    return all;
  }

  /**
   * Where in the log the redo of any of them would begin; the log's end is read before.
   *
   * @param except number of an index that is left out
   */
  public long redoPositionOfOthers(int except) {
    long least = Long.MAX_VALUE;
    for (int position = 0; position < all.size(); position++) {
      if (config.indexId(position) != except) {
        least = Math.min(least, all.get(position).redoPosition());
      }
    }
    return least;
  }

  /** Seals what is in memory, so that it is flushed in the background. */
  public void seal() {
    all.forEach(LsmIndex::seal);
  }

  /** Submits flushes once more that failed. */
  void retryFailedFlushes() {
    for (LsmIndex<KeyRange> index : all) {
      if (index.flushFailure() != null) {
        index.retryFlush();
      }
    }
  }

  /** Flushes all indexes together and waits. */
  public void flush() throws StorageException {
    retryFailedFlushes();
    seal();
    for (LsmIndex<KeyRange> index : all) {
      index.flush();
    }
  }

  /** Waits until no merge reads a component. */
  void awaitMerges() {
    for (LsmIndex<KeyRange> index : all) {
      index.changed().await(() -> index.shape().merging().isEmpty(), Signal.FOREVER);
    }
  }

  PartitionStats stats() {
    List<IndexStats> indexes = new ArrayList<>();
    for (int position = 0; position < all.size(); position++) {
      LsmIndex<KeyRange> index = all.get(position);
      var lsm = index.stats();
      indexes.add(
          new IndexStats(
              config.indexName(position),
              config.indexId(position),
              index.indexLsn(),
              index.redoPosition(),
              lsm.components(),
              lsm.memoryEntries(),
              lsm.memoryBytes(),
              lsm.flushes(),
              lsm.merges(),
              lsm.flushedBytes(),
              lsm.mergedBytes()));
    }
    return new PartitionStats(config.number(), indexes);
  }

  @Override
  public void close() {
    all.forEach(LsmIndex::close);
  }
}
