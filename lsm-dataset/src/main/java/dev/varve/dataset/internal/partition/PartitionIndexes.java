package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.disk.IndexFiles;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.LsmIndexOptions;
import dev.varve.common.index.MergeSieve;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.Observation;
import dev.varve.common.merge.Observation.Writes;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import dev.varve.dataset.internal.value.LoggedValues;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.kind.PrimaryKeyKind;
import dev.varve.dataset.kind.RecordSchema;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.IndexUpkeep;
import dev.varve.scheduler.policy.CorrelatedPolicy;
import dev.varve.scheduler.policy.Reclaim;
import dev.varve.scheduler.policy.ReclaimingPolicy;
import dev.varve.scheduler.policy.WeightedPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The open indexes of a partition: the primary at position 0, then its secondaries. Thread-safe;
 * closed by the partition's lifecycle when nobody is inside.
 */
public final class PartitionIndexes implements AutoCloseable {
  /** Memory components of an index: one is written while the other is flushed. */
  private static final int MEMORY_COMPONENTS = 2;

  private final PartitionShape shape;
  private final PartitionDescriptor descriptor;
  private final LsmIndex<KeyRange> primary;
  private final @Nullable LsmIndex<KeyRange> primaryKeys;
  private final List<SecondaryIndex<?>> secondaries;
  private final List<LsmIndex<?>> all;

  /** The same for writers, which go through it at each change. */
  final LsmIndex<?>[] each;

  /** By position, their numbers in the log. */
  private final int[] ids;

  /** The keys of the records; null when the partition stores raw pairs. Writers compare it. */
  final @Nullable RecordSchema schema;

  private PartitionIndexes(
      PartitionShape shape,
      LsmIndex<KeyRange> primary,
      @Nullable LsmIndex<KeyRange> primaryKeys,
      List<SecondaryIndex<?>> secondaries) {
    this.shape = shape;
    this.schema = shape.schema();
    this.descriptor = shape.descriptor();
    this.primary = primary;
    this.primaryKeys = primaryKeys;
    this.secondaries = List.copyOf(secondaries);
    List<LsmIndex<?>> indexes = new ArrayList<>();
    indexes.add(primary);
    secondaries.forEach(secondary -> indexes.add(secondary.lsm()));
    this.all = List.copyOf(indexes);
    this.each = all.toArray(new LsmIndex<?>[0]);
    this.ids = IntStream.range(0, all.size()).map(descriptor::indexId).toArray();
  }

