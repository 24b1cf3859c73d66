package dev.varve.hyracks.adapter;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import java.util.List;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.common.ISearchPredicate;
import org.apache.hyracks.storage.common.MultiComparator;
import org.jspecify.annotations.Nullable;

/**
 * Turns tuples of one index into key and value bytes and back. The value holds the fields behind
 * the key's, each with its length before it. Confined to its owner, reused.
 */
final class TupleCodec {
  private final List<KeyField> keyFields;
  private final int fieldCount;
  private final ByteSink keyBytes = new ByteSink();
  private final ByteSink valueBytes = new ByteSink();
  private final Slice key = new Slice();
  private final Slice value = new Slice();

  TupleCodec(List<KeyField> keyFields, int fieldCount) {
    this.keyFields = keyFields;
    this.fieldCount = fieldCount;
  }

  /** The encoded key of a tuple; valid until the next call. */
  Slice key(ITupleReference tuple) throws HyracksDataException {
    encode(tuple, keyFields.size());
    return keyBytes.view(key);
  }

  /** The value bytes of a tuple; valid until the next call. */
  Slice value(ITupleReference tuple) throws HyracksDataException {
    if (tuple.getFieldCount() < fieldCount) {
      throw StorageFailures.refused(
          "a tuple of " + tuple.getFieldCount() + " fields for an index of " + fieldCount);
    }
    valueBytes.clear();
    for (int field = keyFields.size(); field < fieldCount; field++) {
      int length = tuple.getFieldLength(field);
      valueBytes.addBigEndian(length, Integer.BYTES);
      valueBytes.add(tuple.getFieldData(field), tuple.getFieldStart(field), length);
    }
    return valueBytes.view(value);
  }

  /** Puts a stored entry together as the tuple that it came from. */
  void decode(Slice storedKey, Slice storedValue, StoredTuple tuple) {
    tuple.clear();
    int position = storedKey.offset();
    for (KeyField field : keyFields) {
      position = field.decode(storedKey, position, tuple.sink());
      tuple.endField();
    }
    byte[] bytes = storedValue.bytes();
    position = storedValue.offset();
    for (int field = keyFields.size(); field < fieldCount; field++) {
      int length = Integer.reverseBytes(Bytes.getInt(bytes, position));
      tuple.sink().add(bytes, position + Integer.BYTES, length);
      tuple.endField();
      position += Integer.BYTES + length;
    }
  }

  /**
   * The keys that a predicate asks for. A bound with fewer fields than the key stands for all keys
   * that begin with it.
   */
  KeyRange range(ISearchPredicate predicate) throws HyracksDataException {
    if (!(predicate instanceof RangePredicate range)) {
      throw StorageFailures.refused("a B+-tree can't be searched with " + predicate);
    }
    KeyBound low = KeyBound.unbounded();
    if (range.getLowKey() != null) {
      byte[] bytes = bound(range.getLowKey(), range.getLowKeyComparator());
      low = range.isLowKeyInclusive() ? KeyBound.inclusive(bytes) : KeyBound.afterPrefix(bytes);
    }
    KeyBound high = KeyBound.unbounded();
    if (range.getHighKey() != null) {
      byte[] bytes = bound(range.getHighKey(), range.getHighKeyComparator());
      high = range.isHighKeyInclusive() ? KeyBound.afterPrefix(bytes) : KeyBound.exclusive(bytes);
    }
    return KeyRange.between(low, high);
  }

  private byte[] bound(ITupleReference tuple, @Nullable MultiComparator comparator)
      throws HyracksDataException {
    // A predicate may come without comparators; then the bound's own fields say how many count.
    int fields =
        comparator == null
            ? Math.min(tuple.getFieldCount(), keyFields.size())
            : comparator.getKeyFieldCount();
    encode(tuple, fields);
    return keyBytes.toByteArray();
  }

  private void encode(ITupleReference tuple, int fields) throws HyracksDataException {
    if (tuple.getFieldCount() < fields) {
      throw StorageFailures.refused(
          "a tuple of " + tuple.getFieldCount() + " fields, " + fields + " of them in the key");
    }
    keyBytes.clear();
    for (int field = 0; field < fields; field++) {
      keyFields.get(field).encode(tuple, field, keyBytes);
    }
  }
}
