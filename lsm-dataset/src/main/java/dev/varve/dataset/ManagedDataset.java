package dev.varve.dataset;

import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.Observation.Writes;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import dev.varve.dataset.internal.partition.KeySorter;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.internal.partition.PartitionIndexes;
import dev.varve.dataset.internal.partition.PartitionLifecycle;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.scheduler.admission.WriteAdmission;
import dev.varve.scheduler.admission.WriteBuffer;
import dev.varve.scheduler.policy.CorrelatedPolicy;
import dev.varve.scheduler.policy.LevelsByKeyPolicy;
import dev.varve.scheduler.policy.ReclaimingPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A dataset of the engine, active or not: all its partitions together. Thread-safe to look at;
 * changed by one thread at a time, which has the mutex.
 */
final class ManagedDataset {
  /** Number of no index. */
  private static final int NO_INDEX = -1;

  private final NodeContext node;
  private final ActiveDatasets active;
  private volatile DatasetDescriptor descriptor;
  private final WriteAdmission admission;
  private final List<Partition> partitions = new ArrayList<>();
  private final List<PartitionLifecycle> lifecycles;
  private final DatasetIndexes indexes;
  private volatile boolean dropped;

  /** Whether secondaries follow the primary; the policy is parsed for it once. */
  private volatile boolean correlated;

  /**
   * Whether the dataset has a part of the memory for writes of its own; changed by the thread that
   * has the mutex.
   */
  private volatile boolean writable;

  ManagedDataset(
      DatasetDescriptor descriptor,
      StoreDirectory directory,
      NodeContext node,
      ActiveDatasets active) {
    this.descriptor = descriptor;
    this.node = node;
    this.active = active;
    this.admission =
        new WriteAdmission(
            node.admission(),
            new WriteBuffer.Dataset(
                descriptor.datasetId(),
                descriptor.options().name(),
                descriptor.options().memoryBytes(),
                policy()));
    this.correlated = follows(descriptor);
    for (PartitionDescriptor partition : describePartitions(descriptor, directory)) {
      partitions.add(
          new Partition(
              new PartitionLifecycle(
                  partition, node, admission, access -> active.activate(this, access))));
    }
    this.lifecycles = partitions.stream().map(Partition::lifecycle).toList();
    this.indexes = new DatasetIndexes(this, active);
  }

  /** The partitions of a dataset, whether they exist yet or not. */
  static List<PartitionDescriptor> describePartitions(
      DatasetDescriptor descriptor, StoreDirectory directory) {
    List<PartitionDescriptor> all = new ArrayList<>();
    for (int number = 0; number < descriptor.options().partitions(); number++) {
      all.add(
          new PartitionDescriptor(
              descriptor, number, directory.partition(descriptor.datasetId(), number)));
    }
    return all;
  }

  DatasetDescriptor descriptor() {
    return descriptor;
  }

  /** Takes over what the catalog says of it; called after each change of that, by any thread. */
  @SuppressWarnings("ReferenceEquality") // another object says that something has changed
  void refreshDescriptor() {
    int number = descriptor.datasetId();
    DatasetDescriptor now;
    do {
      now = node.catalog().find(number).orElse(descriptor);
      descriptor = now;
    } while (node.catalog().find(number).orElse(now) != now);
  }

  /** Adds and drops its secondary indexes. */
  DatasetIndexes indexes() {
    return indexes;
  }

  /** What it shares with all datasets of its engine. */
  NodeContext node() {
    return node;
  }

  /**
   * Sorts what is to be loaded, on disk what does not fit.
   *
   * @param memoryBytes what it keeps in memory
   */
  KeySorter newSorter(long memoryBytes) {
    Path run = node.environment().temporary().resolve("sort-records-" + descriptor.datasetId());
    return new KeySorter(node.indexes().files(), run, memoryBytes, node.indexes().executor());
  }

  /** Where writers are let in. */
  WriteAdmission admission() {
    return admission;
  }

  /** The memory that writers fill. */
  WriteBuffer writeBuffer() {
    return admission.buffer();
  }

  List<Partition> partitions() {
    return partitions;
  }

  /** The engine's side of the partitions. */
  List<PartitionLifecycle> lifecycles() {
    return lifecycles;
  }

  /** The most that it may write before something is flushed. */
  long memoryBudget() {
    return admission.buffer().budgetBytes();
  }

  /**
   * What it needs of the cap on memory for writes to be written: nothing where all share one
   * memory.
   */
  long neededBytes() {
    return node.admission().pool().shared() ? 0 : admission.buffer().budgetBytes();
  }

  /** What of the cap on memory for writes is its own now. */
  long reservedBytes() {
    return writable ? neededBytes() : 0;
  }

  /** Whether it has memory for writes. */
  boolean writable() {
    return writable;
  }