  /** Makes the directories of a partition's indexes, durably. */
  public static void createDirectories(PartitionDescriptor descriptor, FileSystem files)
      throws StorageException {
    for (int position = 0; position < descriptor.indexCount(); position++) {
      files.createDirectories(descriptor.indexDirectory(position));
    }
    for (int position = 0; position < descriptor.indexCount(); position++) {
      // Files of a load that failed may have been deleted just now: none of them may come back.
      files.forceDirectory(descriptor.indexDirectory(position));
    }
    Path directory = descriptor.directory();
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
  static PartitionIndexes open(PartitionShape shape, NodeContext node) throws StorageException {
    PartitionDescriptor descriptor = shape.descriptor();
    Opening opening = new Opening(descriptor, node);
    try {
      LsmIndex<KeyRange> primary = opening.open(0, descriptor.primaryFormat());
      List<SecondaryIndex<?>> secondaries = new ArrayList<>();
      LsmIndex<KeyRange> primaryKeys = null;
      for (int position = 1; position < descriptor.indexCount(); position++) {
        IndexDefinition definition = descriptor.options().indexes().get(position - 1);
        if (definition.kind() instanceof PrimaryKeyKind kind) {
          SecondaryIndex<KeyRange> keys = opening.secondary(position, kind, definition);
          primaryKeys = keys.lsm();
          secondaries.add(keys);
        } else {
          secondaries.add(opening.secondary(position, definition.kind(), definition));
        }
      }
      for (LsmIndex<?> index : opening.opened) {
        // A component may say more than what is left of a log that was not durable: no LSN twice.
        node.log().skipTo(index.state().indexLsn());
      }
      return new PartitionIndexes(shape, primary, primaryKeys, secondaries);
    } catch (StorageException | RuntimeException | Error e) {
      opening.opened.forEach(LsmIndex::close);
      throw e;
    }
  }

  /**
   * Finds the files of every index of a partition and checks the ends of those that count, without
   * opening the indexes; changes nothing.
   *
   * @param newest by index, the newest flush that must be there
   */
  public static List<IndexFiles> find(
      PartitionDescriptor descriptor, FileSystem files, long storeId, Map<Integer, Long> newest)
      throws StorageException {
    List<IndexFiles> all = new ArrayList<>();
    for (int position = 0; position < descriptor.indexCount(); position++) {
      Path directory = requireDirectory(descriptor, position, files);
      IndexFiles found =
          IndexFiles.find(
              files,
              new IndexFiles.Place<>(
                  directory,
                  descriptor.indexFormat(position),
                  descriptor.indexId(position),
                  storeId));
      requireFlush(
          directory, found.newestFlush(), newest.getOrDefault(descriptor.indexId(position), 0L));
      found.checkEnds();
      all.add(found);
    }
    return all;
  }

  /** Adds a partition to those whose large values the end of the log may refer to. */
  public static void addTo(
      LoggedValues logged, PartitionDescriptor descriptor, FileSystem files, long storeId)
      throws StorageException {
    StoredForm.addTo(logged, descriptor, files, storeId);
  }

  private static Path requireDirectory(
      PartitionDescriptor descriptor, int position, FileSystem files) throws StorageException {
    Path directory = descriptor.indexDirectory(position);
    if (!files.exists(directory)) {
      throw new CorruptionException(directory.toString(), -1, "the index is missing");
    }
    return directory;
  }

  /** Opens one index after the other, and remembers which. */
  private static final class Opening {
    private final PartitionDescriptor descriptor;
    private final NodeContext node;
    private final List<LsmIndex<?>> opened = new ArrayList<>();

    Opening(PartitionDescriptor descriptor, NodeContext node) {
      this.descriptor = descriptor;
      this.node = node;
    }

    @SuppressWarnings("MustBeClosedChecker") // closed with the partition's indexes
    <Q> LsmIndex<Q> open(int position, ComponentFormat<Q> format) throws StorageException {
      Path directory = requireDirectory(descriptor, position, node.indexes().files());
      LsmIndex<Q> index =
          LsmIndex.open(
              directory,
              format,
              options(descriptor, node, format, new Place(position, opened)),
              node.indexes());
      opened.add(index);
      return index;
    }

    <Q> SecondaryIndex<Q> secondary(int position, IndexKind<Q> kind, IndexDefinition definition)
        throws StorageException {
      boolean stamped = descriptor.options().hasPrimaryKeyIndex() && kind.keepsStamps();
      IndexKind<Q> whole = kind.over(definition.paths().size());
      return new SecondaryIndex<>(open(position, whole), whole, stamped);
    }
  }

  /** Opens the last index of a partition that has one more than this. */
  SecondaryIndex<?> openLast(PartitionShape next, NodeContext node) throws StorageException {
    Opening opening = new Opening(next.descriptor(), node);
    opening.opened.addAll(all);
    int last = all.size();
    IndexDefinition definition = next.descriptor().options().indexes().get(last - 1);
    return opening.secondary(last, definition.kind(), definition);
  }

  /** The same indexes and one more behind them. */
  PartitionIndexes plus(PartitionShape next, SecondaryIndex<?> last) {
    assert next.descriptor().indexCount() == all.size() + 1 : next;
    List<SecondaryIndex<?>> more = new ArrayList<>(secondaries);
    more.add(last);
    return new PartitionIndexes(next, primary, primaryKeys, more);
  }

  /** The same indexes without one, which stays open. */
  PartitionIndexes without(String index) {
    assert shape.positionOf(index) > 0 : index;
    List<SecondaryIndex<?>> fewer = new ArrayList<>(secondaries);
    fewer.remove(shape.positionOf(index) - 1);
    return new PartitionIndexes(shape.minus(index), primary, primaryKeys, fewer);
  }

  /** The same indexes, of which others answer. */
  PartitionIndexes with(PartitionShape next) {
    assert next.descriptor().indexCount() == all.size() : next;
    return new PartitionIndexes(next, primary, primaryKeys, secondaries);
  }

  /** Which indexes they are. */
  PartitionShape shape() {
    return shape;
  }

  /** Reads records as the primary index holds them, for one thread. */
  RecordEntries storedEntries() {
    int stampBytes = Expiry.stampBytes(shape.descriptor().options());
    return RecordEntries.ofStored(Objects.requireNonNull(schema), stampBytes);
  }

  /** Reads records as a {@link RecordLookup} shows them, for one thread. */
  RecordEntries shownEntries() {
    return RecordEntries.ofStored(Objects.requireNonNull(schema), 0);
  }

  /** Number in the log of the index at a position. */
  int id(int position) {
    return ids[position];
  }

  /** Position of the index with a number in the log; -1 for none. */
  int positionOf(int id) {
    for (int position = 0; position < ids.length; position++) {
      if (ids[position] == id) {
        return position;
      }
    }
    return -1;
  }

  /**
   * The number, from 0, of the secondary index with a name.
   *
   * @throws RequestException with {@code UNKNOWN_INDEX} when there is none, or it does not answer
   */
  int secondaryOf(String index) throws RequestException {
    int position = shape.positionOf(index);
    if (position < 0 || !shape.answers(position)) {
      DatasetDescriptor dataset = descriptor.dataset();
      for (String silent : shape.silent()) {
        dataset = dataset.withoutIndex(silent);
      }
      throw dataset.unknownIndex(index);
    }
    return position - 1;
  }

  /** Number in the log of a secondary index, or of the primary. */
  int numberOf(Optional<String> secondary) throws RequestException {
    return descriptor.indexId(secondary.isEmpty() ? 0 : 1 + secondaryOf(secondary.get()));
  }

  /** Refuses the index at a position if it lacks its newest component; 0 is none. */
  void requireFlush(int position, long newest) throws CorruptionException {
    requireFlush(
        descriptor.indexDirectory(position), all.get(position).state().newestFlush(), newest);
  }

  private static void requireFlush(Path directory, long found, long newest)
      throws CorruptionException {
    if (found < newest) {
      ComponentId missing = new ComponentId(found + 1, newest);
      throw new CorruptionException(
          directory.resolve("c-" + missing + ".lsm").toString(),
          -1,
          "component is missing: the checkpoint relies on flush "
              + newest
              + " of the index, the newest one found is "
              + found);
    }
  }

  /**
   * Where an index is in its partition.
   *
   * @param position 0 for the primary
   * @param before the indexes before it, which are open
   */
  private record Place(int position, List<LsmIndex<?>> before) {
    /** The policy that the index uses: of a correlated one, secondaries follow the primary. */
    MergePolicy policy(MergePolicy policy, NodeContext node) {
      MergePolicy own =
          position > 0 && ReclaimingPolicy.without(policy) instanceof CorrelatedPolicy correlated
              ? WeightedPolicy.inside(
                  policy,
                  inner ->
                      new ReclaimingPolicy(
                          correlated.following(before.get(0)::shape),
                          ReclaimingPolicy.reclaimOf(inner)))
              : policy;
      return node.environment().policies().apply(ReclaimingPolicy.of(own));
    }
  }

  private static LsmIndexOptions options(
      PartitionDescriptor descriptor, NodeContext node, ComponentFormat<?> format, Place place) {
    int position = place.position();
    return new LsmIndexOptions(
        descriptor.indexId(position),
        node.options().components(),
        // Only primary keys and deleted keys are asked for one key at a time.
        position == 0 || format instanceof PrimaryKeyKind || format.deletedKeys() != null
            ? descriptor.options().filterFalsePositiveRate()
            : 0,
        MEMORY_COMPONENTS,
        // All indexes of a dataset are sealed together when its memory is used up: the dataset's
        // WriteBuffer decides, not an index by itself.
        Long.MAX_VALUE,
        place.policy(mergePolicy(descriptor, node), node));
  }

  /** As the catalog has it now: it may have been changed since the partition was described. */
  private static MergePolicy mergePolicy(PartitionDescriptor partition, NodeContext node) {
    DatasetDescriptor described = partition.dataset();
    DatasetDescriptor now = node.catalog().find(described.datasetId()).orElse(described);
    return now.options().mergePolicy().policy();
  }

  /** From now on this policy decides in every index; each asks it at once. */
  public void setMergePolicy(MergePolicy policy, NodeContext node) throws StorageException {
    for (int position = 0; position < all.size(); position++) {
      all.get(position).setMergePolicy(new Place(position, all).policy(policy, node));
    }
  }

  /**
   * Has merges of secondaries leave obsolete entries out where the upkeep says that there may be
   * some, and dead records be found where it says that they are wanted. Not before recovery has
   * ended: what is missing until then on disk may be in the log.
   *
   * @param ofPrimary what merges of the primary leave out
   */
  void siftMerges(Supplier<IndexUpkeep> upkeep, MergeSieve ofPrimary) {
    primary.setMergeSieve(ofPrimary);
    LsmIndex<KeyRange> keys = primaryKeys;
    SharedChanges changes = keys == null ? null : new SharedChanges(keys);
    primary
        .contents()
        .findDeadEntries(() -> upkeep.get().maintenance() == IndexMaintenance.MUTABLE_BITMAP);
    for (SecondaryIndex<?> secondary : secondaries) {
      if (changes != null && secondary.stamped() && secondary.lsm() != keys) {
        secondary.lsm().setMergeSieve(new RepairSieve(secondary, changes, upkeep));
      }
    }
  }

  /** Asks the policies of the secondaries again, after the primary has merged. */
  public void followMerges() {
    secondaries.forEach(secondary -> secondary.lsm().scheduleMerges());
  }

  /**
   * Tells the merge policies whether anything is written.
   *
   * @return whether what was deleted in memory of an index is worth a flush
   */
  boolean see(Writes writes, Reclaim reclaim) {
    boolean flush = false;
    for (int position = 0; position < all.size(); position++) {
      LsmIndex<?> index = all.get(position);
      IndexShape shape = index.shape();
      Observation seen = new Observation(writes, entriesPerDeletion(position, shape), 0);
      index.see(seen);
      flush |= reclaim.wantsFlush(shape.seen(seen), index.state().deletionsInMemory());
    }
    return flush;
  }

  /** A deleted text has as many entries as it has words, about as many as the others have. */
  private long entriesPerDeletion(int position, IndexShape shape) {
    if (position == 0 || !secondaries.get(position - 1).kind().expandsEntries()) {
      return 1;
    }
    long entries = 0;
    for (ComponentStats component : shape.components()) {
      entries += component.entries();
    }
    long records = 1;
    for (ComponentStats component : primary.shape().components()) {
      records += component.entries() - component.antimatter();
    }
    return Math.max(1, entries / records);
  }

  /** The primary index. */
  LsmIndex<KeyRange> primary() {
    return primary;
  }

  /** The index of primary keys; null where there is none. */
  @Nullable LsmIndex<KeyRange> primaryKeys() {
    return primaryKeys;
  }

  /** The smallest index that tells which primary keys are there. */
  LsmIndex<KeyRange> keys() {
    return primaryKeys == null ? primary : primaryKeys;
  }

  /** A secondary index by its number, from 0. */
  SecondaryIndex<?> secondary(int number) {
    return secondaries.get(number);
  }

  /** The index at a position: the primary, then the secondaries. */
  LsmIndex<?> get(int position) {
    return all.get(position);
  }

  /** Number of indexes. */
  int size() {
    return all.size();
  }

  /** All indexes, the primary first. */
  public List<LsmIndex<?>> all() {
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
      if (ids[position] != except) {
        least = Math.min(least, all.get(position).state().redoPosition());
      }
    }
    return least;
  }

