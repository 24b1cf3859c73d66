package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.dataset.kind.EntryMaker;
import dev.varve.dataset.kind.IndexedValue;
import dev.varve.dataset.kind.RecordReader;
import dev.varve.dataset.kind.RecordSchema;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordLimits;
import org.jspecify.annotations.Nullable;

/**
 * The entries that a record has in the secondary indexes of its partition: the one place where a
 * record becomes entries, for writers, loads, searches and verification alike. Confined to its
 * owner, and reused; what it returns holds until the next record is read.
 *
 * <p>Keys have at most an eighth of a page, so that every kind of index takes them: one with a
 * quarter of a page for a primary key and a rectangle, or a token, before it.
 */
final class RecordEntries {
  private final RecordReader reader;
  private final EntryMaker[] makers;
  private final IndexedValue[] values;

  /** How many bytes stand behind a record that is read. */
  private final int behind;

  /** Scratch. */
  private final Slice withoutThem = new Slice();

  /**
   * For new records of a schema.
   *
   * @param limits bounds on records, over which one is refused
   */
  RecordEntries(RecordSchema schema, RecordLimits limits) {
    this(schema, new RecordReader(schema, limits), 0);
  }

  private RecordEntries(RecordSchema schema, RecordReader reader, int behind) {
    assert behind == 0 || behind == Long.BYTES : behind;
    this.reader = reader;
    this.behind = behind;
    this.makers = new EntryMaker[schema.secondaries().size()];
    this.values = new IndexedValue[makers.length];
    for (int i = 0; i < makers.length; i++) {
      makers[i] = schema.secondaries().get(i).entries().get();
      values[i] = reader.value(i);
    }
  }

  /**
   * For records as the primary index has them, whatever the limits are by now.
   *
   * @param stampBytes how many bytes stand behind each, 0 where readers are shown it
   */
  static RecordEntries ofStored(RecordSchema schema, int stampBytes) {
    return new RecordEntries(schema, RecordReader.ofStored(schema), stampBytes);
  }

  /**
   * Reads a record.
   *
   * @throws RequestException with {@code MALFORMED_RECORD}
   * @throws LimitException when the record, or a key of it, is over its bound
   */
  void read(Slice record) throws StorageException {
    reader.read(behind == 0 ? record : withoutThem(record));
  }

  /** Reads a record that the primary index holds, and so must be one. */
  void readStored(Entry stored, LsmIndex<KeyRange> primary) throws StorageException {
    try {
      read(stored.value());
    } catch (RequestException | LimitException e) {
      throw new CorruptionException(
          primary.describe(),
          -1,
          "the record with primary key "
              + Key.ofSlice(stored.key())
              + " is none: "
              + e.getMessage());
    }
  }

  /** One that is shorter than them is none, and refused as that. */
  private Slice withoutThem(Slice value) {
    int length = Math.max(0, value.length() - behind);
    return withoutThem.set(value.bytes(), value.offset(), length);
  }

  /** The encoded primary key. */
  Slice primaryKey() {
    return reader.primaryKey();
  }

  /** The encoded value that components are filtered by; null when the record has none. */
  @Nullable Slice filterValue() {
    return reader.filterValue();
  }

  /** A filter that covers the record, too. */
  RangeFilter addFilterValue(RangeFilter filter) {
    Slice value = reader.filterValue();
    return value == null ? filter : filter.covering(value);
  }

  /** Whether the record has an entry in a secondary index. */
  boolean has(int secondary) {
    return reader.hasValue(secondary);
  }

  /** The key of that entry. */
  Slice key(int secondary) {
    return makers[secondary].key(values[secondary]);
  }

  /** The value of that entry. */
  Slice value(int secondary) {
    return makers[secondary].value(values[secondary]);
  }
}
