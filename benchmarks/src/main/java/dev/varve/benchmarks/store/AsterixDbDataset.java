package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.common.bytes.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.lsm.btree.impls.LSMBTree;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndexAccessor;
import org.apache.hyracks.storage.common.IIndexAccessor;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.apache.hyracks.storage.common.MultiComparator;

/**
 * A primary B+-tree of Hyracks and some secondary ones, kept as AsterixDB's operators keep them: an
 * upsert looks the old record up and takes its entries out. The storage alone: nothing is parsed,
 * locked or logged. Confined to one thread.
 */
public final class AsterixDbDataset implements AutoCloseable {
  /** The primary's part of the memory for writes; the secondaries share the rest. */
  private static final double PRIMARY_MEMORY = 0.6;

  private final AsterixDbNode node;
  private final LSMBTree primary;
  private final AsterixDbSession records;
  private final List<LSMBTree> secondaries = new ArrayList<>();
  private final List<AsterixDbSession> entries = new ArrayList<>();
  private final IIndexAccessor searches;
  private final IIndexCursor cursor;
  private final AsterixDbTuple low = new AsterixDbTuple(1);
  private final AsterixDbTuple high = new AsterixDbTuple(1);
  private final RangePredicate range = new RangePredicate();

  private AsterixDbDataset(AsterixDbNode node, long memoryBytes, int indexes)
      throws HyracksDataException {
    this.node = node;
    long ofPrimary = (long) (memoryBytes * PRIMARY_MEMORY);
    primary = node.openTree("primary", AsterixDbNode.Tree.PRIMARY, node.memory(ofPrimary));
    records = new AsterixDbSession(primary);
    long ofOne = (memoryBytes - ofPrimary) / indexes;
    for (int i = 0; i < indexes; i++) {
      LSMBTree tree =
          node.openTree("secondary-" + i, AsterixDbNode.Tree.SECONDARY, node.memory(ofOne));
      secondaries.add(tree);
      entries.add(new AsterixDbSession(tree));
    }
    searches = secondaries.get(0).createAccessor(NoOpIndexAccessParameters.INSTANCE);
    cursor = searches.createSearchCursor(false);
    MultiComparator order = MultiComparator.create(secondaries.get(0).getComparatorFactories());
    range.reset(low, high, true, false, order, order);
  }

  /** Opens one with so many secondary indexes on a new node; the caller closes it. */
  public static AsterixDbDataset open(AsterixDbNode.Sizes sizes, int indexes)
      throws BenchmarkException {
    AsterixDbNode node = AsterixDbNode.open(sizes, ReadDelay.NONE);
    try {
      return new AsterixDbDataset(node, sizes.memoryBytes(), indexes);
    } catch (HyracksDataException e) {
      node.close();
      throw new BenchmarkException("open", e);
    }
  }

  /**
   * Inserts a record unless its key is there.
   *
   * @param values one for each secondary index
   */
  public void insert(long id, long[] values, byte[] record) throws BenchmarkException {
    if (records.insert(key(id, 0), row(values, record))) {
      for (int i = 0; i < values.length; i++) {
        entries.get(i).insert(key(values[i], id), new byte[0]);
      }
    }
  }

  /** Inserts a record, or replaces the one with its key, in the primary and in every secondary. */
  public void upsert(long id, long[] values, byte[] record) throws BenchmarkException {
    boolean replaces = records.get(key(id, 0)) >= 0;
    long[] old = replaces ? values(records.row().atLeast(0)) : values;
    records.put(key(id, 0), row(values, record));
    for (int i = 0; i < values.length; i++) {
      if (replaces && old[i] != values[i]) {
        entries.get(i).delete(key(old[i], id));
      }
      if (!replaces || old[i] != values[i]) {
        entries.get(i).insert(key(values[i], id), new byte[0]);
      }
    }
  }

  /** Hands on the keys of the records whose first value lies in a range, and reads them. */
  public void search(long from, long to, LongConsumer found) throws BenchmarkException {
    low.of(key(from, 0));
    high.of(key(to, 0));
    LongStream.Builder ids = LongStream.builder();
    try {
      searches.search(cursor, range);
      try {
        while (cursor.hasNext()) {
          cursor.next();
          var tuple = cursor.getTuple();
          ids.add(
              Bytes.getLongBigEndian(tuple.getFieldData(0), tuple.getFieldStart(0) + Long.BYTES));
        }
      } finally {
        cursor.close();
      }
    } catch (HyracksDataException e) {
      throw new BenchmarkException("search", e);
    }
    // As AsterixDB does: sorted, so that lookups go through the primary in its order.
    for (long id : ids.build().sorted().toArray()) {
      if (records.get(key(id, 0)) >= 0) {
        found.accept(id);
      }
    }
  }

  private static byte[] key(long first, long second) {
    byte[] key = new byte[AsterixDbNode.KEY_BYTES];
    Bytes.putLongBigEndian(key, 0, first);
    Bytes.putLongBigEndian(key, Long.BYTES, second);
    return key;
  }

  private static byte[] row(long[] values, byte[] record) {
    byte[] row = new byte[values.length * Long.BYTES + record.length];
    for (int i = 0; i < values.length; i++) {
      Bytes.putLong(row, i * Long.BYTES, values[i]);
    }
    System.arraycopy(record, 0, row, row.length - record.length, record.length);
    return row;
  }

  private long[] values(byte[] row) {
    return IntStream.range(0, secondaries.size())
        .mapToLong(i -> Bytes.getLong(row, i * Long.BYTES))
        .toArray();
  }

  private List<LSMBTree> trees() {
    List<LSMBTree> all = new ArrayList<>(secondaries);
    all.add(primary);
    return all;
  }

  /** Flushes, and waits for merges. */
  public void settle() throws BenchmarkException {
    for (LSMBTree tree : trees()) {
      node.settle(tree);
    }
  }

  /** Makes one component of all, in each tree. */
  public void compact() throws BenchmarkException {
    settle();
    for (LSMBTree tree : trees()) {
      node.run(tree, ILSMIndexAccessor::scheduleFullMerge);
    }
    settle();
  }

  /** Components and bytes of all trees. */
  public StoreFigures figures() {
    int components = trees().stream().mapToInt(tree -> tree.getDiskComponents().size()).sum();
    return new StoreFigures(components, node.diskBytes());
  }

  @Override
  public void close() throws BenchmarkException {
    settle();
    try {
      cursor.destroy();
      searches.destroy();
      records.close();
      for (AsterixDbSession session : entries) {
        session.close();
      }
      for (LSMBTree tree : trees()) {
        tree.deactivate();
      }
    } catch (HyracksDataException e) {
      throw new BenchmarkException("close", e);
    }
    node.close();
  }
}
