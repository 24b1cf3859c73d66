package dev.varve.common.testkit;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.KeyRanges;
import dev.varve.common.format.MemoryIndex;
import dev.varve.common.format.MergeOperator;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import dev.varve.common.page.PageLayout;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The smallest index kind: a sorted map in memory, a sorted run of pages on disk, searched by a
 * lowest key. It lets the wrapper be tested alone, and shows how little a kind must bring.
 *
 * <p>A page's body is a sequence of {@code length of key, length of value, antimatter, key, value};
 * a negative length ends it. The root page repeats the number of the last page of the run.
 */
public final class SortedRunFormat implements ComponentFormat<Slice> {
  private static final byte RUN_PAGE = 1;
  private static final byte ROOT_PAGE = 2;
  private static final int HEADER = 9;

  private final @Nullable DeletedKeys deletedKeys;
  private final @Nullable MergeOperator operator;

  /** Deletions are antimatter. */
  public SortedRunFormat() {
    this(null, null);
  }

  private SortedRunFormat(@Nullable DeletedKeys deletedKeys, @Nullable MergeOperator operator) {
    this.deletedKeys = deletedKeys;
    this.operator = operator;
  }

  /** Deletions are antimatter, and there are operands. */
  public static SortedRunFormat withOperator(MergeOperator operator) {
    return new SortedRunFormat(null, operator);
  }

  @Override
  public @Nullable MergeOperator mergeOperator() {
    return operator;
  }

  /**
   * Deletions are deleted keys: in the key of an entry the primary key follows the first slash; a
   * key without one is a primary key.
   */
  public static SortedRunFormat withDeletedKeys() {
    return withDeletedKeys(new DeletedKeys(new SortedRunFormat(), SortedRunFormat::viewPrimaryKey));
  }

  /** Deletions are deleted keys of a test's own. */
  public static SortedRunFormat withDeletedKeys(DeletedKeys deletedKeys) {
    return new SortedRunFormat(deletedKeys, null);
  }

  /** Points a slice at what follows the first slash. */
  public static Slice viewPrimaryKey(Slice key, Slice primaryKey) {
    int at = key.offset();
    int end = key.offset() + key.length();
    while (at < end && key.bytes()[at] != '/') {
      at++;
    }
    int from = at == end ? key.offset() : at + 1;
    return primaryKey.set(key.bytes(), from, end - from);
  }

  @Override
  public String name() {
    return deletedKeys == null ? "sorted-run" : "sorted-run-deleted-keys";
  }

  @Override
  public @Nullable DeletedKeys deletedKeys() {
    return deletedKeys;
  }

  @Override
  public MemoryIndex<Slice> createMemoryIndex() {
    return new Memory();
  }

  @Override
  public DiskIndexBuilder createBuilder(PageFileWriter file) {
    return new Builder(file);
  }

  @Override
  public DiskIndex<Slice> open(PageFile file, int rootPage) throws StorageException {
    try (PageFile.Page root = file.pin(rootPage)) {
      int first = Bytes.getInt(root.bytes(), root.at() + PageLayout.BODY);
      return new Disk(file, first, rootPage);
    }
  }

  @Override
  public boolean descending(Slice lowest) {
    return false;
  }

  @Override
  public @Nullable KeyRanges<Slice> keyRanges() {
    return deletedKeys == null ? new Ranges() : null;
  }

  /** Found by reading everything; a search has no end but the last key. */
  private static final class Ranges implements KeyRanges<Slice> {
    @Override
    public KeyInterval keys(DiskIndex<Slice> index) throws StorageException {
      Slice smallest = new Slice();
      Slice largest = new Slice();
      try (EntryCursor cursor = index.scan()) {
        for (long i = 0; cursor.next(); i++) {
          largest.copyOf(cursor.entry().key());
          if (i == 0) {
            smallest.copyOf(largest);
          }
        }
      }
      return new KeyInterval(smallest, largest);
    }

    @Override
    public int position(KeyInterval keys, Slice lowest) {
      return keys.largest().compareBytes(lowest) < 0 ? -1 : 0;
    }
  }

  private static final class State {
    private final byte[] value;
    private final boolean antimatter;

    State(byte[] value, boolean antimatter) {
      this.value = value;
      this.antimatter = antimatter;
    }
  }

  private static final class Memory implements MemoryIndex<Slice> {
    private final ConcurrentSkipListMap<byte[], State> map =
        new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    private final AtomicLong bytes = new AtomicLong();

    @Override
    public void put(Entry entry) {
      State state = new State(entry.value().toByteArray(), entry.antimatter());
      bytes.addAndGet(64 + entry.key().length() + entry.value().length());
      map.put(entry.key().toByteArray(), state);
    }

