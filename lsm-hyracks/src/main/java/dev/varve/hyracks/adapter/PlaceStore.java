package dev.varve.hyracks.adapter;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.DatasetPartition;
import dev.varve.dataset.EngineSnapshot;
import dev.varve.dataset.RecordSession;
import dev.varve.dataset.RecordTransaction;
import dev.varve.dataset.Store;
import dev.varve.dataset.kind.RTreeKind;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import java.util.List;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.rtree.impls.SearchPredicate;
import org.apache.hyracks.storage.common.ISearchPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Tuples of a spatial index, as records of a dataset with an LSM R-tree on their boxes. A tuple is
 * told by all of its fields, so that it is there or not, and never replaced. Thread-safe.
 *
 * @param dataset the dataset
 * @param tuples what the tuples look like
 * @param stores the engine's stores
 */
record PlaceStore(Dataset dataset, TupleDescription tuples, EngineStores stores)
    implements TupleStore {
  private static final IndexDefinition INDEX = IndexDefinition.of(new RTreeKind(), "p");

  /** Options of the dataset behind an index. */
  static DatasetOptions options(String name) {
    return DatasetOptions.of(name, "t").withIndexes(List.of(INDEX));
  }

  /** Name of the R-tree in the dataset. */
  static String indexName() {
    return INDEX.name();
  }

  PlaceCodec newCodec() {
    return new PlaceCodec(tuples, stores.place());
  }

  @Override
  public Store store() {
    return dataset;
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The changes close the session.
  public TupleChanges openSession() throws StorageException {
    return new Changes(new InSession(dataset.openSession()), tuples, newCodec());
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The changes close the transaction.
  public TupleChanges beginTransaction() throws StorageException {
    return new Changes(new InTransaction(dataset.beginTransaction()), tuples, newCodec());
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The load closes the loader and the sorter.
  public TupleLoad load() throws StorageException {
    return new PlaceLoad(dataset.bulkLoad(), stores.newSorter(dataset.number()), this);
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The search closes its cursor.
  public TupleSearch search(ISearchPredicate predicate, @Nullable EngineSnapshot snapshot)
      throws StorageException, HyracksDataException {
    if (predicate instanceof SearchPredicate box) {
      return PlaceSearch.open(this, records(snapshot), box);
    }
    throw StorageFailures.refused("an R-tree can't be searched with " + predicate);
  }

  /** The records, as of a snapshot or as they are committed by now. */
  private DatasetPartition records(@Nullable EngineSnapshot snapshot) {
    assert dataset.options().partitions() == 1 : "a spatial index is whole on its node";
    return snapshot == null ? dataset.partition(0) : snapshot.partition(dataset, 0);
  }

  /** What a session and a transaction of a dataset have in common. */
  private interface Records {
    void insert(byte[] record) throws StorageException;

    WriteOutcome upsert(byte[] record) throws StorageException;

    WriteOutcome delete(Key key) throws StorageException;

    boolean holds(Key key) throws StorageException;

    void end() throws StorageException;

    void close() throws StorageException;
  }

  private record InSession(RecordSession session) implements Records {
    @Override
    public void insert(byte[] record) throws StorageException {
      session.insert(record);
    }

    @Override
    public WriteOutcome upsert(byte[] record) throws StorageException {
      return session.upsert(record);
    }

    @Override
    public WriteOutcome delete(Key key) throws StorageException {
      return session.delete(key);
    }

    @Override
    public boolean holds(Key key) throws StorageException {
      return session.get(key).isPresent();
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

  private record InTransaction(RecordTransaction transaction) implements Records {
    @Override
    public void insert(byte[] record) throws StorageException {
      transaction.insert(record);
    }

    @Override
    public WriteOutcome upsert(byte[] record) throws StorageException {
      return transaction.upsert(record);
    }

    @Override
    public WriteOutcome delete(Key key) throws StorageException {
      return transaction.delete(key);
    }

    @Override
    public boolean holds(Key key) throws StorageException {
      return transaction.getForUpdate(key).isPresent();
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
    private final Records records;
    private final PlaceCodec codec;
    private final StoredTuple before;

    Changes(Records records, TupleDescription tuples, PlaceCodec codec) {
      this.records = records;
      this.codec = codec;
      this.before = new StoredTuple(tuples.fieldCount());
    }

    @Override
    public void insert(ITupleReference tuple) throws StorageException, HyracksDataException {
      records.insert(codec.record(tuple));
    }

    @Override
    public WriteOutcome upsert(ITupleReference tuple)
        throws StorageException, HyracksDataException {
      return records.upsert(codec.record(tuple));
    }

    @Override
    public WriteOutcome delete(ITupleReference tuple)
        throws StorageException, HyracksDataException {
      return records.delete(codec.key(tuple));
    }

    @Override
    public @Nullable ITupleReference find(ITupleReference tuple)
        throws StorageException, HyracksDataException {
      Key key = codec.key(tuple);
      if (!records.holds(key)) {
        return null;
      }
      codec.decode(key.toSlice(), before);
      return before;
    }

    @Override
    public void end() throws StorageException {
      records.end();
    }

    @Override
    public void close() throws StorageException {
      records.close();
    }
  }
}
