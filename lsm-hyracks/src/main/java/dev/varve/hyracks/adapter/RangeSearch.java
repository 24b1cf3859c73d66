package dev.varve.hyracks.adapter;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordCursor;

/** Tuples with keys in a range, in the order of the keys. Confined to one thread. */
final class RangeSearch implements TupleSearch {
  private final PairReads pairs;
  private final TupleCodec codec;
  private final Slice key = new Slice();
  private KeyRange range;
  private RecordCursor records;

  @SuppressWarnings("MustBeClosedChecker") // Closed with the search.
  RangeSearch(PairReads pairs, TupleCodec codec, KeyRange range) throws StorageException {
    this.pairs = pairs;
    this.codec = codec;
    this.range = range;
    this.records = pairs.scan(range);
  }

  @Override
  public boolean next(StoredTuple tuple) throws StorageException {
    if (!records.next()) {
      return false;
    }
    key.copyOf(records.key());
    codec.decode(records.key(), records.value(), tuple);
    return true;
  }

  /** Begins the scan anew at the key, so that what follows is seen as it is by now, too. */
  @Override
  @SuppressWarnings("MustBeClosedChecker") // Closed with the search.
  public Place again(StoredTuple tuple) throws StorageException {
    records.close();
    range = KeyRange.between(KeyBound.inclusive(key), range.high());
    records = pairs.scan(range);
    Slice asked = new Slice(key.toByteArray());
    if (!next(tuple)) {
      return Place.AT_END;
    }
    return key.sameBytes(asked) ? Place.THERE : Place.BEHIND;
  }

  @Override
  public void close() {
    records.close();
  }
}
