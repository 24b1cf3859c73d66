package dev.varve.dataset.internal.partition;

import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.LsmIndexContext;
import dev.varve.common.index.LsmIndexOptions;
import dev.varve.common.index.MemoryComponent;
import dev.varve.common.index.Origin;
import dev.varve.common.index.WriteAheadLog;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.page.ComponentOptions;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.ManualQueue;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.scheduler.policy.PolicyText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** A B+-tree index alone, over files in memory, whose tasks are in the test's hands. */
final class LevelsFixture implements AutoCloseable {
  static final Path ROOT = Path.of("/node");
  static final Path DIRECTORY = ROOT.resolve("index");

  /** Two levels hold some forty entries of the tests' size, in components of eight or so. */
  static final String CUT = "partitioned-leveling(2, 16k, 4k, 2)";

  final MemoryFileSystem files;
  final ManualQueue queue = new ManualQueue();
  MergePolicy policy;
  LsmIndex<KeyRange> index;
  long endLsn = 100;

  @SuppressWarnings("MustBeClosedChecker") // closed by close
  LevelsFixture(MemoryFileSystem files, String policy) throws StorageException {
    this.files = files;
    this.policy = PolicyText.parse(policy);
    if (!files.exists(ROOT)) {
      files.createDirectories(ROOT);
      files.forceDirectory(Path.of("/"));
    }
    open();
  }

  private void open() throws StorageException {
    WriteAheadLog log =
        new WriteAheadLog() {
          @Override
          public long endLsn() {
            return endLsn;
          }

          @Override
          public void force() {}
        };
    index =
        LsmIndex.open(
            DIRECTORY,
            new BTreeFormat(),
            new LsmIndexOptions(
                3,
                new ComponentOptions(
                    4096, 0, 0, 1 << 20, new ComponentOptions.DirectIo(1, false), 0),
                0.01,
                2,
                1 << 20,
                policy),
            new LsmIndexContext(
                files,
                new PageCache(1 << 20),
                queue,
                new ThreadTaskExecutor(),
                log,
                9,
                new Quarantine(files, new SystemClock(), DIRECTORY)));
  }

  /** Everything unflushed is lost. */
  void reopen() throws StorageException {
    queue.cancelAll();
    index.close();
    open();
  }

  void setPolicy(String text) throws StorageException {
    policy = PolicyText.parse(text);
    index.setMergePolicy(policy);
  }

  void put(String key, String value) {
    write(key, value, false);
  }

  void delete(String key) {
    write(key, "", true);
  }

  private void write(String key, String value, boolean antimatter) {
    Entry entry = new Entry();
    entry.key().copyOf(slice(key));
    entry.value().copyOf(slice(value));
    entry.antimatter(antimatter);
    MemoryComponent<KeyRange> component = index.tryEnter();
    component.put(entry, endLsn);
    endLsn += 40;
    component.exit();
  }

  /** The value of a key; null when it is not there. */
  String get(String key) throws StorageException {
    Entry found = new Entry();
    Origin origin = index.find(slice(key), found);
    return origin == Origin.NOWHERE || found.antimatter() ? null : text(found.value());
  }

  List<String> scan(KeyRange range) throws StorageException {
    List<String> entries = new ArrayList<>();
    try (EntryCursor cursor = index.search(range)) {
      while (cursor.next()) {
        entries.add(text(cursor.entry().key()) + "=" + text(cursor.entry().value()));
      }
    }
    return entries;
  }

  static List<String> entries(SortedMap<String, String> model) {
    List<String> entries = new ArrayList<>();
    for (Map.Entry<String, String> entry : model.entrySet()) {
      entries.add(entry.getKey() + "=" + entry.getValue());
    }
    return entries;
  }

  /** How many components there are at each level, level 0 first. */
  List<Integer> levels() {
    return index.stats().levels();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static Slice slice(String text) {
    return new Slice(bytes(text));
  }

  private static String text(Slice slice) {
    return new String(slice.toByteArray(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws StorageException {
    index.contents().verify();
    queue.cancelAll();
    index.close();
  }
}
