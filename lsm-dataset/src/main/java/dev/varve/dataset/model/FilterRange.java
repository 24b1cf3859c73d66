package dev.varve.dataset.model;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.LsmIndex;
import org.jspecify.annotations.Nullable;

/**
 * What a read wants of the field that a dataset is filtered by: records with a value in a range, or
 * all records, with a value or without one. Components in which no record can be wanted are not
 * read. Immutable.
 *
 * @param values the range; null for all records
 */
public record FilterRange(@Nullable KeyRange values) {
  /** All records; nothing is left out. */
  public static final FilterRange NONE = new FilterRange(null);

  /** The range's ends take in, or leave out, every value that begins with them. */
  public FilterRange {
    values = values == null ? null : ValueRange.ofValues(values.ascending());
  }

  /** The records whose values lie in a range, in no order of theirs; see {@link ValueRange}. */
  public static FilterRange of(KeyRange values) {
    return new FilterRange(values);
  }

  /** Whether not all records are wanted. */
  public boolean restricts() {
    return values != null;
  }

  /**
   * Whether a record is wanted.
   *
   * @param value its encoded value; null when it has none
   */
  public boolean holds(@Nullable Slice value) {
    return values == null || (value != null && values.contains(value));
  }

  /** Searches those components of an index that may have something for this. */
  @MustBeClosed
  public <Q> LsmCursor searchStates(LsmIndex<Q> index, Q query) throws StorageException {
    KeyRange wanted = values;
    return wanted == null
        ? index.searchStates(query)
        : index.searchStates(query, overlapping(wanted));
  }

  /**
   * The same for a search that looks at the newest record of each entry that it finds, as those of
   * secondary indexes do: no component is read only because it may hide something, so that more of
   * the entries may be obsolete.
   */
  @MustBeClosed
  public <Q> LsmCursor searchCandidates(LsmIndex<Q> index, Q query) throws StorageException {
    KeyRange wanted = values;
    return wanted == null
        ? index.searchStates(query)
        : index.searchStates(query, overlapping(wanted).lookingAtRecords());
  }

  private static RangeFilter.Wanted overlapping(KeyRange wanted) {
    return (smallest, largest) ->
        wanted.low().admitsFromBelow(largest) && wanted.high().admitsFromAbove(smallest);
  }
}
