package dev.varve.hyracks.adapter;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.DatasetPartition;
import dev.varve.dataset.KeyValue;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.RegionQuery;
import org.apache.hyracks.api.dataflow.value.IBinaryComparator;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.rtree.impls.SearchPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Tuples whose box and the predicate's have a point in common. The R-tree finds those that meet in
 * the first two dimensions, rounded to doubles; all dimensions are then compared as their stock
 * comparators do. Confined to one thread.
 */
final class PlaceSearch implements TupleSearch {
  private final DatasetPartition partition;
  private final PlaceCodec codec;
  private final RecordCursor found;
  private final IBinaryComparator[] comparators;
  private final Slice key = new Slice();

  /** What is asked for; null for all tuples. */
  private final @Nullable ITupleReference asked;

  private PlaceSearch(
      PlaceStore store,
      DatasetPartition partition,
      RecordCursor found,
      @Nullable ITupleReference asked) {
    this.partition = partition;
    this.codec = store.newCodec();
    this.found = found;
    this.asked = asked;
    this.comparators =
        store.tuples().keyFields().stream()
            .map(field -> field.comparator().createBinaryComparator())
            .toArray(IBinaryComparator[]::new);
  }

  /**
   * Begins a search; a predicate without a key asks for all tuples.
   *
   * @param partition the store's records, as of whatever moment
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The search closes the cursor.
  static PlaceSearch open(PlaceStore store, DatasetPartition partition, SearchPredicate predicate)
      throws StorageException, HyracksDataException {
    ITupleReference asked = predicate.getLowKey();
    if (asked == null) {
      return new PlaceSearch(store, partition, partition.scan(KeyRange.all()), null);
    }
    int corners = store.tuples().keyFields().size();
    if (asked.getFieldCount() < corners) {
      throw StorageFailures.refused(
          "a box of " + asked.getFieldCount() + " fields, where the index has " + corners);
    }
    RecordCursor found =
        partition.search(
            PlaceStore.indexName(), new SpatialSearch(region(store.newCodec(), asked)));
    return new PlaceSearch(store, partition, found, asked);
  }

  private static RegionQuery region(PlaceCodec codec, ITupleReference asked)
      throws StorageException, HyracksDataException {
    double minY = 0;
    double maxY = 0;
    if (codec.dimensions() > 1) {
      minY = finite(codec.low(asked, 1));
      maxY = finite(codec.high(asked, 1));
    }
    return RegionQuery.intersecting(
        Rectangle.of(finite(codec.low(asked, 0)), minY, finite(codec.high(asked, 0)), maxY));
  }

  /** No stored corner is infinite, so the largest number is as far away. */
  private static double finite(double corner) {
    return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, corner));
  }

  @Override
  public boolean next(StoredTuple tuple) throws StorageException, HyracksDataException {
    while (found.next()) {
      codec.decode(found.key(), tuple);
      if (meets(tuple)) {
        key.copyOf(found.key());
        return true;
      }
    }
    return false;
  }

  private boolean meets(ITupleReference tuple) throws HyracksDataException {
    if (asked == null) {
      return true;
    }
    int dimensions = codec.dimensions();
    for (int low = 0; low < dimensions; low++) {
      int high = dimensions + low;
      if (compare(tuple, low, asked, high) > 0 || compare(tuple, high, asked, low) < 0) {
        return false;
      }
    }
    return true;
  }

  private int compare(ITupleReference one, int field, ITupleReference other, int otherField)
      throws HyracksDataException {
    return comparators[field].compare(
        one.getFieldData(field),
        one.getFieldStart(field),
        one.getFieldLength(field),
        other.getFieldData(otherField),
        other.getFieldStart(otherField),
        other.getFieldLength(otherField));
  }

  /** Asks for the record anew; the others come as the search has found them. */
  @Override
  public Place again(StoredTuple tuple) throws StorageException, HyracksDataException {
    if (partition.get(key, new KeyValue())) {
      codec.decode(key, tuple);
      return Place.THERE;
    }
    return next(tuple) ? Place.BEHIND : Place.AT_END;
  }

  @Override
  public void close() {
    found.close();
  }
}
