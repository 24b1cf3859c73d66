package dev.varve.dataset.engine;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import dev.varve.dataset.catalog.MergePolicyOptions;
import dev.varve.dataset.partition.KeyValueLoader;
import dev.varve.dataset.partition.KeyValueSession;
import dev.varve.dataset.partition.KeyValueTransaction;
import dev.varve.dataset.partition.Partition;
import dev.varve.dataset.partition.RecordCursor;
import dev.varve.transaction.log.Durability;
import java.util.List;

/**
 * One transactional LSM B+-tree over raw key and value bytes: a partition without secondaries.
 * Thread-safe; every call after the engine was closed, or the store dropped, throws {@link
 * IllegalStateException}.
 */
public final class KeyValueStore {
  private final ManagedDataset managed;

  KeyValueStore(ManagedDataset managed) {
    this.managed = managed;
  }

  ManagedDataset managed() {
    return managed;
  }

  /** Its name. */
  public String name() {
    return managed.descriptor().options().name();
  }

  /** Its number in the catalog, from 1; no other store of the engine ever has it. */
  public int number() {
    return managed.descriptor().datasetId();
  }

  /** The partition behind it. */
  public Partition partition() {
    return managed.hosts().get(0).partition();
  }

  /** Opens a session at the engine's level of durability. */
  @MustBeClosed
  public KeyValueSession openSession() throws StorageException {
    return partition().openKeyValueSession();
  }

  /** Opens a session whose acknowledgements promise this level of durability. */
  @MustBeClosed
  public KeyValueSession openSession(Durability durability) throws StorageException {
    return partition().openKeyValueSession(durability);
  }

  /** Begins a transaction over several pairs. */
  @MustBeClosed
  public KeyValueTransaction beginTransaction() throws StorageException {
    return partition().beginKeyValueTransaction();
  }

  /**
   * Reads a value.
   *
   * @param found filled with copies of key and value when the result is true
   */
  public boolean get(Slice key, Entry found) throws StorageException {
    return partition().get(key, found);
  }

  /** Scans pairs in key order. */
  @MustBeClosed
  public RecordCursor scan(KeyRange keys) throws StorageException {
    return partition().scan(keys);
  }

  /** Starts loading the store, which must be empty. */
  @MustBeClosed
  public KeyValueLoader bulkLoad() throws StorageException {
    return partition().loadPairs();
  }

  /**
   * Gives it another merge policy, with the component limit that the policy brings: durably, and at
   * once for all of its indexes, while others read and write.
   */
  public void setMergePolicy(MergePolicyOptions policy) throws StorageException {
    managed.setMergePolicy(policy);
  }

  /** Flushes and waits. */
  public void flush() throws StorageException {
    Reports.flush(managed);
  }

  /** Flushes, merges into one component, and waits. */
  public void compact() throws StorageException {
    Reports.compact(managed);
  }

  /** Checks every rule of its files. Writers wait meanwhile. */
  public VerifyReport verify() throws StorageException {
    return Reports.verify(List.of(managed));
  }

  /** What it holds. */
  public DatasetStats stats() throws StorageException {
    return Reports.stats(managed);
  }
}