  /** It has memory for writes from now on, or no longer; the caller lets writers in. */
  void setWritable(Memory memory) {
    writable = memory == Memory.OWN;
  }

  /** Memory for writes. */
  enum Memory {
    /** A part of the cap is the dataset's. */
    OWN,
    /** The dataset is only read. */
    NONE
  }

  /**
   * When it was used last, in nanoseconds of the clock. Others change it, and so may asking: who
   * compares asks each dataset once.
   */
  long lastUse() {
    return lifecycles.stream().mapToLong(PartitionLifecycle::lastUse).max().orElse(0);
  }

  /** Gives it another merge policy, durably, and has all of its indexes ask it at once. */
  void setMergePolicy(MergePolicyOptions options) throws StorageException {
    node.health().requireWritable();
    active.inTurn(() -> changeMergePolicy(options));
  }

  private void changeMergePolicy(MergePolicyOptions options) throws StorageException {
    node.catalog().setMergePolicy(descriptor.datasetId(), options);
    refreshDescriptor();
    correlated = follows(descriptor);
    decideBy(options.policy());
  }

  /** Has its secondary indexes follow changes in another way, durably, and at once. */
  void setMaintenance(IndexMaintenance maintenance) throws StorageException {
    node.health().requireWritable();
    active.inTurn(() -> changeMaintenance(maintenance));
  }

