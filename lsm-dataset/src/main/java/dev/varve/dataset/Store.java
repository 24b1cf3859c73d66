package dev.varve.dataset;

import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
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
    return switch (managed.descriptor().kind()) {
      case RECORDS -> new Dataset(managed);
      case KEY_VALUE -> new KeyValueStore(managed);
    };
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

  /** Takes records or pairs that another process hands over, durably. */
  abstract RunningEngine.Taken take(List<byte[]> batch) throws StorageException;

  /** Does what another process asks of it. */
  void doAsAsked(EngineRequest request) throws StorageException {
    if (request.verb() != EngineRequest.Verb.COMPACT) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "'" + name() + "' is a key-value store, which has no indexes");
    }
    compact();
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
