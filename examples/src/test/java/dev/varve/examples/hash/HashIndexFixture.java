package dev.varve.examples.hash;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.LsmIndexContext;
import dev.varve.common.index.LsmIndexOptions;
import dev.varve.common.index.MemoryComponent;
import dev.varve.common.index.Origin;
import dev.varve.common.index.WriteAheadLog;
import dev.varve.common.maintenance.MaintenanceQueue;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.page.ComponentOptions;
import dev.varve.common.page.PageCache;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A hash index over colours of numbered records, and what it must find. */
final class HashIndexFixture implements AutoCloseable {
  private static final int PAGE_SIZE = 4096;

  /**
   * The entries and the deleted keys take 64 KiB each from the beginning: a memory B+-tree does.
   */
  private static final long MEMORY_BYTES = 160 << 10;

  /** The colour of each record. */
  final TreeMap<Integer, String> model = new TreeMap<>();

  final LsmIndex<KeyRange> index;
  private long lsn;

  HashIndexFixture(Path directory, FileSystem files, MaintenanceQueue queue, MergePolicy policy)
      throws StorageException {
    LsmIndexOptions options =
        new LsmIndexOptions(
            1,
            new ComponentOptions(
                PAGE_SIZE, 0, 0, 1 << 20, new ComponentOptions.DirectIo(1, false), 0),
            0.01,
            2,
            MEMORY_BYTES,
            policy);
    LsmIndexContext context =
        new LsmIndexContext(
            files,
            new PageCache(1 << 18),
            queue,
            new ThreadTaskExecutor(),
            WriteAheadLog.NONE,
            42,
            new Quarantine(files, new SystemClock(), directory));
    index = LsmIndex.open(directory.resolve("hash"), new HashKind(), options, context);
  }

  /** Gives a record a colour, another colour, or with null none. */
  void set(int record, String colour) throws StorageException {
    String before = model.get(record);
    if (before != null) {
      write(entry(before, record).antimatter(true));
    }
    if (colour != null) {
      write(entry(colour, record));
      model.put(record, colour);
    } else {
      model.remove(record);
    }
  }

  private void write(Entry entry) throws StorageException {
    MemoryComponent<KeyRange> component = index.tryEnter();
    while (component == null) {
      index.flush();
      component = index.tryEnter();
    }
    component.put(entry, lsn++);
    component.exit();
  }

  private static Entry entry(String colour, int record) {
    Entry entry = new Entry();
    entry.key().copyOf(HashKind.key(slice(colour), slice("" + record)));
    return entry;
  }

  /** The records with a colour, as the index says. */
  Set<Integer> find(String colour) throws StorageException {
    Set<Integer> records = new TreeSet<>();
    DeletedKeys.PrimaryKeyView view = new HashKind().newPrimaryKeyView();
    try (EntryCursor cursor = index.search(HashKind.entriesOf(slice(colour)))) {
      while (cursor.next()) {
        Slice key = view.viewPrimaryKey(cursor.entry().key(), new Slice());
        records.add(Integer.parseInt(new String(key.toByteArray(), StandardCharsets.UTF_8)));
      }
    }
    return records;
  }

  /** The same for all colours. */
  Map<String, Set<Integer>> findAll(int colours) throws StorageException {
    Map<String, Set<Integer>> found = new TreeMap<>();
    for (int colour = 0; colour < colours; colour++) {
      found.put("colour " + colour, find("colour " + colour));
    }
    return found;
  }

  /** What that must be. */
  Map<String, Set<Integer>> expected(int colours) {
    Map<String, Set<Integer>> expected = new TreeMap<>();
    for (int colour = 0; colour < colours; colour++) {
      expected.put("colour " + colour, new TreeSet<>());
    }
    model.forEach((record, colour) -> expected.get(colour).add(record));
    return expected;
  }

  /** Whether a point lookup finds a record's entry. */
  boolean has(String colour, int record) throws StorageException {
    Entry found = new Entry();
    return index.find(entry(colour, record).key(), found) != Origin.NOWHERE && !found.antimatter();
  }

  private static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    index.close();
  }
}
