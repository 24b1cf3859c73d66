package dev.varve.common.index;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.page.ComponentOptions;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.ManualQueue;
import dev.varve.common.testkit.SortedRunFormat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An index of the smallest kind, whose tasks and log are in the test's hands. */
final class IndexFixture implements AutoCloseable {
  static final MergePolicy NEVER = policy("never", shape -> new MergeDecision.Wait());

  final ManualQueue queue = new ManualQueue();

  /** What the system is said to have for files. */
  long spareBytes = Long.MAX_VALUE;

  final PageCache cache = new PageCache(1 << 20, () -> spareBytes);
  final Path directory;
  final FileSystem files;
  LsmIndex<Slice> index;
  long endLsn;
  long forcedLsn;
  MergePolicy policy = NEVER;
  ComponentFormat<Slice> format;
  long memoryComponentBytes = 1 << 20;

  IndexFixture(Path directory) throws StorageException {
    this(directory, new LocalFileSystem());
  }

  IndexFixture(Path directory, FileSystem files) throws StorageException {
    this(directory, files, new SortedRunFormat());
  }

  IndexFixture(Path directory, FileSystem files, ComponentFormat<Slice> format)
      throws StorageException {
    this.format = format;
    this.directory = directory.resolve("index");
    this.files = files;
    open();
  }

  /** Decides as {@code policy} says now, so that a test can change it while the index is open. */
  private MergePolicy currentPolicy() {
    return policy("the test's", shape -> policy.decide(shape));
  }

  void open() throws StorageException {
    WriteAheadLog log =
        new WriteAheadLog() {
          @Override
          public long endLsn() {
            return endLsn;
          }

          @Override
          public void force() {
            forcedLsn = endLsn;
          }
        };
    LsmIndexOptions options =
        new LsmIndexOptions(
            7,
            new ComponentOptions(4096, 0, 0, 1 << 20, new ComponentOptions.DirectIo(1, false), 0),
            0.01,
            2,
            memoryComponentBytes,
            currentPolicy());
    index =
        LsmIndex.open(
            directory,
            format,
            options,
            new LsmIndexContext(
                files,
                cache,
                queue,
                new ThreadTaskExecutor(),
                log,
                42,
                new Quarantine(files, new SystemClock(), directory)));
  }

  void reopen() throws StorageException {
    index.close();
    open();
  }

  void put(String key, String value) {
    write(entry(key, value, false));
  }

  void delete(String key) {
    write(entry(key, "", true));
  }

  /** Has an operand change what a key has. */
  void mergeOperand(String key, String operand) {
    MemoryComponent<Slice> component = index.tryEnter();
    component.merge(entry(key, operand, false), endLsn);
    endLsn += 40;
    component.exit();
  }

  void write(Entry entry) {
    MemoryComponent<Slice> component = index.tryEnter();
    component.put(entry, endLsn);
    endLsn += 40;
    component.exit();
  }

  /** Merges the components from one position to another, exclusive, oldest first. */
  void merge(int from, int to) {
    MergePolicy rule = mergeRun(from, to);
    policy =
        policy(
            "once",
            shape -> {
              policy = NEVER;
              return rule.decide(shape);
            });
    index.scheduleMerges();
    policy = NEVER;
  }

  String get(String key) throws StorageException {
    Entry found = new Entry();
    Origin origin = index.find(slice(key), found);
    return origin == Origin.NOWHERE || found.antimatter() ? null : text(found.value());
  }

  /** An optimistic read and no other. */
  @Nullable Origin findOptimistically(Slice key, Entry found) {
    return index.findOptimistically(key, KeyHash.hash(key), found);
  }

  List<String> scan() throws StorageException {
    List<String> entries = new ArrayList<>();
    try (EntryCursor cursor = index.search(slice(""))) {
      while (cursor.next()) {
        entries.add(text(cursor.entry().key()) + "=" + text(cursor.entry().value()));
      }
    }
    return entries;
  }

  List<String> components() {
    return index.shape().components().stream().map(c -> c.id().toString()).toList();
  }

  static MergePolicy policy(
      String name, java.util.function.Function<IndexShape, MergeDecision> rule) {
    return new MergePolicy() {
      @Override
      public MergeDecision decide(IndexShape shape) {
        return rule.apply(shape);
      }

      @Override
      public String describe() {
        return name;
      }
    };
  }

  /** Merges components from one position to another, exclusive, once there are so many. */
  static MergePolicy mergeRun(int from, int to) {
    return policy(
        "run " + from + " to " + to,
        shape -> {
          List<ComponentId> ids = shape.components().stream().map(ComponentStats::id).toList();
          return ids.size() < Math.max(to, from + 2) || !shape.merging().isEmpty()
              ? new MergeDecision.Wait()
              : new MergeDecision.Merge(ids.subList(from, to));
        });
  }

  static Entry entry(String key, String value, boolean antimatter) {
    Entry entry = new Entry();
    entry.key().copyOf(slice(key));
    entry.value().copyOf(slice(value));
    return entry.antimatter(antimatter);
  }

  static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  static String text(Slice slice) {
    return new String(slice.toByteArray(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws StorageException {
    index.contents().verify();
    index.close();
  }
}
