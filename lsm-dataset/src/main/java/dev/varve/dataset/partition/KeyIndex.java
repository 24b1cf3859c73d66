package dev.varve.dataset.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.EntryCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.dataset.search.IndexSearch;
import dev.varve.dataset.search.KeySearch;

/**
 * A secondary B+-tree: the encoded values of the indexed fields, then the encoded primary key.
 *
 * @param lsm the index
 * @param fields how many fields are indexed
 */
record KeyIndex(LsmIndex<KeyRange> lsm, int fields) implements SecondaryIndex {
  @Override
  public EntryKeys newEntryKeys() {
    KeyDecoder decoder = new KeyDecoder();
    Slice view = new Slice();
    return key -> primaryKey(key, decoder, view);
  }

  private Slice primaryKey(Slice key, KeyDecoder decoder, Slice view) throws CorruptionException {
    decoder.reset(key);
    try {
      for (int i = 0; i < fields; i++) {
        decoder.skip();
      }
    } catch (IllegalArgumentException e) {
      throw new CorruptionException(
          lsm.describe(), -1, "entry " + key + " is no secondary key: " + e.getMessage());
    }
    int split = decoder.position();
    return view.set(key.bytes(), key.offset() + split, key.length() - split);
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // closed by who takes the candidates
  public Candidates search(IndexSearch search) throws StorageException {
    if (!(search instanceof KeySearch keys)) {
      throw refused(search);
    }
    return new Candidates(
        lsm.searchStates(keys.range()), (key, value) -> keys.range().contains(key));
  }

  @Override
  @MustBeClosed
  public EntryCursor everything() throws StorageException {
    return lsm.search(KeyRange.all());
  }
}
