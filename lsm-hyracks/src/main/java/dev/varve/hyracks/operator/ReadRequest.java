package dev.varve.hyracks.operator;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import java.io.Serializable;

/** What is read of a dataset, in a form that travels inside a job. Immutable. */
public final class ReadRequest implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What is wanted of the records that are found. */
  public enum Answer {
    /** The records with their keys. */
    RECORDS,
    /** Only how many there are. */
    COUNT,
    /** The one record with a primary key. */
    ONE
  }

  private final String dataset;
  private final String index;
  private final Answer answer;
  private final KeyRange.Direction direction;
  private final Bound low;
  private final Bound high;
  private final long limit;

  /** A bound that travels. */
  private static final class Bound implements Serializable {
    private static final long serialVersionUID = 1L;

    private final boolean bounded;
    private final boolean inclusive;
    private final byte[] key;

    Bound(KeyBound bound) {
      bounded = bound.isBounded();
      inclusive = bound.isInclusive();
      key = bound.key().toByteArray();
    }

    KeyBound toKeyBound() {
      if (!bounded) {
        return KeyBound.unbounded();
      }
      return inclusive ? KeyBound.inclusive(key) : KeyBound.exclusive(key);
    }
  }

  private ReadRequest(String dataset, String index, KeyRange range, Answer answer) {
    this(dataset, index, range, answer, Long.MAX_VALUE);
  }

  private ReadRequest(String dataset, String index, KeyRange range, Answer answer, long limit) {
    this.dataset = dataset;
    this.index = index;
    this.answer = answer;
    this.direction = range.direction();
    this.low = new Bound(range.low());
    this.high = new Bound(range.high());
    this.limit = limit;
  }

  /** The record with an encoded primary key. */
  public static ReadRequest get(String dataset, byte[] primaryKey) {
    return new ReadRequest(dataset, "", KeyRange.exactly(primaryKey), Answer.ONE);
  }

  /** Records in a range of encoded primary keys. */
  public static ReadRequest scan(String dataset, KeyRange primaryKeys, Answer answer) {
    return new ReadRequest(dataset, "", primaryKeys, answer);
  }

  /** Records with a value of a secondary index in a range of encoded values. */
  public static ReadRequest search(String dataset, String index, KeyRange values, Answer answer) {
    if (index.isEmpty()) {
      throw new IllegalArgumentException("an index has a name");
    }
    return new ReadRequest(dataset, index, values, answer);
  }

  /** The same, but each partition stops after so many records: the first ones in its order. */
  public ReadRequest first(long records) {
    return new ReadRequest(dataset, index, range(), answer, records);
  }

  /** How many records a partition gives at most. */
  long limit() {
    return limit;
  }

  /** The dataset. */
  public String dataset() {
    return dataset;
  }

  /** The secondary index; empty for the primary. */
  String index() {
    return index;
  }

  /** What is wanted. */
  public Answer answer() {
    return answer;
  }

  KeyRange range() {
    return new KeyRange(low.toKeyBound(), high.toKeyBound(), direction);
  }
}
