package dev.varve.dataset.model;

import dev.varve.btree.KeyRange;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Which records of a dataset are wanted, in which order, how many, and what of them. Immutable.
 *
 * @param index the B+-tree whose values are asked for and say the order; empty for primary keys
 * @param range range of these values, and its direction; see {@link ValueRange}
 * @param filter which of the records are wanted
 * @param limit most records, at least 0
 * @param fields what is wanted of each record; empty for all of it
 * @param token where to go on, as a {@link ResultCursor} has told; empty for the beginning
 */
public record RecordQuery(
    Optional<String> index,
    KeyRange range,
    FilterRange filter,
    long limit,
    List<FieldPath> fields,
    Optional<Key> token) {
  /**
   * Checks the limit and copies the fields.
   *
   * @throws IllegalArgumentException for a negative limit
   */
  public RecordQuery {
    if (limit < 0) {
      throw new IllegalArgumentException("a limit is 0 or more, not " + limit);
    }
    range = ValueRange.ofValues(range);
    fields = List.copyOf(fields);
  }

  /** All records in a range of primary keys, in their order. */
  public static RecordQuery ofKeys(KeyRange primaryKeys) {
    return new RecordQuery(
        Optional.empty(),
        primaryKeys,
        FilterRange.NONE,
        Long.MAX_VALUE,
        List.of(),
        Optional.empty());
  }

  /**
   * All records whose values in a B+-tree lie in a range, in the order of {@link OrderedSearch}.
   */
  public static RecordQuery by(String index, KeyRange values) {
    RecordQuery keys = ofKeys(values);
    return new RecordQuery(
        Optional.of(index), keys.range, keys.filter, keys.limit, keys.fields, keys.token);
  }

  /** The same, of those records that a filter wants. */
  public RecordQuery filteredBy(FilterRange wanted) {
    return new RecordQuery(index, range, wanted, limit, fields, token);
  }

  /** The same, but no more than some records. */
  public RecordQuery limit(long most) {
    return new RecordQuery(index, range, filter, most, fields, token);
  }

  /**
   * The same, with some fields of each record: an object of those that it has, at their places and
   * with their bytes.
   */
  public RecordQuery fields(String... paths) {
    List<FieldPath> wanted = List.of(paths).stream().map(FieldPath::parse).toList();
    return new RecordQuery(index, range, filter, limit, wanted, token);
  }

  /**
   * The same, from behind the record at which a cursor was. The query is to be about the same
   * dataset and index, in the same direction, or is refused when it is asked; its limit, filter and
   * fields may be others.
   *
   * @param resumeToken of {@link ResultCursor#resumeToken}
   */
  public RecordQuery after(byte[] resumeToken) {
    Key token = Key.ofBytes(Objects.requireNonNull(resumeToken, "resumeToken"));
    return new RecordQuery(index, range, filter, limit, fields, Optional.of(token));
  }

  /** The same in another range, which the query goes on in. */
  public RecordQuery in(KeyRange other) {
    return new RecordQuery(index, other, filter, limit, fields, token);
  }

  /** Whether the highest comes first. */
  public boolean descending() {
    return range.direction() == KeyRange.Direction.DESCENDING;
  }
}
