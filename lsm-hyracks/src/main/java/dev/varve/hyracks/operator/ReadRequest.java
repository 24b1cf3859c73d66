package dev.varve.hyracks.operator;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.error.RequestException;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.KeySearch;
import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A read of a dataset, in a form that travels inside a job. Immutable. */
public final class ReadRequest implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Which part of the records that are found is wanted. */
  enum Answer {
    /** The records with their keys. */
    RECORDS,
    /** Only how many there are. */
    COUNT,
    /** The one record with a primary key. */
    ONE,
    /** Values of a field: an {@link Aggregate}. */
    VALUES
  }

  private final String dataset;
  private final String index;
  private final Answer answer;
  private final Question question;
  private final long limit;

  /** What becomes of the values; null where none are asked for. */
  private final @Nullable Aggregate aggregate;

  /** Which values of the filter field are wanted; null for all. */
  private final @Nullable Range filter;

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

  private ReadRequest(
      ReadRequest of,
      Answer answer,
      long limit,
      @Nullable Aggregate aggregate,
      @Nullable Range filter) {
    this.dataset = of.dataset;
    this.index = of.index;
    this.question = of.question;
    this.answer = answer;
    this.limit = limit;
    this.aggregate = aggregate;
    this.filter = filter;
    assert (answer == Answer.VALUES) == (aggregate != null) : answer;
  }

  private ReadRequest(String dataset, String index, Answer answer, Question question, long limit) {
    this.dataset = dataset;
    this.index = index;
    this.answer = answer;
    this.question = question;
    this.limit = limit;
    this.aggregate = null;
    this.filter = null;
  }

  private static ReadRequest of(String dataset, String index, KeyRange range, Answer answer) {
    return new ReadRequest(dataset, index, answer, new Range(range), Long.MAX_VALUE);
  }

  /** The record with an encoded primary key. */
  public static ReadRequest get(String dataset, byte[] primaryKey) {
    return of(dataset, "", KeyRange.exactly(primaryKey), Answer.ONE);
  }

  /** Records in a range of encoded primary keys, in the order that the range asks for. */
  public static ReadRequest scan(String dataset, KeyRange primaryKeys) {
    return of(dataset, "", primaryKeys, Answer.RECORDS);
  }

  /**
   * Records with a value of a secondary B+-tree in a range of encoded values, in the order of these
   * that the range asks for.
   */
  public static ReadRequest search(String dataset, String index, KeyRange values) {
    return of(dataset, named(index), values, Answer.RECORDS);
  }

  /** Records that an R-tree or an inverted index finds; the nearest ones nearest first. */
  public static ReadRequest search(String dataset, String index, SearchTerms terms) {
    return new ReadRequest(dataset, named(index), Answer.RECORDS, new Terms(terms), terms.most());
  }

  private static String named(String index) {
    if (index.isEmpty()) {
      throw new IllegalArgumentException("an index has a name");
    }
    return index;
  }

  /** The first so many of the records only. */
  public ReadRequest first(long records) {
    return new ReadRequest(this, answer, Math.min(records, limit), aggregate, filter);
  }

  /** How many records there are, instead of the records. */
  public ReadRequest counted() {
    return new ReadRequest(this, Answer.COUNT, limit, null, filter);
  }

  /**
   * Of the records only those whose value of the dataset's filter field lies in a range of encoded
   * values. A read of one record is not filtered.
   */
  public ReadRequest filtered(KeyRange values) {
    assert answer != Answer.ONE : "a record is read by its key";
    return new ReadRequest(this, answer, limit, aggregate, new Range(values));
  }

  /**
   * What values a field has in the records, instead of the records.
   *
   * @throws IllegalArgumentException when only some of what the partitions find is wanted, so that
   *     they can't tell which
   */
  public ReadRequest aggregated(Aggregate wanted) {
    if (limit != Long.MAX_VALUE) {
      throw new IllegalArgumentException("of the first or nearest records no values are gathered");
    }
    return new ReadRequest(this, Answer.VALUES, limit, wanted, filter);
  }

  /** How many records are wanted at most. */
  public long limit() {
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
  Answer answer() {
    return answer;
  }

  /** What becomes of the values that are asked for. */
  Aggregate aggregate() {
    return Objects.requireNonNull(aggregate);
  }

  /** Whether the partitions' tuples are merged by their first fields. */
  boolean isMerged() {
    return answer != Answer.COUNT && (index.isEmpty() || isRanked() || isSorted());
  }

  /** Whether a partition's tuples have to be sorted by their first fields before. */
  boolean isSorted() {
    return answer == Answer.VALUES || isOrdered();
  }

  /**
   * Whether records come in the order of their values in an index, the values before their keys.
   */
  boolean isOrdered() {
    return answer == Answer.RECORDS && !index.isEmpty() && question instanceof Range;
  }

  /** Whether records come nearest first, their distances before their keys. */
  private boolean isRanked() {
    return question instanceof Terms asked && asked.terms instanceof SearchTerms.Nearest;
  }

  /** Whether something by which tuples are merged comes before the keys of the records. */
  public boolean hasRanks() {
    return isRanked() || isOrdered();
  }

  /** The order in which the partitions' tuples are merged. */
  KeyRange.Direction direction() {
    if (aggregate != null) {
      return aggregate.direction();
    }
    return question instanceof Range asked ? asked.direction : KeyRange.Direction.ASCENDING;
  }

  /** The range of primary keys. */
  KeyRange range() {
    return ((Range) question).toKeyRange();
  }

  /** Which records are wanted by the filter field. */
  FilterRange filter() {
    Range wanted = filter;
    return wanted == null ? FilterRange.NONE : FilterRange.of(wanted.toKeyRange());
  }

  /** The question to the secondary index. */
  IndexSearch search() throws RequestException {
    return question instanceof Terms asked
        ? asked.terms.toSearch()
        : new KeySearch(range().ascending());
  }
}
