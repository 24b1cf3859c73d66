package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.Savepoint;
import dev.varve.scheduler.admission.WriteAdmission;
import dev.varve.transaction.Transaction;
import dev.varve.transaction.UndoTarget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * A transaction over records of any partitions of a node: all of its changes or none. It has one
 * number in the log and one commit record, one owner of locks, and a writer in each partition that
 * it has met; all writers end together. Each of the owner's calls is between {@link #beginCall} and
 * {@link #endCall}, so that an engine that closes, or the watchdog, can end what the owner has left
 * open. Confined to one thread otherwise.
 */
public final class NodeTransaction implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(NodeTransaction.class);

  private final NodeContext node;
  private final RecordWriter.Identity identity;
  private final Transaction transaction;
  private final Revocation revocation = new Revocation(this::endByForce);
  private final OpenTransactions.OpenTransaction opening;
  private final ReadView view;

  /** By partition, in the order in which they were met. */
  private final Map<PartitionLifecycle, TransactionWriter> writers = new LinkedHashMap<>();

  /** Where each savepoint that may be gone back to is among the inverse operations. */
  private final NavigableMap<Long, Integer> savepoints = new TreeMap<>();

  private long nextSavepoint;
  private boolean ended;

  /** Begins a transaction at the engine's level of durability. */
  @SuppressWarnings("MustBeClosedChecker") // what it opens ends with it
  public NodeTransaction(NodeContext node, Isolation isolation) throws StorageException {
    node.health().requireWritable();
    this.node = node;
    this.identity = RecordWriter.Identity.open(node);
    this.transaction = identity.transaction().begin();
    this.view =
        new ReadView(
            identity.owner(), isolation == Isolation.SNAPSHOT ? node.snapshots().open() : null);
    this.opening = node.openTransactions().begun(transaction, revocation);
  }

  /** Begins a transaction in some partitions; enters the only one at once. */
  public static NodeTransaction in(List<Partition> partitions, Isolation isolation)
      throws StorageException {
    NodeTransaction begun = new NodeTransaction(partitions.get(0).lifecycle().node(), isolation);
    if (partitions.size() == 1) {
      try {
        begun.writer(partitions.get(0));
      } catch (StorageException | RuntimeException e) {
        begun.abortFor(e);
        throw e;
      }
    }
    return begun;
  }

  /** What the partitions of its engine share. */
  public NodeContext node() {
    return node;
  }

  // ---- The owner's calls

  /** Its writer in a partition of the same node. */
  public TransactionWriter writer(Partition partition) throws StorageException {
    TransactionWriter known = writers.get(partition.lifecycle());
    return known != null ? known : join(partition.lifecycle(), new WriterPins());
  }

  /** Enters a partition, with pins for it. */
  TransactionWriter join(PartitionLifecycle lifecycle, WriterPins pins) throws StorageException {
    beginCall();
    try {
      lifecycle.markUsed();
      if (writers.isEmpty()) {
        // Later it would wait with components held that others may wait for.
        lifecycle.admission().await();
      }
      TransactionWriter joined = new TransactionWriter(this, lifecycle, pins);
      writers.put(lifecycle, joined);
      opening.writesTo(lifecycle.descriptor());
      return joined;
    } finally {
      endCall();
    }
  }

  /** Scans a partition as {@link Partition#scan} does, with its own changes. */
  @MustBeClosed
  public RecordCursor scan(Partition partition, KeyRange keys) throws StorageException {
    beginCall();
    try {
      return partition.seenAs(view).scan(keys);
    } finally {
      endCall();
    }
  }

  /** Searches a partition as {@link Partition#search} does, with its own changes. */
  @MustBeClosed
  public RecordCursor search(Partition partition, String index, IndexSearch search)
      throws StorageException {
    beginCall();
    try {
      return partition.seenAs(view).search(index, search);
    } finally {
      endCall();
    }
  }

  /** Remembers the changes so far, to take back those that follow. */
  public Savepoint savepoint() throws StorageException {
    beginCall();
    try {
      long number = nextSavepoint++;
      savepoints.put(number, transaction.undoMark());
      return new Savepoint(transaction.id(), number);
    } finally {
      endCall();
    }
  }

  /**
   * Takes back the changes since a savepoint, and goes on; later savepoints are forgotten.
   *
   * @throws IllegalArgumentException when it is none of this transaction, or was forgotten
   */
  public void rollbackTo(Savepoint savepoint) throws StorageException {
    beginCall();
    try {
      Integer mark =
          savepoint.transaction() == transaction.id() ? savepoints.get(savepoint.number()) : null;
      if (mark == null) {
        throw new IllegalArgumentException(
            savepoint
                + " is not of transaction "
                + transaction.id()
                + ", or was forgotten when an earlier one was gone back to");
      }
      takeBackSince(mark);
      savepoints.tailMap(savepoint.number(), false).clear();
    } finally {
      endCall();
    }
  }

  /**
   * The inverse operations of primary indexes come first: a redo asks these which records the
   * entries of secondary indexes belong to. Operations of different indexes may change places.
   */
  private void takeBackSince(int mark) throws StorageException {
    try {
      transaction.inversesSince(mark, takingBack(true));
      transaction.inversesSince(mark, takingBack(false));
      transaction.forgetInversesSince(mark);
    } catch (StorageException | RuntimeException | Error e) {
      abortFor(e);
      throw e;
    }
  }

  private UndoTarget takingBack(boolean primary) {
    return (index, inverse, key, value) -> {
      TransactionWriter writer = writerOf(index);
      if (writer.isPrimary(index) == primary) {
        writer.takeBack(index, inverse, key, value);
      }
    };
  }

  private TransactionWriter writerOf(int index) {
    return writers.values().stream()
        .filter(writer -> writer.changes(index))
        .findFirst()
        .orElseThrow();
  }

  /** Whether neither commit nor abort has ended it. */
  public boolean active() {
    return !revocation.revoked() && !ended;
  }

  /**
   * Makes all changes durable together and releases the locks.
   *
   * @throws OutcomeUnknownException when the log failed on the way; the records stay locked
   */
  public void commit() throws StorageException {
    beginCall();
    try {
      commitNow();
    } finally {
      endCall();
    }
  }

  /** Takes all changes back and releases the locks; idempotent. */
  public void abort() throws StorageException {
    if (!revocation.beginCall()) {
      return;
    }
    try {
      abortNow();
    } finally {
      endCall();
    }
  }

  /** Aborts unless committed; idempotent. */
  @Override
  public void close() throws StorageException {
    abort();
  }

  // ---- Called by its writers

  /** As whom its writers log and lock. */
  RecordWriter.Identity identity() {
    return identity;
  }

  /** What it sees of records that it does not lock. */
  ReadView view() {
    return view;
  }

  /** It as others know it. */
  OpenTransactions.OpenTransaction opening() {
    return opening;
  }

  /** Ends it for others. */
  Revocation revocation() {
    return revocation;
  }

  /** The owner begins a call, which ends with {@link #endCall} unless this throws. */
  void beginCall() throws ConflictException {
    if (!revocation.beginCall()) {
      if (opening.timedOut()) {
        throw new ConflictException(
            ConflictException.Reason.TRANSACTION_TIMED_OUT,
            opening.overdue() + " and was aborted; it holds nothing any more");
      }
      throw new ConflictException(
          ConflictException.Reason.ABORTED,
          "the engine was closed while a transaction"
              + opening.places()
              + " was open; it was aborted");
    }
    boolean active = false;
    try {
      node.health().requireOpen();
      if (ended) {
        throw new IllegalStateException("the transaction has ended");
      }
      active = true;
    } finally {
      if (!active) {
        endCall();
      }
    }
  }

  /** The owner ends a call. */
  void endCall() {
    revocation.endCall();
  }

  /** Bytes that it has written into the memory of a dataset. */
  long writtenBytes(WriteAdmission dataset) {
    long bytes = 0;
    for (TransactionWriter writer : writers.values()) {
      bytes += writer.lifecycle.admission() == dataset ? writer.writtenBytes() : 0;
    }
    return bytes;
  }

  /**
   * Aborts in the middle of a call that failed; what fails on the way goes along with the cause.
   */
  void abortFor(Throwable cause) {
    try {
      abortNow();
    } catch (StorageException | RuntimeException | Error second) {
      if (second != cause) {
        cause.addSuppressed(second);
      }
    }
  }

  // ---- Its end

  private void commitNow() throws StorageException {
    long commitLsn;
    try {
      commitLsn = transaction.commit();
    } catch (OutcomeUnknownException e) {
      endKeepingLocks();
      throw e;
    } catch (StorageException e) {
      abortFor(e);
      throw e;
    }
    try {
      if (commitLsn >= 0) {
        // When this throws, the locks stay: no reader may see what may not survive.
        node.log().await(commitLsn, node.durability());
        saveForSnapshots();
      }
    } finally {
      end();
    }
    writers.values().forEach(TransactionWriter::committed);
    unlock();
  }

  /**
   * Decides which moments see the changes, and keeps what the others see: before the components are
   * left, since a flush and merges could take old entries away of which nothing else is left.
   */
  private void saveForSnapshots() {
    long moment = node.snapshots().decide(opening::decided);
    if (moment != 0) {
      writers.values().forEach(writer -> writer.saveFor(moment));
    }
  }

  /** Readers see from now on what the indexes have. */
  private void unlock() {
    writers.values().forEach(TransactionWriter::unlocked);
    node.locks().releaseAll(identity.owner());
  }

  private void abortNow() throws StorageException {
    if (ended) {
      return;
    }
    try {
      undo();
    } finally {
      try {
        end();
      } finally {
        unlock();
      }
    }
  }

  private void endKeepingLocks() throws StorageException {
    try {
      undo();
    } finally {
      end();
    }
  }

  private void undo() throws StorageException {
    RecordWriter.undo(node, transaction, this::writerOf, writers.values());
  }

  private void end() {
    ended = true;
    Snapshots.Moment moment = view.moment();
    if (moment != null) {
      node.snapshots().close(moment);
    }
    node.openTransactions().ended(opening);
    writers.values().forEach(TransactionWriter::leaveComponents);
    try {
      transaction.close();
    } finally {
      writers.values().forEach(writer -> writer.lifecycle.users().leaveWrite());
    }
  }

  /** Aborts for an engine that closes, or for the time that it was open. */
  private void endByForce() {
    try {
      abortNow();
    } catch (StorageException e) {
      LOGGER.warn("a transaction{} was aborted", opening.places(), e);
    }
  }
}
