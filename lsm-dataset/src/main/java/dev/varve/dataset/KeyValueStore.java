package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.NodeTransaction;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueChange;
import dev.varve.dataset.model.WriteBatch;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.TimeToLive;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * One transactional LSM B+-tree over raw key and value bytes. Each call that writes is a
 * transaction of its own, acknowledged at the engine's level of durability when it returns; for
 * many pairs use a session. Thread-safe; every call after the engine was closed, or the store
 * dropped, throws {@link IllegalStateException}.
 */
public final class KeyValueStore extends Store {
  private final Partition partition;
  private final SessionPool<KeyValueSession> sessions = new SessionPool<>(this::openSession);

  KeyValueStore(ManagedDataset managed) {
    super(managed);
    this.partition = managed.partitions().get(0);
  }

  /**
   * This store, if its pairs live as long as is asked for, and are changed by the operator that is
   * asked for; or nothing is.
   *
   * @throws ConflictException with {@code OPTIONS_MISMATCH}
   */
  KeyValueStore madeWith(KeyValueOptions wanted) throws ConflictException {
    Optional<KeyValueOptions.Operator> operator =
        Optional.ofNullable(managed.descriptor().kind().operator());
    if (wanted.operator().isPresent() && !wanted.operator().equals(operator)) {
      throw new ConflictException(
          ConflictException.Reason.OPTIONS_MISMATCH,
          "operands of '"
              + name()
              + "' are merged by "
              + operator.map(Enum::name).orElse("no operator")
              + ", not by "
              + wanted.operator().get()
              + "; that is said when a store is created");
    }
    Optional<TimeToLive> there = managed.descriptor().options().timeToLive();
    if (wanted.timeToLive().isPresent() && !wanted.timeToLive().equals(there)) {
      throw new ConflictException(
          ConflictException.Reason.OPTIONS_MISMATCH,
          "pairs of '"
              + name()
              + "' live for "
              + there.map(life -> life.life().toString()).orElse("ever")
              + ", not for "
              + wanted.timeToLive().get().life()
              + "; that is said when a store is created");
    }
    return this;
  }

  @Override
  void dispose() {
    sessions.close();
  }

  /**
   * Puts a pair, whatever was there.
   *
   * @throws dev.varve.common.error.LimitException when key or value is over its bound
   */
  public void put(Slice key, Slice value) throws StorageException {
    sessions.write(
        session -> {
          session.put(key, value);
          return WriteOutcome.ABSENT;
        });
  }

  /** Puts a pair, whatever was there; see {@link #put(Slice, Slice)}. */
  public void put(byte[] key, byte[] value) throws StorageException {
    put(new Slice(key), new Slice(value));
  }

  /**
   * Makes all changes of a batch, or none, in one transaction, and looks nothing up; see {@link
   * KeyValueSession#write}. A snapshot shows all of them or none; other readers may see the first
   * ones some microseconds before the last.
   */
  public void write(WriteBatch batch) throws StorageException {
    sessions.write(
        session -> {
          session.write(batch);
          return WriteOutcome.UNKNOWN;
        });
  }

  /**
   * Has an operand change what a key has, by the {@link KeyValueOptions.Operator} of the store, and
   * looks nothing up: readers, and merges of components, combine them. Of a key that is not there,
   * the operand is the value.
   *
   * @throws RequestException with {@code UNSUPPORTED} where the store has no operator, or one that
   *     takes no such operand
   * @throws LimitException when key or operand is over its bound
   */
  public void merge(Slice key, Slice operand) throws StorageException {
    sessions.write(
        session -> {
          session.merge(key, operand);
          return WriteOutcome.UNKNOWN;
        });
  }

  /** Has an operand change what a key has; see {@link #merge(Slice, Slice)}. */
  public void merge(byte[] key, byte[] operand) throws StorageException {
    merge(new Slice(key), new Slice(operand));
  }

  /** Deletes the pair with a key, if there is one, and says whether there was. */
  public WriteOutcome delete(Slice key) throws StorageException {
    return sessions.write(session -> session.delete(key));
  }

  /** Deletes the pair with a key, if there is one, and says whether there was. */
  public WriteOutcome delete(byte[] key) throws StorageException {
    return delete(new Slice(key));
  }

  /**
   * Reads a pair as it was committed last, whatever transaction is changing it; waits for the force
   * of a session that has written it.
   *
   * @param found filled with copies of key and value when the result is true
   */
  public boolean get(Slice key, KeyValue found) throws StorageException {
    return partition.get(key, found.entry);
  }

  /** Reads a value as {@link #get(Slice, KeyValue)} does. */
  public Optional<byte[]> get(byte[] key) throws StorageException {
    KeyValue found = new KeyValue();
    return get(new Slice(key), found) ? Optional.of(found.value().toByteArray()) : Optional.empty();
  }

  /**
   * Reads many values, in less time than one {@link #get(byte[])} after the other would take: the
   * index is gone through once, in the order of its keys. Each is read as {@link #get(byte[])}
   * would read it at some moment of the call; together they are no snapshot.
   *
   * @param keys in any order, each any number of times
   * @return what each of them has, in the same order; all of it is held in memory
   */
  public List<Optional<byte[]>> getAll(List<byte[]> keys) throws StorageException {
    return ManyRecords.get(managed.partitions(), ManyRecords.slices(keys, Slice::new));
  }

