package dev.varve.btree;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.bound.KeyBound;
import dev.varve.btree.disk.DiskTree;
import dev.varve.btree.disk.Limits;
import dev.varve.btree.disk.TreeBuilder;
import dev.varve.btree.memory.MemoryTree;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.KeyRanges;
import dev.varve.common.format.Lookup;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.format.MemoryIndex;
import dev.varve.common.format.MergeOperator;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import org.jspecify.annotations.Nullable;

/**
 * The B+-tree as an LSM index: searched by key range. Immutable and thread-safe.
 *
 * <p>Limits: a key has at most {@link #maxKeyBytes} bytes, key and value together at most {@link
 * #maxEntryBytes}. Memory components do not check them, because by then the write is under way: who
 * accepts records refuses longer ones.
 */
public class BTreeFormat implements ComponentFormat<KeyRange> {
  private final @Nullable MergeOperator operator;

  /** The format, without operands. */
  public BTreeFormat() {
    this(null);
  }

  /** The format of a tree among whose values are operands of an operator, if it has one. */
  public BTreeFormat(@Nullable MergeOperator operator) {
    this.operator = operator;
  }

  /** Most bytes of a key on pages of this size: a quarter of a page, at most 32 KiB. */
  public static int maxKeyBytes(int pageSize) {
    return Limits.maxKeyBytes(pageSize);
  }

  /** Most bytes of a key and its value together on pages of this size: nearly 255 pages. */
  public static int maxEntryBytes(int pageSize) {
    return Limits.maxEntryBytes(pageSize);
  }

  @Override
  public String name() {
    return "btree";
  }

  @Override
  public @Nullable MergeOperator mergeOperator() {
    return operator;
  }

  @Override
  public MemoryIndex<KeyRange> createMemoryIndex() {
    return new InMemory();
  }

  @Override
  public DiskIndexBuilder createBuilder(PageFileWriter file) {
    return new TreeBuilder(file);
  }

  @Override
  public DiskIndex<KeyRange> open(PageFile file, int rootPage) throws StorageException {
    return new OnDisk(DiskTree.open(file, rootPage));
  }

  @Override
  public boolean descending(KeyRange predicate) {
    return predicate.direction() == KeyRange.Direction.DESCENDING;
  }

  @Override
  public KeyRanges<KeyRange> keyRanges() {
    return Ranges.INSTANCE;
  }

  /** Components hold the entries from a smallest to a largest key, and are searched by them. */
  private enum Ranges implements KeyRanges<KeyRange> {
    INSTANCE;

    @Override
    public KeyInterval keys(DiskIndex<KeyRange> index) throws StorageException {
      return new KeyInterval(
          firstOf(index, KeyRange.all()), firstOf(index, KeyRange.all().descending()));
    }

    private static Slice firstOf(DiskIndex<KeyRange> index, KeyRange range)
        throws StorageException {
      try (EntryCursor cursor = index.search(range)) {
        if (!cursor.next()) {
          throw new IllegalArgumentException("an index without entries has no keys");
        }
        return new Slice(cursor.entry().key().toByteArray());
      }
    }

    @Override
    public int position(KeyInterval keys, KeyRange range) {
      if (!range.low().admitsFromBelow(keys.largest())) {
        return -1;
      }
      return range.high().admitsFromAbove(keys.smallest()) ? 0 : 1;
    }
  }

  /** The tree in memory, searched by key range. */
  private static final class InMemory extends MemoryTree implements MemoryIndex<KeyRange> {
    @Override
    @MustBeClosed
    public EntryCursor search(KeyRange range) {
      return range.direction() == KeyRange.Direction.ASCENDING
          ? ascending(range.low(), range.high())
          : descending(range.low(), range.high());
    }

    @Override
    @MustBeClosed
    public EntryCursor scan() {
      return ascending(KeyBound.unbounded(), KeyBound.unbounded());
    }
  }

  private static final class OnDisk implements DiskIndex<KeyRange> {
    private final DiskTree tree;

    OnDisk(DiskTree tree) {
      this.tree = tree;
    }

    @Override
    public int prefetch(KeyRange range) {
      KeyBound bound =
          range.direction() == KeyRange.Direction.ASCENDING ? range.low() : range.high();
      return tree.prefetch(bound.key());
    }

    @Override
    public int touchGlance(Slice key) {
      return tree.touchGlance(key);
    }

    @Override
    public Lookup findOptimistically(Slice key, Entry found) {
      return tree.findOptimistically(key, found);
    }

    @Override
    public boolean find(Slice key, Entry found) throws StorageException {
      return tree.find(key, found);
    }

    @Override
    public void findAll(LookupBatch batch) throws StorageException {
      tree.findAll(batch);
    }

    @Override
    @MustBeClosed
    public EntryCursor search(KeyRange range) throws StorageException {
      return range.direction() == KeyRange.Direction.ASCENDING
          ? tree.ascending(range.low(), range.high())
          : tree.descending(range.low(), range.high());
    }

    @Override
    @MustBeClosed
    public EntryCursor scan() {
      return tree.scan();
    }

    @Override
    public long verify() throws StorageException {
      return tree.verify();
    }
  }
}
