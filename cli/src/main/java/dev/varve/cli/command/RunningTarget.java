package dev.varve.cli.command;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.RunningEngine;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.options.DatasetOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands records to the processes that run the engines of a directory, some at a time: they upsert
 * or put them. A kill of either side leaves those up to some batch, and of that one some; the same
 * import again makes it whole. Confined to one thread.
 */
final class RunningTarget implements ImportTarget {
  private static final int BATCH_BYTES = 8 << 20;
  private static final int BATCH_RECORDS = 20_000;

  private final EngineSeams seams;
  private final String store;
  private final RejectedRecords rejected;
  private final boolean pairs;
  private final PerNode<Batch> batches;
  private long replaced;
  private long durable;

  /** What one engine is handed next. */
  private static final class Batch {
    private final Path engine;
    private final List<byte[]> strings = new ArrayList<>();
    private final List<String> places = new ArrayList<>();
    private long bytes;

    Batch(Path engine) {
      this.engine = engine;
    }

    boolean isFull() {
      return bytes >= BATCH_BYTES || places.size() >= BATCH_RECORDS;
    }
  }

  /**
   * Opens nothing.
   *
   * @param store name of the dataset or key-value store
   * @param dataset what it is, or will be; null for a key-value store
   * @param place of one of the engines
   * @param engines directories of the engines, in the order of nodes
   */
  RunningTarget(
      EngineSeams seams,
      String store,
      @Nullable DatasetOptions dataset,
      ClusterPlace place,
      List<Path> engines,
      RejectedRecords rejected) {
    this.seams = seams;
    this.store = store;
    this.rejected = rejected;
    this.pairs = dataset == null;
    assert !pairs || engines.size() == 1 : engines;
    this.batches =
        PerNode.of(
            engines.size() == 1 ? null : dataset,
            place,
            engines.stream().map(Batch::new).toList(),
            batch -> batch.strings.clear());
  }

  @Override
  public String method() {
    return (pairs ? "puts" : "upserts") + " of the running process";
  }

  @Override
  public long durable() {
    return durable;
  }

  @Override
  public void add(Slice record, Supplier<String> place) throws StorageException {
    Batch batch = batches.of(record);
    batch.strings.addAll(pairs ? PairTarget.pair(record) : List.of(record.toByteArray()));
    batch.places.add(place.get());
    batch.bytes += record.length();
    if (batch.isFull()) {
      hand(batch);
    }
  }

  private void hand(Batch batch) throws StorageException {
    if (batch.places.isEmpty()) {
      return;
    }
    RunningEngine.Taken taken = RunningEngine.put(seams, batch.engine, store, batch.strings);
    replaced += taken.replaced();
    durable += batch.places.size() - taken.refused().size();
    for (Map.Entry<Integer, RunningEngine.Refusal> refused : taken.refused().entrySet()) {
      int number = refused.getKey();
      rejected.add(
          batch.places.get(number),
          refused.getValue().reason(),
          refused.getValue().message(),
          new Slice(batch.strings.get(pairs ? 2 * number : number)));
    }
    batch.strings.clear();
    batch.places.clear();
    batch.bytes = 0;
  }

  @Override
  public long finish() throws StorageException {
    for (Batch batch : batches.all()) {
      hand(batch);
    }
    return replaced;
  }

  @Override
  public void close() throws StorageException {
    batches.close();
  }
}