  /** Whether there is a pair with a key, of which {@link #get(Slice, KeyValue)} says when. */
  public boolean exists(Slice key) throws StorageException {
    return partition.exists(key);
  }

  /** Whether there is a pair with a key; see {@link #exists(Slice)}. */
  public boolean exists(byte[] key) throws StorageException {
    return exists(new Slice(key));
  }

  /**
   * Counts the pairs in a range, in either direction: as many as {@link #scan} would return, with
   * the same isolation. All keys of the range are walked over; no pair is handed out.
   */
  public long count(KeyRange keys) throws StorageException {
    return partition.count(keys);
  }

  /**
   * Deletes all pairs in a range, in either direction, however many there are, as a transaction of
   * its own: with one log record, and one range in memory that hides what is older. Merges take the
   * pairs out later. Readers see all of the pairs or none. Writers wait for a moment; transactions
   * that are open in the store are waited for. Snapshots that are open show this store no more.
   * What sessions of the calling thread have written must be forced.
   *
   * @throws ConflictException with {@code STALLED} when a transaction stays open, for which the
   *     calling thread's own is one
   * @throws dev.varve.common.error.RequestException with {@code UNSUPPORTED} when the merge policy
   *     cuts components by key range
   * @throws LimitException when a bound is longer than a key may be, or no merge has met too many
   *     ranges
   */
  @Override
  public void deleteRange(KeyRange keys) throws StorageException {
    partition.deleteRange(keys);
  }

  /** Scans pairs in key order. */
  @MustBeClosed
  public RecordCursor scan(KeyRange keys) throws StorageException {
    return partition.scan(keys);
  }

  /**
   * Changes the value of a key by what it is now, as a transaction of its own: of several that
   * update one key at a time, each is given what the one before it has returned.
   *
   * @param change is given the value, or nothing where the key is not there, and returns what it
   *     becomes; nothing deletes the pair. It is called once, with the key locked, and should be
   *     short. What it throws goes through, and the pair stays as it was
   * @return what the function has returned
   */
  public Optional<byte[]> update(byte[] key, UnaryOperator<Optional<byte[]>> change)
      throws StorageException {
    try (KeyValueTransaction transaction = beginTransaction()) {
      Optional<byte[]> after = transaction.update(key, change);
      transaction.commit();
      return after;
    }
  }

  /**
   * Gives a key another value if it has the expected one, as a transaction of its own.
   *
   * @param expected the value that it must have; nothing where it must not be there
   * @param value what it becomes; nothing deletes the pair
   * @return whether it had the expected value, and has the other one now
   */
  public boolean compareAndSet(byte[] key, Optional<byte[]> expected, Optional<byte[]> value)
      throws StorageException {
    boolean[] same = new boolean[1];
    modify(
        key,
        found -> {
          same[0] =
              found.isPresent() == expected.isPresent()
                  && Arrays.equals(found.orElse(null), expected.orElse(null));
          return same[0] ? value : found;
        });
    return same[0];
  }

  /**
   * Changes the value of a key by a change that depends on nothing else, as a transaction of its
   * own. It is faster than {@link #update}, whose function may be any.
   *
   * @return what the value is afterwards
   */
  public Optional<byte[]> modify(byte[] key, ValueChange change) throws StorageException {
    List<Optional<byte[]>> after = new ArrayList<>(1);
    sessions.write(
        session -> {
          after.add(session.modify(key, change));
          return WriteOutcome.UNKNOWN;
        });
    return after.get(0);
  }

  /** Opens a session at the engine's level of durability. */
  @MustBeClosed
  public KeyValueSession openSession() throws StorageException {
    return openSession(partition.durability());
  }

  /** Opens a session whose acknowledgements promise this level of durability. */
  @MustBeClosed
  public KeyValueSession openSession(Durability durability) throws StorageException {
    return new KeyValueSession(partition.newSession(durability));
  }

  /** Begins a transaction over several pairs; its reads lock. */
  @MustBeClosed
  public KeyValueTransaction beginTransaction() throws StorageException {
    return beginTransaction(Isolation.LOCKED_READS);
  }

  /** Begins a transaction over several pairs. */
  @MustBeClosed
  public KeyValueTransaction beginTransaction(Isolation isolation) throws StorageException {
    return new KeyValueTransaction(NodeTransaction.in(List.of(partition), isolation), partition);
  }

  /**
   * Starts loading the store, which must be empty; others' writes to it wait.
   *
   * @throws dev.varve.common.error.ConflictException with {@code NOT_EMPTY}
   */
  @MustBeClosed
  public KeyValueLoader bulkLoad() throws StorageException {
    return new KeyValueLoader(partition.newLoader());
  }

  @Override
  RunningEngine.Taken take(List<byte[]> batch) throws StorageException {
    SortedMap<Integer, RunningEngine.Refusal> refused = new TreeMap<>();
    if (batch.size() % 2 != 0) {
      throw new IllegalArgumentException("a key without a value");
    }
    try (KeyValueSession session = openSession()) {
      for (int i = 0; i < batch.size(); i += 2) {
        try {
          session.put(batch.get(i), batch.get(i + 1));
        } catch (RequestException | LimitException itsFault) {
          refused.put(i / 2, RunningEngine.Refusal.of(itsFault));
        }
      }
      session.force();
    }
    assert refused.size() <= batch.size() / 2;
    return new RunningEngine.Taken(0, refused);
  }
}
