package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.EntryGroups;
import dev.varve.common.index.BulkLoad;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.dataset.model.Key;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Builds the part of a new index in one partition, beside readers and writers: what the disk
 * components of the primary index hold is read in the order of its keys, the entries are sorted,
 * and written as the oldest component of the new index, which is read back before it counts.
 *
 * <p>Implementation note. Everything that was in memory when writers began to maintain the index
 * was flushed before, and the disk components of that moment are read. Whatever changes a record
 * later puts antimatter for the entry that is written here into a newer component, which keeps it
 * until this one is there.
 *
 * <p>Stepped by one thread at a time; {@link #giveUp} may be called by any.
 */
final class IndexBuild implements MaintenanceTask {
  /** Memory for sorting. */
  private static final long SORT_BYTES = 16 << 20;

  /** What is told when it has ended, once, and leaves the partition. */
  @FunctionalInterface
  interface Ending {
    /**
     * Takes the end.
     *
     * @param failure null when the index was built
     */
    void ended(IndexBuild build, @Nullable Throwable failure);
  }

  private final PartitionIndexes indexes;
  private final int position;
  private final LsmIndex<?> index;
  private final RecordEntries record;
  private final KeySorter sorter;

  /** Gathers the entries for the sorter. */
  private final EntryGroups groups;

  private final BulkLoad<?> load;
  private final Ending ending;

  /** Longer keys have no place in a page. */
  private final int maxKeyBytes;

  private final long totalRecords;
  private final long inputBytes;
  private final boolean filtered;
  private final Entry entry = new Entry();

  /**
   * Of each entry: nothing, or the stamp of all changes before this moment and of none after it.
   */
  private final Slice value;

  /** Held during a step, and while it is ended. */
  private final ReentrantLock stepping = new ReentrantLock();

  private RangeFilter values = RangeFilter.EMPTY;
  private final EntryCursor records;
  private boolean recordsClosed;
  private KeySorter.@Nullable Sorted sorted;
  private long recordsRead;
  private long bytesThisStep;
  private long keysWritten;
  private volatile long keys;
  private volatile long remainingBytes;
  private volatile boolean unwanted;
  private volatile boolean done;

  /**
   * A build in a partition that the caller has entered as a reader and keeps writers out of, with
   * nothing in memory; whoever is told of the end leaves it.
   *
   * @param indexes with the new index as the last
   */
  @SuppressWarnings("MustBeClosedChecker") // closed at the end
  IndexBuild(NodeContext node, PartitionIndexes indexes, Ending ending) throws StorageException {
    this.indexes = indexes;
    this.position = indexes.size() - 1;
    assert position > 0 && !indexes.shape().answers(position) : indexes.shape();
    this.index = indexes.get(position);
    this.record = indexes.storedEntries();
    this.ending = ending;
    Path run = node.environment().temporary().resolve("sort-" + indexes.id(position));
    this.maxKeyBytes = node.catalog().pageBytes() / 4;
    this.sorter = new KeySorter(node.indexes().files(), run, SORT_BYTES, node.indexes().executor());
    this.groups = indexes.secondary(position - 1).newEntryGroups();
    this.filtered = indexes.shape().descriptor().options().filterField().isPresent();
    long entries = 0;
    long bytes = 0;
    for (ComponentStats component : indexes.primary().shape().components()) {
      entries += component.entries();
      bytes += component.bytes();
    }
    this.totalRecords = entries;
    this.inputBytes = bytes;
    this.remainingBytes = bytes;
    this.value =
        indexes.secondary(position - 1).stamped()
            ? new Stamp().at(node.log().endLsn() - 1)
            : new Slice();
    this.records = indexes.primary().contents().scanDisk();
    try {
      this.load = index.newOldestLoad();
    } catch (StorageException | RuntimeException | Error e) {
      records.close();
      throw e;
    }
  }

  @Override
  public Kind kind() {
    return Kind.MERGE;
  }

  @Override
  public String describe() {
    long percent = inputBytes == 0 ? 0 : 100 - 100 * remainingBytes / inputBytes;
    return "build of index '"
        + indexes.shape().descriptor().indexName(position)
        + "' of "
        + indexes.shape().descriptor().describe()
        + ", "
        + percent
        + " % of the records read, "
        + keys
        + " entries";
  }

  @Override
  public Path directory() {
    return indexes.shape().descriptor().indexDirectory(position);
  }

  @Override
  public String index() {
    return index.describe();
  }

  @Override
  public long remainingInputBytes() {
    return remainingBytes;
  }

  @Override
  public long step(long maxBytes) {
    Throwable failure = null;
    stepping.lock();
    try {
      if (done) {
        return 0;
      }
      bytesThisStep = 0;
      if (!unwanted) {
        goOn(maxBytes);
      }
    } catch (StorageException | RuntimeException | Error e) {
      failure = e;
    } finally {
      stepping.unlock();
    }
    if (unwanted || failure != null) {
      end(failure == null ? unwanted() : failure);
    } else if (sorted != null && sorted.ended()) {
      end(null);
    }
    return bytesThisStep;
  }

  private void goOn(long maxBytes) throws StorageException {
    KeySorter.Sorted running = sorted;
    if (running == null) {
      read(maxBytes);
    } else {
      write(running, maxBytes);
    }
  }

  private void read(long maxBytes) throws StorageException {
    long bytesRead = 0;
    while (bytesRead < maxBytes && bytesThisStep < maxBytes) {
      if (!records.next()) {
        closeRecords();
        remainingBytes = 0;
        groups.handOut(this::sort);
        sorted = sorter.sorted();
        return;
      }
      Entry stored = records.entry();
      recordsRead++;
      bytesRead += stored.key().length() + stored.value().length();
      record.readStored(stored, indexes.primary());
      if (record.has(position - 1)) {
        sortEntries(stored);
        values = record.addFilterValue(values);
      }
    }
    double part = totalRecords == 0 ? 1 : Math.min(1.0, recordsRead / (double) totalRecords);
    remainingBytes = inputBytes - (long) (inputBytes * part);
  }

  private void sortEntries(Entry stored) throws StorageException {
    try {
      groups.add(record.key(position - 1), record.value(position - 1), this::sort);
    } catch (LimitException tooLong) {
      throw new RequestException(
          RequestException.Reason.MALFORMED_RECORD,
          "record "
              + Key.ofSlice(stored.key())
              + " of "
              + indexes.shape().descriptor().describe()
              + " has a value that is too long for index '"
              + indexes.shape().descriptor().indexName(position)
              + "' ("
              + tooLong.getMessage()
              + "): change the record, or index another field");
    }
  }

  private void closeRecords() {
    assert stepping.isHeldByCurrentThread();
    if (!recordsClosed) {
      recordsClosed = true;
      records.close();
    }
  }

  private void sort(Slice key) throws StorageException {
    if (!groups.makesGroups() && key.length() > maxKeyBytes) {
      throw new LimitException("key bytes", key.length(), maxKeyBytes);
    }
    sorter.add(key);
    bytesThisStep += key.length();
  }

  private void write(KeySorter.Sorted running, long maxBytes) throws StorageException {
    while (bytesThisStep < maxBytes) {
      Slice key = running.next();
      if (key == null) {
        publish();
        break;
      }
      if (groups.makesGroups()) {
        keysWritten += load.addGroup(key);
      } else {
        entry.key().set(key.bytes(), key.offset(), key.length());
        entry.value().set(value.bytes(), value.offset(), value.length());
        load.add(entry.antimatter(false));
        keysWritten++;
      }
      bytesThisStep += key.length();
    }
    keys = keysWritten;
  }

  private void publish() throws StorageException {
    assert recordsClosed : "records are left";
    if (filtered) {
      load.cover(values);
    }
    // Nothing was logged for the index before writers maintained it.
    load.finish(-1);
  }

  @Override
  public boolean done() {
    return done;
  }

  @Override
  public void cancel() {
    end(unwanted());
  }

  @Override
  public void refuse(StorageException cause) {
    end(cause);
  }

  /** Whether it builds the index with a name. */
  boolean builds(String name) {
    return indexes.shape().descriptor().indexName(position).equals(name);
  }

  /** Ends it without the index: at once, or with the step that is under way. */
  void giveUp() {
    unwanted = true;
    if (stepping.tryLock()) {
      try {
        end(unwanted());
      } finally {
        stepping.unlock();
      }
    }
  }

  private ConflictException unwanted() {
    return new ConflictException(
        ConflictException.Reason.ABORTED,
        "the build of index '"
            + indexes.shape().descriptor().indexName(position)
            + "' was given up: the engine, or what the index belongs to, was closed or dropped");
  }

  private void end(@Nullable Throwable failure) {
    stepping.lock();
    try {
      if (done) {
        return;
      }
      done = true;
      closeRecords();
      if (failure != null) {
        load.close();
      }
      sorter.close();
    } catch (StorageException e) {
      // A file of sorted keys stays until the engine is opened again.
      if (failure != null) {
        failure.addSuppressed(e);
      }
    } finally {
      stepping.unlock();
    }
    ending.ended(this, failure);
  }
}
