package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryGroups;
import dev.varve.common.index.BulkLoad;
import dev.varve.common.index.LsmIndex;
import dev.varve.dataset.internal.value.LargeValues;
import dev.varve.dataset.kind.RecordSchema;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.KeyValueOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A load of an empty partition, past log and memory components: all of it or nothing. Confined to
 * one thread.
 *
 * <p>Implementation note. The primary component is published last, because what a secondary index
 * holds is only believed when the primary index agrees. Between the first publication and the last
 * the catalog says that what the partition holds is void; an opening after a crash deletes it.
 */
public final class BulkLoader implements AutoCloseable {
  /** Memory for sorting the entries of one secondary index. */
  private static final long SORT_BYTES = 16 << 20;

  private static final Logger LOGGER = LogManager.getLogger(BulkLoader.class);

  private static final Slice NOTHING = new Slice();

  private final PartitionLifecycle lifecycle;
  private final NodeContext node;
  private final PartitionIndexes indexes;
  private final @Nullable RecordEntries entries;
  private final List<BulkLoad<?>> loads = new ArrayList<>();
  private final List<KeySorter> sorters = new ArrayList<>();

  /** By number of the secondary index, what gathers its entries for the sorter. */
  private final List<EntryGroups> groups = new ArrayList<>();

  private final Entry entry = new Entry();

  /** Bounds on what is loaded. */
  private final RecordLimits limits;

  /** By position, the values of the records that are loaded. */
  private final RangeFilter[] values;

  /** Whether components are filtered by a field of records. */
  private final boolean filtered;

  private final Revocation revocation = new Revocation(this::giveUpUnlessEnded);
  private final OpenHandles.Handle handle;
  private long records;
  private boolean publishing;
  private boolean ended;

