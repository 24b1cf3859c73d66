package dev.varve.dataset.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.Origin;
import dev.varve.dataset.record.Key;
import dev.varve.dataset.record.RecordLimits;
import dev.varve.dataset.record.RecordReader;
import dev.varve.dataset.record.RecordSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Records by a secondary key: candidates of a batch are collected, sorted by primary key, looked
 * up, and kept if the record still has the candidate's secondary key (Storage Management in
 * AsterixDB, sections 3.5 and 4.1). No lock is taken in the secondary index: validation makes up
 * for it. An antimatter entry in memory is a candidate too, because the transaction that put it
 * there may not be committed. Confined to one thread.
 */
final class SecondaryCursor implements RecordCursor {
  /** Most candidates of a batch. */
  private static final int BATCH_CANDIDATES = 1 << 16;

  /** Most bytes of the candidates of a batch. */
  private static final long BATCH_BYTES = 8 << 20;

  private static final Comparator<Candidate> BY_PRIMARY_KEY =
      (a, b) -> Arrays.compareUnsigned(a.primaryKey, b.primaryKey);

  /** An entry of the secondary index, taken apart. */
  private static final class Candidate {
    private final byte[] primaryKey;
    private final byte[] secondaryKey;

    Candidate(SecondaryEntry parts) {
      primaryKey = parts.primaryKey().toByteArray();
      secondaryKey = parts.secondaryKey().toByteArray();
    }
  }

  private final PartitionHost host;
  private final PartitionIndexes indexes;
  private final int secondary;
  private final RecordLookup lookup;
  private final RecordReader reader;
  private final SecondaryEntry parts;
  private final LsmCursor states;
  private final List<Candidate> batch = new ArrayList<>();
  private final Entry found = new Entry();
  private final Slice key = new Slice();
  private int position;
  private boolean closed;

  /** A cursor in a partition that the caller has entered as a reader, and that leaves it. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with this cursor
  SecondaryCursor(PartitionHost host, PartitionIndexes indexes, RecordSchema schema, Search search)
      throws StorageException {
    this.host = host;
    this.indexes = indexes;
    this.secondary = search.secondary();
    this.lookup = new RecordLookup(host, null);
    this.reader = new RecordReader(schema, RecordLimits.WIDEST);
    this.parts = new SecondaryEntry(schema.secondaryKeys().get(secondary).size());
    this.states = indexes.get(secondary + 1).searchStates(search.range());
  }

  /**
   * What is searched.
   *
   * @param secondary number of the secondary index, from 0
   * @param range range of its keys
   */
  record Search(int secondary, KeyRange range) {}

  @Override
  public boolean next() throws StorageException {
    host.services().health().requireOpen();
    while (!closed) {
      while (position < batch.size()) {
        if (valid(batch.get(position++))) {
          return true;
        }
      }
      if (!fillBatch()) {
        return false;
      }
    }
    return false;
  }

  private boolean fillBatch() throws StorageException {
    batch.clear();
    position = 0;
    long bytes = 0;
    while (batch.size() < BATCH_CANDIDATES && bytes < BATCH_BYTES && states.next()) {
      Entry state = states.entry();
      if (!state.antimatter() || states.origin() == Origin.MEMORY) {
        parts.set(state.key(), indexes.get(secondary + 1).describe());
        batch.add(new Candidate(parts));
        bytes += state.key().length();
      }
    }
    batch.sort(BY_PRIMARY_KEY);
    return !batch.isEmpty();
  }

  private boolean valid(Candidate candidate) throws StorageException {
    key.set(candidate.primaryKey, 0, candidate.primaryKey.length);
    if (!lookup.find(indexes.primary(), key, found)) {
      return false;
    }
    try {
      reader.read(found.value());
    } catch (RequestException | LimitException e) {
      throw new CorruptionException(
          indexes.primary().describe(),
          -1,
          "the record with primary key " + Key.ofSlice(key) + " is none: " + e.getMessage());
    }
    if (!reader.hasSecondaryKey(secondary)) {
      return false;
    }
    Slice current = reader.secondaryKey(secondary);
    return Arrays.equals(
        current.bytes(),
        current.offset(),
        current.offset() + current.length(),
        candidate.secondaryKey,
        0,
        candidate.secondaryKey.length);
  }

  @Override
  public Slice key() {
    return found.key();
  }

  @Override
  public Slice value() {
    return found.value();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      states.close();
      batch.clear();
      host.door().leaveRead();
    }
  }
}