    @Override
    public boolean find(Slice key, Entry found) {
      byte[] bytes = key.toByteArray();
      State state = map.get(bytes);
      if (state != null) {
        found.key().copyOf(key);
        found.value().copyOf(state.value, 0, state.value.length);
        found.antimatter(state.antimatter);
      }
      return state != null;
    }

    @Override
    public EntryCursor search(Slice lowest) {
      return cursor(map.tailMap(lowest.toByteArray(), true).entrySet().iterator());
    }

    @Override
    public EntryCursor scan() {
      return cursor(map.entrySet().iterator());
    }

    private static EntryCursor cursor(Iterator<Map.Entry<byte[], State>> entries) {
      Entry entry = new Entry();
      return new EntryCursor() {
        @Override
        public boolean next() {
          if (!entries.hasNext()) {
            return false;
          }
          Map.Entry<byte[], State> next = entries.next();
          State state = next.getValue();
          entry.key().set(next.getKey(), 0, next.getKey().length);
          entry.value().set(state.value, 0, state.value.length);
          entry.antimatter(state.antimatter);
          return true;
        }

        @Override
        public Entry entry() {
          return entry;
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public long entryCount() {
      return map.size();
    }

    @Override
    public long usedBytes() {
      return bytes.get();
    }
  }

  private static final class Builder implements DiskIndexBuilder {
    private final PageFileWriter file;
    private final byte[] page;
    private final int firstPage;
    private int position = PageLayout.BODY;

    Builder(PageFileWriter file) {
      this.file = file;
      this.page = new byte[file.pageSize()];
      this.firstPage = file.nextPage();
    }

    @Override
    public void add(Entry entry) throws StorageException {
      Slice key = entry.key();
      Slice value = entry.value();
      if (position + HEADER + key.length() + value.length() + Integer.BYTES > page.length) {
        endPage();
      }
      Bytes.putInt(page, position, key.length());
      Bytes.putInt(page, position + 4, value.length());
      page[position + 8] = (byte) (entry.antimatter() ? 1 : 0);
      position += HEADER;
      System.arraycopy(key.bytes(), key.offset(), page, position, key.length());
      position += key.length();
      System.arraycopy(value.bytes(), value.offset(), page, position, value.length());
      position += value.length();
    }

    private void endPage() throws StorageException {
      Bytes.putInt(page, position, -1);
      file.append(RUN_PAGE, page, 1);
      Arrays.fill(page, (byte) 0);
      position = PageLayout.BODY;
    }

    @Override
    public int finish() throws StorageException {
      if (position == PageLayout.BODY && file.nextPage() == firstPage) {
        return 0;
      }
      endPage();
      Bytes.putInt(page, PageLayout.BODY, firstPage);
      return file.append(ROOT_PAGE, page, 1);
    }
  }

  private record Disk(PageFile file, int firstPage, int endPage) implements DiskIndex<Slice> {
    @Override
    public boolean find(Slice key, Entry found) throws StorageException {
      try (EntryCursor cursor = search(key)) {
        if (!cursor.next() || !cursor.entry().key().sameBytes(key)) {
          return false;
        }
        found.copyOf(cursor.entry());
        return true;
      }
    }

    @Override
    public EntryCursor search(Slice lowest) throws StorageException {
      EntryCursor all = scan();
      return new EntryCursor() {
        @Override
        public boolean next() throws StorageException {
          while (all.next()) {
            if (all.entry().key().compareBytes(lowest) >= 0) {
              return true;
            }
          }
          return false;
        }

        @Override
        public Entry entry() {
          return all.entry();
        }

        @Override
        public void close() {
          all.close();
        }
      };
    }

    @Override
    public EntryCursor scan() {
      Entry entry = new Entry();
      return new EntryCursor() {
        private int nextPage = firstPage;
        private byte[] page = Bytes.EMPTY;
        private int position;

        @Override
        public boolean next() throws StorageException {
          while (page.length == 0 || Bytes.getInt(page, position) < 0) {
            if (nextPage == endPage) {
              return false;
            }
            page = file.readUncached(nextPage++, page);
            position = PageLayout.BODY;
          }
          int keyLength = Bytes.getInt(page, position);
          int valueLength = Bytes.getInt(page, position + 4);
          entry.antimatter(page[position + 8] == 1);
          entry.key().set(page, position + HEADER, keyLength);
          entry.value().set(page, position + HEADER + keyLength, valueLength);
          position += HEADER + keyLength + valueLength;
          return true;
        }

        @Override
        public Entry entry() {
          return entry;
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public long verify() throws StorageException {
      long entries = 0;
      Slice last = new Slice();
      try (EntryCursor cursor = scan()) {
        while (cursor.next()) {
          if (entries > 0 && last.compareBytes(cursor.entry().key()) >= 0) {
            throw new CorruptionException(file.name(), -1, "keys out of order at " + last);
          }
          last.copyOf(cursor.entry().key());
          entries++;
        }
      }
      return entries;
    }
  }
}
