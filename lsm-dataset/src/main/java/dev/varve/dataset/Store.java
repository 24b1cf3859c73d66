package dev.varve.dataset;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.model.EngineRequest;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What an engine stores under one name: records or pairs. Thread-safe; every call after the engine
 * was closed, or the store dropped, throws {@link IllegalStateException}.
 */
public abstract sealed class Store permits Dataset, KeyValueStore {
  final ManagedDataset managed;

  Store(ManagedDataset managed) {
    this.managed = managed;
  }

  /** What users have of a dataset of the engine. */
  static Store of(ManagedDataset managed) {
    return managed.descriptor().kind() == DatasetDescriptor.Kind.RECORDS
        ? new Dataset(managed)
        : new KeyValueStore(managed);
  }

  /**
   * A name that a store may have.
   *
   * @throws RequestException with {@code INVALID_NAME} for another
   */
  static String checkedName(String name) throws RequestException {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1
        || bytes > DatasetOptions.MAX_NAME_BYTES
        || !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      throw new RequestException(
          RequestException.Reason.INVALID_NAME,
          "a name has 1 to " + DatasetOptions.MAX_NAME_BYTES + " bytes of valid text");
    }
    return name;
  }

  /** Ends what is kept for later writes: there will be none. */
  abstract void dispose();

  /** Refuses a store of another engine. */
  final void requireOf(NodeContext node) {
    if (!managed.node().equals(node)) {
      throw new IllegalArgumentException(
          "'" + name() + "' belongs to another engine than the transaction or snapshot");
    }
  }

  /** Its name. */
  public final String name() {
    return managed.descriptor().options().name();
  }

  /** Its number in the catalog, from 1; no other store of the engine ever has it. */
  public final int number() {
    return managed.descriptor().datasetId();
  }

  /**
   * Gives it another merge policy, with the component limit that the policy brings: durably, and at
   * once for all of its indexes, while others read and write.
   */
  public final void setMergePolicy(MergePolicyOptions policy) throws StorageException {
    managed.setMergePolicy(policy);
  }

  /** Flushes all indexes and waits. */
  public final void flush() throws StorageException {
    Reports.flush(managed);
  }

  /** Flushes all indexes, merges each into one component, and waits. */
  public final void compact() throws StorageException {
    Reports.compact(managed);
  }

  /** Finds what is obsolete in secondary indexes; a key-value store has none. */
  public void repairIndexes() throws StorageException {}

  /**
   * Deletes all that has its key in a range, in either direction; of the keys of a dataset a bound
   * stands for all that begin with it ({@link dev.varve.dataset.model.ValueRange}). What sessions
   * of the calling thread have written must be forced.
   *
   * @throws dev.varve.common.error.ConflictException with {@code STALLED} or {@code LOCK_TIMEOUT}
   *     when a transaction stays open, for which the calling thread's own is one
   * @throws dev.varve.common.error.LimitException when a bound is longer than a key may be, or no
   *     merge has met too many ranges
   */
  public abstract void deleteRange(KeyRange keys) throws StorageException;

  /** Takes records or pairs that another process hands over, durably. */
  abstract RunningEngine.Taken take(List<byte[]> batch) throws StorageException;

  /** Does what another process asks of it. */
  void doAsAsked(EngineRequest request) throws StorageException {
    switch (request.verb()) {
      case COMPACT -> compact();
      case REPAIR_INDEXES -> repairIndexes();
      case DELETE_RANGE -> deleteRange(request.range());
      default ->
          throw new RequestException(
              RequestException.Reason.UNSUPPORTED,
              "'" + name() + "' is a key-value store, which has no indexes");
    }
  }

  /**
   * Checks every rule of its files, and that secondaries are the projection of the primary. Writers
   * wait meanwhile.
   */
  public final VerifyReport verify() throws StorageException {
    return Reports.verify(List.of(managed));
  }

  /** What it holds. */
  public final DatasetStats stats() throws StorageException {
    return Reports.stats(managed);
  }
}
