package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.lsm.btree.impls.LSMBTree;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.apache.hyracks.storage.common.MultiComparator;

/**
 * One accessor for writes, another for reads with one cursor, which is opened again for each
 * search: after an insert, which searches by itself, an accessor's cursor finds what that looked
 * for.
 */
final class AsterixDbSession implements StoreSession, ShowsReads {
  private static final int VALUE = 1;
  private static final byte[] NOTHING = new byte[0];

  private final ILSMIndexAccessor writes;
  private final ILSMIndexAccessor reads;
  private final IIndexCursor cursor;
  private final RangePredicate exactly = new RangePredicate();
  private final RangePredicate atLeast = new RangePredicate();
  private final AsterixDbTuple key = new AsterixDbTuple(1);
  private final AsterixDbTuple pair = new AsterixDbTuple(2);
  private final RowBuffer row = new RowBuffer();

  AsterixDbSession(LSMBTree index) throws HyracksDataException {
    this.writes = index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
    this.reads = index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
    this.cursor = reads.createSearchCursor(false);
    MultiComparator order = MultiComparator.create(index.getComparatorFactories());
    exactly.reset(key, key, true, true, order, order);
    atLeast.reset(key, /* highKey= */ null, true, true, order, order);
  }

  @Override
  public void put(byte[] putKey, byte[] value) throws BenchmarkException {
    try {
      writes.upsert(pair.of(putKey, value));
    } catch (HyracksDataException e) {
      throw new BenchmarkException("put", e);
    }
  }

  @Override
  public boolean insert(byte[] insertKey, byte[] value) throws BenchmarkException {
    try {
      writes.insert(pair.of(insertKey, value));
      return true;
    } catch (HyracksDataException e) {
      if (e.matches(ErrorCode.DUPLICATE_KEY)) {
        return false;
      }
      throw new BenchmarkException("insert", e);
    }
  }

  @Override
  public boolean delete(byte[] deleteKey) throws BenchmarkException {
    try {
      writes.delete(pair.of(deleteKey, NOTHING));
      return true;
    } catch (HyracksDataException e) {
      throw new BenchmarkException("delete", e);
    }
  }

  @Override
  public int get(byte[] wanted) throws BenchmarkException {
    key.of(wanted);
    try {
      reads.search(cursor, exactly);
      try {
        if (!cursor.hasNext()) {
          return -1;
        }
        cursor.next();
        ITupleReference found = cursor.getTuple();
        take(found, VALUE);
        return found.getFieldLength(VALUE);
      } finally {
        cursor.close();
      }
    } catch (HyracksDataException e) {
      throw new BenchmarkException("get", e);
    }
  }

  @Override
  public int scan(byte[] from, int limit, ScanDirection direction) throws BenchmarkException {
    if (direction == ScanDirection.BACKWARD) {
      throw new UnsupportedOperationException("Hyracks' cursors go from low keys to high ones");
    }
    key.of(from);
    try {
      reads.search(cursor, atLeast);
      try {
        int rows = 0;
        while (rows < limit && cursor.hasNext()) {
          cursor.next();
          ITupleReference found = cursor.getTuple();
          take(found, 0);
          take(found, VALUE);
          rows++;
        }
        return rows;
      } finally {
        cursor.close();
      }
    } catch (HyracksDataException e) {
      throw new BenchmarkException("scan", e);
    }
  }

  private void take(ITupleReference tuple, int field) {
    row.take(tuple.getFieldData(field), tuple.getFieldStart(field), tuple.getFieldLength(field));
  }

  @Override
  public RowBuffer row() {
    return row;
  }

  @Override
  public void close() throws BenchmarkException {
    try {
      cursor.destroy();
      reads.destroy();
      writes.destroy();
    } catch (HyracksDataException e) {
      throw new BenchmarkException("close a session", e);
    }
  }
}
