package dev.varve.hyracks.operator;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.error.RequestException;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.KeySearch;
import java.io.Serializable;

/** A read of a dataset, in a form that travels inside a job. Immutable. */
public final class ReadRequest implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Which part of the records that are found is wanted. */
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
  private final Question question;
  private final long limit;

  /** The question to an index: a range of keys, or something else. */
  private sealed interface Question extends Serializable {}

  /** A range of keys that travels. */
  private static final class Range implements Question {
    private static final long serialVersionUID = 1L;

    private final KeyRange.Direction direction;
    private final Bound low;
    private final Bound high;

    Range(KeyRange range) {
      this.direction = range.direction();
      this.low = new Bound(range.low());
      this.high = new Bound(range.high());
    }

    KeyRange toKeyRange() {
      return new KeyRange(low.toKeyBound(), high.toKeyBound(), direction);
    }
  }

  /** A search of another kind. */
  private record Terms(SearchTerms terms) implements Question {
    private static final long serialVersionUID = 1L;
  }

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

  private ReadRequest(String dataset, String index, Answer answer, Question question, long limit) {
    this.dataset = dataset;
    this.index = index;
    this.answer = answer;
    this.question = question;
    this.limit = limit;
  }

  private static ReadRequest of(String dataset, String index, KeyRange range, Answer answer) {
    return new ReadRequest(dataset, index, answer, new Range(range), Long.MAX_VALUE);
  }

  /** The record with an encoded primary key. */
  public static ReadRequest get(String dataset, byte[] primaryKey) {
    return of(dataset, "", KeyRange.exactly(primaryKey), Answer.ONE);
  }

  /** Records in a range of encoded primary keys. */
  public static ReadRequest scan(String dataset, KeyRange primaryKeys, Answer answer) {
    return of(dataset, "", primaryKeys, answer);
  }

  /**
   * Records with a value of a secondary B+-tree in a range of encoded values.
   *
   * @throws IllegalArgumentException when the range asks for an order, which {@link KeySearch} does
   *     not give
   */
  public static ReadRequest search(String dataset, String index, KeyRange values, Answer answer) {
    return of(dataset, named(index), new KeySearch(values).range(), answer);
  }

  /** Records that an R-tree or an inverted index finds. */
  public static ReadRequest search(String dataset, String index, SearchTerms terms, Answer answer) {
    return new ReadRequest(dataset, named(index), answer, new Terms(terms), terms.most());
  }

  private static String named(String index) {
    if (index.isEmpty()) {
      throw new IllegalArgumentException("an index has a name");
    }
    return index;
  }

  /** The same, but each partition stops after so many records: the first ones in its order. */
  public ReadRequest first(long records) {
    return new ReadRequest(dataset, index, answer, question, Math.min(records, limit));
  }

  /** How many records a partition gives or counts at most. */
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

  /** Which part is wanted. */
  public Answer answer() {
    return answer;
  }

  /** Whether the partitions' records are merged by the first fields of their tuples. */
  boolean isMerged() {
    return answer != Answer.COUNT && (index.isEmpty() || isRanked());
  }

  /** Whether records come nearest first, their distances before their keys. */
  private boolean isRanked() {
    return question instanceof Terms asked && asked.terms instanceof SearchTerms.Nearest;
  }

  /** The order in which the partitions' records are merged. */
  KeyRange.Direction direction() {
    return question instanceof Range asked ? asked.direction : KeyRange.Direction.ASCENDING;
  }

  /** The range of primary keys. */
  KeyRange range() {
    return ((Range) question).toKeyRange();
  }

  /** The question to the secondary index. */
  IndexSearch search() throws RequestException {
    return question instanceof Terms asked ? asked.terms.toSearch() : new KeySearch(range());
  }
}