  /** Flushes all indexes together and waits; tries flushes again that failed. */
  public void flush() throws StorageException {
    for (LsmIndex<?> index : all) {
      if (index.state().flushFailure() != null) {
        index.retryFlush();
      }
    }
    all.forEach(LsmIndex::seal);
    for (LsmIndex<?> index : all) {
      index.flush();
    }
  }

  /** Finds out what is obsolete in secondary indexes, as far as stamps tell it, and waits. */
  public void repair() throws StorageException {
    flush();
    for (SecondaryIndex<?> secondary : secondaries) {
      secondary.lsm().repair();
    }
  }

  /** Waits until no merge reads a component, whatever interrupts there are. */
  void awaitMerges() {
    for (LsmIndex<?> index : all) {
      index.changed().awaitUninterruptibly(() -> index.shape().merging().isEmpty());
    }
  }

  /** What they hold and have done. */
  public PartitionStats stats() {
    List<IndexStats> indexes = new ArrayList<>();
    for (int position = 0; position < all.size(); position++) {
      LsmIndex<?> index = all.get(position);
      var lsm = index.stats();
      indexes.add(
          new IndexStats(
              descriptor.indexName(position)
                  + (shape.answers(position) ? "" : " (does not answer)"),
              descriptor.indexKind(position),
              ids[position],
              index.state().indexLsn(),
              index.state().redoPosition(),
              lsm.components(),
              lsm.filters().stream().map(IndexStats.Values::of).toList(),
              lsm.levels(),
              lsm.memoryEntries(),
              lsm.memoryBytes(),
              lsm.flushes(),
              lsm.merges(),
              lsm.repairs(),
              lsm.deadEntries(),
              lsm.flushedBytes(),
              lsm.mergedBytes(),
              lsm.rangeReads(),
              lsm.rangeSkips()));
    }
    return new PartitionStats(descriptor.number(), indexes, null);
  }

  @Override
  public void close() {
    all.forEach(LsmIndex::close);
  }
}
