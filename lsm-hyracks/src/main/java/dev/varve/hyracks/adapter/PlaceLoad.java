package dev.varve.hyracks.adapter;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.RecordLoader;
import dev.varve.dataset.internal.partition.KeySorter;
import java.util.ArrayList;
import java.util.List;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;

/**
 * A bulk load of a spatial index. Its tuples come in any order, and are sorted by the primary keys
 * of their records first; one that comes twice is there once. Confined to one thread.
 */
final class PlaceLoad implements TupleLoad {
  private final RecordLoader loader;
  private final KeySorter sorter;
  private final PlaceCodec codec;
  private final StoredTuple stored;

  PlaceLoad(RecordLoader loader, KeySorter sorter, PlaceStore store) {
    this.loader = loader;
    this.sorter = sorter;
    this.codec = store.newCodec();
    this.stored = new StoredTuple(store.tuples().fieldCount());
  }

  @Override
  public void add(ITupleReference tuple) throws StorageException, HyracksDataException {
    // The record is made for its checks: a box that is none is refused here, not at the end.
    codec.record(tuple);
    sorter.add(codec.key(tuple).toSlice());
  }

  @Override
  public void finish() throws StorageException, HyracksDataException {
    Slice last = new Slice();
    List<HyracksDataException> refused = new ArrayList<>();
    sorter.drainTo(
        key -> {
          if (!refused.isEmpty() || (last.length() > 0 && last.sameBytes(key))) {
            return;
          }
          assert last.compareBytes(key) < 0 : "the sorter has sorted";
          last.copyOf(key);
          codec.decode(key, stored);
          try {
            loader.add(codec.record(stored));
          } catch (HyracksDataException failure) {
            refused.add(failure);
          }
        });
    if (!refused.isEmpty()) {
      throw refused.get(0);
    }
    loader.finish();
  }

  @Override
  public void close() throws StorageException {
    try {
      loader.close();
    } finally {
      sorter.close();
    }
  }
}
