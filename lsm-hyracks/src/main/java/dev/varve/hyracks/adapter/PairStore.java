package dev.varve.hyracks.adapter;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSnapshot;
import dev.varve.dataset.KeyValue;
import dev.varve.dataset.KeyValueLoader;
import dev.varve.dataset.KeyValueSession;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.KeyValueTransaction;
import dev.varve.dataset.Store;
import dev.varve.dataset.model.WriteOutcome;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.lsm.invertedindex.search.InvertedIndexSearchPredicate;
import org.apache.hyracks.storage.common.ISearchPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Tuples in an LSM B+-tree: of an ordered index, or the pairs of token and key of an inverted one.
 * Thread-safe.
 *
 * @param pairs the tree
 * @param tuples what the tuples look like
 */
record PairStore(KeyValueStore pairs, TupleDescription tuples) implements TupleStore {
  @Override
  public Store store() {
    return pairs;
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The changes close the session.
  public TupleChanges openSession() throws StorageException {
    return new Changes(new InSession(pairs.openSession()), tuples);
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The changes close the transaction.
  public TupleChanges beginTransaction() throws StorageException {
    return new Changes(new InTransaction(pairs.beginTransaction()), tuples);
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The load closes the loader.
  public TupleLoad load() throws StorageException {
    return new Load(pairs.bulkLoad(), tuples.newCodec());
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The search closes its cursors.
  public TupleSearch search(ISearchPredicate predicate, @Nullable EngineSnapshot snapshot)
      throws StorageException, HyracksDataException {
    PairReads reads = new PairReads(pairs, snapshot);
    if (predicate instanceof InvertedIndexSearchPredicate text) {
      return OccurrenceSearch.open(reads, tuples, text);
    }
    TupleCodec codec = tuples.newCodec();
    return new RangeSearch(reads, codec, codec.range(predicate));
  }

  /** What a session and a transaction of a key-value store have in common. */
  private interface Pairs {
    void insert(Slice key, Slice value) throws StorageException;

    WriteOutcome upsert(Slice key, Slice value) throws StorageException;

    WriteOutcome delete(Slice key) throws StorageException;

    boolean get(Slice key, KeyValue found) throws StorageException;

    void end() throws StorageException;

    void close() throws StorageException;
  }

  private record InSession(KeyValueSession session) implements Pairs {
    @Override
    public void insert(Slice key, Slice value) throws StorageException {
      session.insert(key, value);
    }

    @Override
    public WriteOutcome upsert(Slice key, Slice value) throws StorageException {
      return session.upsert(key, value);
    }

    @Override
    public WriteOutcome delete(Slice key) throws StorageException {
      return session.delete(key);
    }

    @Override
    public boolean get(Slice key, KeyValue found) throws StorageException {
      return session.get(key, found);
    }

    @Override
    public void end() throws StorageException {
      session.force();
    }

    @Override
    public void close() throws StorageException {
      session.close();
    }
  }

  private record InTransaction(KeyValueTransaction transaction) implements Pairs {
    @Override
    public void insert(Slice key, Slice value) throws StorageException {
      transaction.insert(key, value);
    }

    @Override
    public WriteOutcome upsert(Slice key, Slice value) throws StorageException {
      return transaction.upsert(key, value);
    }

    @Override
    public WriteOutcome delete(Slice key) throws StorageException {
      return transaction.delete(key);
    }

    @Override
    public boolean get(Slice key, KeyValue found) throws StorageException {
      return transaction.getForUpdate(key, found);
    }

    @Override
    public void end() throws StorageException {
      transaction.commit();
    }

    @Override
    public void close() throws StorageException {
      transaction.close();
    }
  }

  private static final class Changes implements TupleChanges {
    private final Pairs pairs;
    private final TupleCodec codec;
    private final KeyValue found = new KeyValue();
    private final StoredTuple before;

    Changes(Pairs pairs, TupleDescription tuples) {
      this.pairs = pairs;
      this.codec = tuples.newCodec();
      this.before = new StoredTuple(tuples.fieldCount());
    }

    @Override
    public void insert(ITupleReference tuple) throws StorageException, HyracksDataException {
      pairs.insert(codec.key(tuple), codec.value(tuple));
    }

    @Override
    public WriteOutcome upsert(ITupleReference tuple)
        throws StorageException, HyracksDataException {
      return pairs.upsert(codec.key(tuple), codec.value(tuple));
    }

    @Override
    public WriteOutcome delete(ITupleReference tuple)
        throws StorageException, HyracksDataException {
      return pairs.delete(codec.key(tuple));
    }

    @Override
    public @Nullable ITupleReference find(ITupleReference tuple)
        throws StorageException, HyracksDataException {
      if (!pairs.get(codec.key(tuple), found)) {
        return null;
      }
      codec.decode(found.key(), found.value(), before);
      return before;
    }

    @Override
    public void end() throws StorageException {
      pairs.end();
    }

    @Override
    public void close() throws StorageException {
      pairs.close();
    }
  }

  private record Load(KeyValueLoader loader, TupleCodec codec) implements TupleLoad {
    @Override
    public void add(ITupleReference tuple) throws StorageException, HyracksDataException {
      loader.add(codec.key(tuple), codec.value(tuple));
    }

    @Override
    public void finish() throws StorageException {
      loader.finish();
    }

    @Override
    public void close() {
      loader.close();
    }
  }
}