  private void changeMaintenance(IndexMaintenance maintenance) throws StorageException {
    if (maintenance.needsPrimaryKeyIndex() && !descriptor.options().hasPrimaryKeyIndex()) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "'"
              + descriptor.options().name()
              + "' has no index of primary keys, which "
              + maintenance
              + " needs: withPrimaryKeyIndex, or an"
              + " index 'primary-key:' and the field, gives one to a new dataset");
    }
    // What may become obsolete is in the catalog before the first change that leaves it.
    node.catalog().setMaintenance(descriptor.datasetId(), maintenance);
    refreshDescriptor();
    for (PartitionLifecycle lifecycle : lifecycles) {
      lifecycle.keep(descriptor.upkeep());
    }
    // What is dead of the records may be wanted from now on.
    for (PartitionLifecycle lifecycle : lifecycles) {
      PartitionIndexes indexes = lifecycle.openIndexes();
      if (indexes != null) {
        indexes.all().get(0).scheduleMerges();
      }
    }
  }

  /**
   * Has memory components hold a part of what they may, and levels and components that are cut by
   * key range follow that, until the dataset is closed. The caller has the mutex.
   *
   * @param part above 0, at most 1
   */
  void setMemoryPart(double part) throws StorageException {
    admission.buffer().setSealPart(part);
    MergePolicy scaled = LevelsByKeyPolicy.scaled(policy(), part);
    if (!scaled.describe().equals(admission.buffer().mergePolicy().describe())) {
      decideBy(scaled);
    }
  }

  private void decideBy(MergePolicy policy) throws StorageException {
    admission.buffer().setMergePolicy(policy);
    for (PartitionLifecycle lifecycle : lifecycles) {
      PartitionIndexes indexes = lifecycle.openIndexes();
      if (indexes != null) {
        indexes.setMergePolicy(policy, node);
      }
    }
    // The limit of the new policy may let writers go on.
    node.progress().raise();
  }

  private static boolean follows(DatasetDescriptor descriptor) {
    return ReclaimingPolicy.without(descriptor.options().mergePolicy().policy())
        instanceof CorrelatedPolicy;
  }

  /** Has secondaries that follow the primary look at what it has merged. */
  void followMerges() {
    if (correlated) {
      for (PartitionLifecycle lifecycle : lifecycles) {
        PartitionIndexes indexes = lifecycle.openIndexes();
        if (indexes != null) {
          indexes.followMerges();
        }
      }
    }
  }

  private MergePolicy policy() {
    return descriptor.options().mergePolicy().policy();
  }

  /** A number that a write or flush changes, unless an unlogged write replaced a value. */
  long writeMark() {
    return lifecycles.stream()
        .map(PartitionLifecycle::openIndexes)
        .filter(Objects::nonNull)
        .flatMap(open -> open.all().stream())
        .mapToLong(index -> index.state().writeMark())
        .sum();
  }

  /**
   * Tells the merge policies whether anything is written.
   *
   * @return whether what was deleted in memory is worth a flush
   */
  boolean see(Writes writes) {
    boolean flush = false;
    for (PartitionLifecycle lifecycle : lifecycles) {
      flush |= lifecycle.see(writes, ReclaimingPolicy.reclaimOf(policy()));
    }
    return flush;
  }

  /** Whether a directory is that of an index that was dropped and may still be read. */
  boolean isDropped(String directory) {
    return lifecycles.stream().anyMatch(each -> each.changes().isDropped(Path.of(directory)));
  }

  /** Whether its indexes are open. */
  boolean open() {
    return lifecycles.get(0).openIndexes() != null;
  }

  boolean dropped() {
    return dropped;
  }

  void setDropped(boolean now) {
    dropped = now;
    lifecycles.forEach(now ? PartitionLifecycle::beginDrop : PartitionLifecycle::cancelDrop);
  }

  /** Opens the indexes of all partitions; nobody is let in yet, and nobody may write. */
  void openIndexes() throws StorageException {
    List<PartitionIndexes> opened = new ArrayList<>();
    try {
      for (PartitionLifecycle lifecycle : lifecycles) {
        opened.add(lifecycle.activate());
      }
      admission.setIndexes(
          opened.stream().<LsmIndex<?>>flatMap(each -> each.all().stream()).toList());
    } catch (StorageException | RuntimeException | Error e) {
      lifecycles.forEach(PartitionLifecycle::abandon);
      throw e;
    }
  }

  /** Lets readers in. */
  void letIn() {
    lifecycles.forEach(PartitionLifecycle::letIn);
  }

  /** Lets writers in, too. */
  void allowWrites() {
    lifecycles.forEach(PartitionLifecycle::allowWrites);
  }

  /** Whether nobody is let in, as during recovery. */
  boolean keptOut() {
    return lifecycles.stream().anyMatch(PartitionLifecycle::keptOut);
  }

  /** Keeps writers out of all partitions, if none is in one, while readers come and go. */
  boolean tryRefuseWrites() {
    for (int i = 0; i < lifecycles.size(); i++) {
      if (!lifecycles.get(i).tryRefuseWrites()) {
        lifecycles.subList(0, i).forEach(PartitionLifecycle::allowWrites);
        return false;
      }
    }
    return true;
  }

  /** Keeps everybody out of all partitions, if nobody is in one. */
  boolean tryKeepOut() {
    for (int i = 0; i < lifecycles.size(); i++) {
      if (!lifecycles.get(i).tryKeepOut()) {
        lifecycles.subList(0, i).forEach(PartitionLifecycle::letIn);
        return false;
      }
    }
    return true;
  }

  /** Keeps everybody out of all partitions once nobody is in; false when the time ran out. */
  boolean keepOut(long timeoutNanos) {
    for (int i = 0; i < lifecycles.size(); i++) {
      if (!lifecycles.get(i).keepOut(timeoutNanos)) {
        lifecycles.subList(0, i).forEach(PartitionLifecycle::letIn);
        return false;
      }
    }
    return true;
  }

  /** Flushes all partitions. */
  void flush() throws StorageException {
    admission.buffer().seal();
    for (PartitionLifecycle lifecycle : lifecycles) {
      PartitionIndexes indexes = lifecycle.openIndexes();
      if (indexes != null) {
        indexes.flush();
      }
    }
  }

  /** Has what was redone flushed behind, and read from memory until then. */
  void settleRedo() {
    admission.buffer().seal();
    for (PartitionLifecycle lifecycle : lifecycles) {
      PartitionIndexes indexes = lifecycle.openIndexes();
      if (indexes != null) {
        indexes.all().forEach(LsmIndex::seal);
      }
    }
  }

  /** Closes the indexes, which everybody was kept out of, after running merges have ended. */
  void closeIndexes() {
    // First, so that nobody who needs memory has them sealed while they are closed.
    admission.setIndexes(List.of());
    lifecycles.forEach(PartitionLifecycle::deactivate);
  }

  /** Lets nobody in any more, for good, whoever is inside. */
  void shut() {
    lifecycles.forEach(PartitionLifecycle::shut);
  }

  /** Closes the indexes as they are; the maintenance service was closed before. */
  void abandon() {
    lifecycles.forEach(PartitionLifecycle::abandon);
  }

  /** Says which flushes must be there when the indexes are opened; by index. */
  void expectFlushes(Map<Integer, Long> newest) {
    lifecycles.forEach(lifecycle -> lifecycle.expectFlushes(newest));
  }

  /** Adds the newest flush of each index. */
  void addNewestFlushes(Map<Integer, Long> newest) {
    lifecycles.forEach(lifecycle -> lifecycle.addNewestFlushes(newest));
  }

  /** Where in the log its redo would begin; the log's end is read before. */
  long redoPosition() {
    return redoPositionOfOthers(NO_INDEX);
  }

  /** Where in the log its redo would begin, if it was not for one index. */
  long redoPositionOfOthers(int index) {
    long position = Long.MAX_VALUE;
    for (PartitionLifecycle lifecycle : lifecycles) {
      PartitionIndexes indexes = lifecycle.openIndexes();
      if (indexes != null) {
        position = Math.min(position, indexes.redoPositionOfOthers(index));
      }
    }
    return position;
  }
}
