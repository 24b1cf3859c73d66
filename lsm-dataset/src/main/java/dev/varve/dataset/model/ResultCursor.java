package dev.varve.dataset.model;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;

/**
 * The records that a {@link RecordQuery} finds, in its order. Confined to one thread; the caller
 * closes it.
 */
public final class ResultCursor implements RecordCursor {
  private final RecordQuery query;
  private final ResumePoint place;
  private final Opener opener;
  private RecordCursor records;
  private long found;
  private boolean atRecord;
  private boolean closed;

  /** Opens what reads the records of a query in its order, whatever its limit and its token. */
  @FunctionalInterface
  public interface Opener {
    /** Opens it; the caller closes it. */
    @MustBeClosed
    RecordCursor open(RecordQuery query) throws StorageException;
  }

  /**
   * Begins a query, or goes on; for who reads records, not for who asks for them.
   *
   * @param query what is asked
   * @param index number of the index that is asked, as it is in the log
   * @param opener reads its records
   * @throws RequestException with {@code INVALID_TOKEN} when the token of the query is damaged, or
   *     of another query
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with this cursor
  public ResultCursor(RecordQuery query, int index, Opener opener) throws StorageException {
    this.query = query;
    this.place = new ResumePoint(index, query);
    this.opener = opener;
    this.records = opener.open(query.token().isEmpty() ? query : behind(query.token().get()));
  }

  private RecordQuery behind(Key token) throws RequestException {
    return query.in(from(KeyBound.exclusive(place.position(token.toSlice()))));
  }

  /** The range of the query from a bound on, in its direction. */
  private KeyRange from(KeyBound bound) {
    KeyRange range = query.range();
    return query.descending()
        ? new KeyRange(range.low(), bound, range.direction())
        : new KeyRange(bound, range.high(), range.direction());
  }

  @Override
  public boolean next() throws StorageException {
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    atRecord = found < query.limit() && records.next();
    found += atRecord ? 1 : 0;
    assert found <= query.limit() : found;
    return atRecord;
  }

  /**
   * Goes to where values, or primary keys where no index is asked, begin that are at or behind some
   * in the order of the query, forwards or backwards: the next record is the first there that the
   * query finds. Until then the cursor is at no record. The limit counts on.
   *
   * @param values encoded as a bound of the query's range is
   */
  @SuppressWarnings("MustBeClosedChecker") // closed with this cursor
  public void seek(Key values) throws StorageException {
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    atRecord = false;
    KeyRange range = query.range();
    boolean inside =
        query.descending()
            ? range.high().admitsFromAbove(values.toSlice())
            : range.low().admitsFromBelow(values.toSlice());
    KeyBound begin =
        query.descending()
            ? KeyBound.afterPrefix(values.toBytes())
            : KeyBound.inclusive(values.toBytes());
    RecordCursor sought = opener.open(inside ? query.in(from(begin)) : query);
    records.close();
    records = sought;
  }

  @Override
  public Slice key() {
    return current().key();
  }

  /** The record's bytes, or those of the wanted fields as an object. */
  @Override
  public Slice value() {
    return current().value();
  }

  /**
   * Where this is: a query with {@link RecordQuery#after} goes on behind the current record,
   * whatever was written, flushed and merged meanwhile. Opaque bytes, with a checksum, that may be
   * kept for as long as the dataset and the index are there.
   *
   * @throws IllegalStateException when the cursor is at no record
   */
  public byte[] resumeToken() {
    return place.token(OrderedCursor.orderedBy(current()));
  }

  private RecordCursor current() {
    if (!atRecord) {
      throw RecordCursor.atNoRecord();
    }
    return records;
  }

  @Override
  public void close() {
    closed = true;
    atRecord = false;
    records.close();
  }
}