  /** A loader in a partition that the caller has entered as a reader and keeps writers out of. */
  BulkLoader(PartitionLifecycle lifecycle, PartitionIndexes indexes) throws StorageException {
    this.lifecycle = lifecycle;
    this.node = lifecycle.node();
    this.indexes = indexes;
    this.limits = node.limitsOf(lifecycle.descriptor().dataset());
    this.values = new RangeFilter[indexes.size()];
    Arrays.fill(values, RangeFilter.EMPTY);
    this.filtered = lifecycle.descriptor().options().filterField().isPresent();
    revocation.beginCall();
    this.handle = lifecycle.handles().opened(OpenHandles.Kind.BULK_LOAD, revocation);
    LargeValues apart = lifecycle.form.large();
    if (apart != null) {
      apart.hold(this);
    }
    try {
      RecordSchema schema = indexes.schema;
      this.entries = schema == null ? null : new RecordEntries(schema, limits);
      begin();
    } catch (StorageException | RuntimeException | Error e) {
      giveUp();
      throw e;
    } finally {
      revocation.endCall();
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // closed by giveUp, or ended by finish
  private void begin() throws StorageException {
    indexes.flush();
    for (LsmIndex<?> index : indexes.all()) {
      if (index.shape().components().stream().anyMatch(each -> each.entries() > 0)) {
        throw new ConflictException(
            ConflictException.Reason.NOT_EMPTY,
            "bulk load into " + lifecycle.descriptor().describe() + ", which is not empty");
      }
    }
    for (int position = 0; position < indexes.size(); position++) {
      loads.add(indexes.get(position).newBulkLoad());
      if (position > 0) {
        groups.add(indexes.secondary(position - 1).newEntryGroups());
        Path run = node.environment().temporary().resolve("sort-" + indexes.id(position));
        sorters.add(
            new KeySorter(node.indexes().files(), run, SORT_BYTES, node.indexes().executor()));
      }
    }
  }

  /** Adds a record of a dataset. */
  public void addRecord(Slice record) throws StorageException {
    beginCall();
    try {
      addNow(record);
    } finally {
      revocation.endCall();
    }
  }

  private void addNow(Slice record) throws StorageException {
    RecordEntries made = Objects.requireNonNull(entries);
    made.read(record);
    lifecycle.keys().require(made.primaryKey(), KeyHash.hash(made.primaryKey()));
    load(loads.get(0), entry, made.primaryKey(), stored(record));
    values[0] = made.addFilterValue(values[0]);
    for (int i = 0; i < sorters.size(); i++) {
      if (made.has(i)) {
        groups.get(i).add(made.key(i), made.value(i), sorters.get(i)::add);
        values[i + 1] = made.addFilterValue(values[i + 1]);
      }
    }
    records++;
  }

  /** Adds a pair to a key-value store. */
  public void addPair(Slice key, Slice value) throws StorageException {
    beginCall();
    try {
      limits.requirePair(key, value);
      KeyValueOptions.Operator operator = lifecycle.descriptor().dataset().kind().operator();
      if (operator != null) {
        operator.require(value);
      }
      load(loads.get(0), entry, key, stored(value));
      records++;
    } finally {
      revocation.endCall();
    }
  }

  private Slice stored(Slice value) throws StorageException {
    return lifecycle.form.stored(value, new Slice());
  }

  /** Publishes everything durably and returns the number of records. */
  public long finish() throws StorageException {
    beginCall();
    try {
      return finishNow();
    } finally {
      revocation.endCall();
    }
  }

  private long finishNow() throws StorageException {
    for (int i = 0; i < sorters.size(); i++) {
      BulkLoad<?> load = loads.get(i + 1);
      groups.get(i).handOut(sorters.get(i)::add);
      if (groups.get(i).makesGroups()) {
        sorters.get(i).beginDrainTo(load::addGroup);
      } else {
        Entry made = new Entry();
        sorters.get(i).beginDrainTo(key -> load(load, made, key, NOTHING));
      }
    }
    for (KeySorter sorter : sorters) {
      sorter.awaitDrain();
    }
    lifecycle.beginLoading();
    publishing = true;
    lifecycle.saved().emptyUpTo(Long.MAX_VALUE);
    // Made durable first, so that no component claims more of the log than a crash leaves.
    node.environment().unforced().force();
    long lsn = node.log().endLsn() - 1;
    if (lsn >= 0) {
      node.log().force(lsn);
    }
    for (int position = loads.size() - 1; position >= 0; position--) {
      if (filtered) {
        loads.get(position).cover(values[position]);
      }
      loads.get(position).finish(lsn);
    }
    lifecycle.endLoading();
    publishing = false;
    node.snapshots().decide(lifecycle.saved()::emptyUpTo);
    giveUp();
    return records;
  }

  /**
   * Without {@link #finish}: removes what was written. What cannot be removed now is deleted when
   * the engine is opened again, and until then the partition refuses every call. Idempotent.
   */
  @Override
  public void close() {
    if (revocation.beginCall()) {
      try {
        giveUpUnlessEnded();
      } finally {
        revocation.endCall();
      }
    }
  }

  private void giveUpUnlessEnded() {
    if (!ended) {
      giveUp();
    }
  }

  private static void load(BulkLoad<?> load, Entry entry, Slice key, Slice value)
      throws StorageException {
    entry.key().set(key.bytes(), key.offset(), key.length());
    entry.value().set(value.bytes(), value.offset(), value.length());
    load.add(entry.antimatter(false));
  }

  /** The owner begins a call, which ends with {@link Revocation#endCall} unless this throws. */
  private void beginCall() throws ConflictException {
    if (!revocation.beginCall()) {
      throw new ConflictException(
          ConflictException.Reason.ABORTED,
          "the engine was closed during a bulk load of "
              + lifecycle.descriptor().describe()
              + "; what was loaded is removed");
    }
    boolean open = false;
    try {
      node.health().requireOpen();
      if (ended) {
        throw new IllegalStateException("the bulk load has ended");
      }
      open = true;
    } finally {
      if (!open) {
        revocation.endCall();
      }
    }
  }

  private void giveUp() {
    ended = true;
    // Before the loads, into which their threads may be putting keys.
    for (KeySorter sorter : sorters) {
      try {
        sorter.close();
      } catch (StorageException | RuntimeException e) {
        LOGGER.warn("a temporary file stays until the engine is opened again", e);
      }
    }
    LargeValues apart = lifecycle.form.large();
    if (apart != null) {
      apart.letGo(this);
    }
    for (BulkLoad<?> load : loads) {
      try {
        load.close();
      } catch (RuntimeException e) {
        LOGGER.warn("a bulk load of {} ended badly", lifecycle.descriptor().describe(), e);
      }
    }
    lifecycle.handles().closed(handle);
    if (publishing && !node.health().closed()) {
      try {
        lifecycle.reset();
      } catch (StorageException e) {
        LOGGER.warn(
            "{} stays void until the engine is opened again", lifecycle.descriptor().describe(), e);
      }
    } else {
      // One that fails on its way out while the engine closes is removed when it is opened again.
      lifecycle.users().resume();
      lifecycle.users().leaveRead();
    }
  }
}
