package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.disk.BuildPlan;
import dev.varve.common.disk.ComponentBuild;
import dev.varve.common.disk.ComponentStore;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.disk.IndexFiles;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.SystemClock;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.MemoryIndex;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.page.ComponentOptions;
import dev.varve.common.page.Destination;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.SortedRunFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: each rule of reconciliation by deleted keys, by itself. Method: keys like {@code red/1},
 * secondary key and primary key; the test runs flushes and merges when it wants them.
 */
final class DeletedKeysTest {
  private static final Path ROOT = Path.of("/node");

  private final MemoryFileSystem files = new MemoryFileSystem();
  private IndexFixture fixture;

  @BeforeEach
  void open() throws StorageException {
    files.createDirectories(ROOT);
    fixture = new IndexFixture(ROOT, files, SortedRunFormat.withDeletedKeys());
  }

  @AfterEach
  void close() throws StorageException {
    fixture.close();
  }

  private void put(String key) {
    fixture.put(key, "");
  }

  private void assertEntries(String... keys) throws StorageException {
    List<String> expected = new ArrayList<>();
    for (String key : keys) {
      expected.add(key + "=");
    }
    assertEquals(expected, fixture.scan());
    for (String key : keys) {
      assertEquals("", fixture.get(key), key);
    }
  }

  /** States as a reader sees them that tells what is committed. */
  private List<String> states() throws StorageException {
    List<String> states = new ArrayList<>();
    try (LsmCursor cursor = fixture.index.searchStates(IndexFixture.slice(""))) {
      while (cursor.next()) {
        String sign = cursor.entry().antimatter() ? "-" : "+";
        states.add(sign + IndexFixture.text(cursor.entry().key()) + " " + cursor.origin());
      }
    }
    return states;
  }

  private List<Long> deletedKeys() {
    return fixture.index.shape().components().stream().map(ComponentStats::antimatter).toList();
  }

  @Test
  void aDeletionIsACandidateWhileItIsInMemoryAndGoneWhenItIsOnDisk() throws StorageException {
    put("red/1");
    put("red/2");
    fixture.index.flush();
    fixture.delete("red/1");
    assertEquals(List.of("-red/1 MEMORY", "+red/2 DISK"), states());
    assertEntries("red/2");
    fixture.index.flush();
    assertEquals(List.of("+red/2 DISK"), states());
    assertNull(fixture.get("red/1"));
    assertEquals(List.of(0L, 1L), deletedKeys());
  }

  @Test
  void anEntryUnderAnotherKeyIsACandidateToo() throws StorageException {
    put("red/1");
    fixture.index.flush();
    // What a kind does that names a record by its primary key only.
    fixture.delete("1");
    assertEquals(List.of("-1 MEMORY", "-red/1 MEMORY"), states());
    Entry found = new Entry();
    assertEquals(Origin.MEMORY, fixture.index.find(IndexFixture.slice("red/1"), found));
    assertTrue(found.antimatter());
    fixture.index.flush();
    assertEquals(List.of(), states());
    assertEquals(Origin.NOWHERE, fixture.index.find(IndexFixture.slice("red/1"), found));
    fixture.index.compact();
    assertEquals(List.of(0L), deletedKeys());
  }

  @Test
  void whatIsDeletedOnDiskIsNoCandidateHoweverOftenItIsDeletedAgain() throws StorageException {
    put("red/1");
    fixture.index.flush();
    fixture.delete("1");
    fixture.index.flush();
    fixture.delete("1");
    assertEquals(List.of("-1 MEMORY"), states());
  }

  @Test
  void aSealedComponentsDeletedKeysCountAsThoseOfTheWritable() throws StorageException {
    put("red/1");
    fixture.index.flush();
    fixture.queue.leave();
    put("red/2");
    fixture.delete("1");
    fixture.index.seal();
    fixture.delete("2");
    put("blue/1");
    assertEquals(
        List.of("-1 MEMORY", "-2 MEMORY", "+blue/1 MEMORY", "-red/1 MEMORY", "-red/2 MEMORY"),
        states());
    assertEntries("blue/1");
    fixture.queue.runAll();
    fixture.queue.runAtOnce();
    assertEntries("blue/1");
  }

  @Test
  void inOneComponentInsertDeleteInsertLeavesTheLastPlace() throws StorageException {
    put("red/1");
    fixture.delete("red/1");
    put("red/1");
    put("red/2");
    fixture.delete("red/2");
    put("blue/2");
    assertEntries("blue/2", "red/1");
    fixture.index.flush();
    assertEntries("blue/2", "red/1");
    assertEquals(List.of(0L), deletedKeys());
  }

  @Test
  void overAnOlderComponentInsertDeleteInsertLeavesTheLastPlace() throws StorageException {
    put("red/1");
    put("red/2");
    fixture.index.flush();
    fixture.delete("red/1");
    put("red/1");
    fixture.delete("red/2");
    put("blue/2");
    fixture.delete("blue/2");
    put("green/2");
    assertEntries("green/2", "red/1");
    fixture.index.flush();
    assertEntries("green/2", "red/1");
    assertEquals(List.of(0L, 2L), deletedKeys());
    fixture.merge(0, 2);
    assertEntries("green/2", "red/1");
    assertEquals(2, fixture.index.contents().verify());
  }

  @Test
  void aComponentsOwnDeletedKeysDoNotTouchItsEntries() throws StorageException {
    put("red/1");
    fixture.index.flush();
    // An abort: the deletion is undone by putting the entry back, and the deleted key stays.
    fixture.delete("red/1");
    put("red/1");
    assertEquals(List.of("+red/1 MEMORY"), states());
    fixture.index.flush();
    assertEquals(List.of("+red/1 DISK"), states());
    assertEquals(List.of(0L, 1L), deletedKeys());
  }

  @Test
  void anInsertThatIsUndoneLeavesNothingAndDeletesNothingElse() throws StorageException {
    put("red/2");
    fixture.index.flush();
    put("red/1");
    fixture.delete("red/1");
    assertEntries("red/2");
    fixture.index.flush();
    assertEquals(List.of("+red/2 DISK"), states());
  }

  @Test
  void aMergeWithoutTheOldestUnitesDeletedKeysAndOneWithItDropsThem() throws StorageException {
    for (int i = 1; i <= 4; i++) {
      put("red/" + i);
    }
    fixture.index.flush();
    fixture.delete("red/1");
    put("blue/5");
    fixture.index.flush();
    fixture.delete("red/1");
    fixture.delete("red/2");
    fixture.index.flush();
    fixture.delete("blue/5");
    fixture.index.flush();
    assertEquals(List.of(0L, 1L, 2L, 1L), deletedKeys());
    fixture.merge(1, 4);
    assertEquals(List.of(0L, 3L), deletedKeys());
    assertEquals(List.of("1-1", "2-4"), fixture.components());
    // The only entry of the run is gone, the component is there for its deleted keys.
    assertEquals(4, fixture.index.contents().verify());
    assertEntries("red/3", "red/4");
    fixture.reopen();
    assertEntries("red/3", "red/4");
    fixture.merge(0, 2);
    assertEquals(List.of(0L), deletedKeys());
    assertEquals(2, fixture.index.contents().verify());
    assertEntries("red/3", "red/4");
  }

  @Test
  void aSnapshotStaysAsItIsWhileAMergePublishes() throws StorageException {
    put("red/1");
    put("red/2");
    fixture.index.flush();
    fixture.delete("red/1");
    put("blue/1");
    fixture.index.flush();
    List<String> keys = new ArrayList<>();
    try (EntryCursor cursor = fixture.index.search(IndexFixture.slice(""))) {
      assertTrue(cursor.next());
      keys.add(IndexFixture.text(cursor.entry().key()));
      fixture.index.compact();
      fixture.delete("blue/1");
      fixture.index.flush();
      while (cursor.next()) {
        keys.add(IndexFixture.text(cursor.entry().key()));
      }
    }
    assertEquals(List.of("blue/1", "red/2"), keys);
    assertEntries("red/2");
  }

  @Test
  void aMergeBesideAFlushKnowsOnlyItsInputs() throws StorageException {
    put("red/1");
    fixture.index.flush();
    put("red/2");
    fixture.index.flush();
    fixture.queue.leave();
    fixture.merge(0, 2);
    MaintenanceTask merge = fixture.queue.tasks().remove(0);
    fixture.delete("red/1");
    put("blue/1");
    fixture.index.seal();
    fixture.queue.runAll();
    assertEntries("blue/1", "red/2");
    while (!merge.done()) {
      merge.step(1);
    }
    fixture.queue.runAtOnce();
    assertEntries("blue/1", "red/2");
    assertEquals(List.of(0L, 1L), deletedKeys());
    fixture.index.compact();
    assertEquals(2, fixture.index.contents().verify());
  }

  @Test
  void redoOfWhatIsOnDiskDoesNoHarm() throws StorageException {
    String[] log = {"+red/1", "-red/1", "+blue/1", "+red/2", "-blue/1", "+green/1", "-red/2"};
    for (int from = 0; from < log.length; from++) {
      for (int flushAfter = from; flushAfter < log.length; flushAfter++) {
        apply(log, 0, log.length);
        fixture.index.flush();
        apply(log, from, flushAfter);
        fixture.index.flush();
        apply(log, flushAfter, log.length);
        assertEntries("green/1");
        fixture.index.flush();
        assertEntries("green/1");
        fixture.delete("green/1");
      }
    }
  }

  private void apply(String[] log, int from, int to) {
    for (int i = from; i < to; i++) {
      String key = log[i].substring(1);
      fixture.write(IndexFixture.entry(key, "", log[i].charAt(0) == '-'));
    }
  }

  @Test
  void anIndexWithoutDeletionsIsNeverProbed() throws StorageException {
    AtomicInteger views = new AtomicInteger();
    DeletedKeys counting =
        new DeletedKeys(
            new SortedRunFormat(),
            (key, primaryKey) -> {
              views.incrementAndGet();
              return SortedRunFormat.viewPrimaryKey(key, primaryKey);
            });
    fixture.format = SortedRunFormat.withDeletedKeys(counting);
    fixture.reopen();
    for (int i = 0; i < 6; i++) {
      put("red/" + i);
      if (i % 2 == 1) {
        fixture.index.flush();
      }
    }
    put("red/6");
    assertEquals(7, fixture.scan().size());
    assertEquals("", fixture.get("red/0"));
    fixture.index.compact();
    assertEquals(0, views.get());
    fixture.delete("red/6");
    assertEquals(6, fixture.scan().size());
    assertTrue(views.get() > 0);
  }

  @Test
  void memoryOfDeletedKeysCounts() {
    put("red/1");
    long before = fixture.index.state().memoryBytes();
    // Replaces the entry by antimatter, and has its primary key beside.
    fixture.delete("red/1");
    long entry = 64L + "red/1".length();
    assertEquals(before + entry + 64 + "1".length(), fixture.index.state().memoryBytes());
    assertEquals(fixture.index.state().memoryBytes(), fixture.index.stats().memoryBytes());
    assertEquals(fixture.index.state().memoryBytes(), fixture.index.state().memoryUse().bytes());
  }

  @Test
  void aBulkLoadTakesNoAntimatter() throws StorageException {
    try (BulkLoad<Slice> load = fixture.index.newBulkLoad()) {
      Entry antimatter = IndexFixture.entry("red/1", "", true);
      assertThrows(IllegalArgumentException.class, () -> load.add(antimatter));
    }
  }

  @Test
  void aBulkLoadIsDeletedFromAsAnyComponent() throws StorageException {
    try (BulkLoad<Slice> load = fixture.index.newBulkLoad()) {
      load.add(IndexFixture.entry("blue/1", "", false));
      load.add(IndexFixture.entry("red/2", "", false));
      load.finish(-1);
    }
    fixture.delete("blue/1");
    fixture.index.flush();
    assertEntries("red/2");
    fixture.index.compact();
    assertEquals(1, fixture.index.contents().verify());
  }

  @Test
  void deletedKeysInTheOldestComponentAreFoundByVerify() throws StorageException {
    fixture.index.close();
    writeComponent(new ComponentId(1, 1), 1);
    fixture.open();
    CorruptionException found =
        assertThrows(CorruptionException.class, () -> fixture.index.contents().verify());
    assertTrue(found.getMessage().contains("oldest"), found.getMessage());
    fixture.index.destroy();
    fixture.open();
  }

  @Test
  void aWrongNumberOfDeletedKeysIsFoundByVerify() throws StorageException {
    assertVerifyFinds(
        "2 deleted keys, its metadata page says 1", index -> index.verify() + 1, DiskIndex::scan);
  }

  @Test
  void aDeletedKeyThatTheFilterDeniesIsFoundByVerify() throws StorageException {
    assertVerifyFinds(
        "filter denies deleted key",
        DiskIndex::verify,
        index -> {
          Entry other = IndexFixture.entry("never added", "", false);
          EntryCursor keys = index.scan();
          return new EntryCursor() {
            @Override
            public boolean next() throws StorageException {
              return keys.next();
            }

            @Override
            public Entry entry() {
              return other;
            }

            @Override
            public void close() {
              keys.close();
            }
          };
        });
  }

  private interface Ask<T> {
    T of(DiskIndex<Slice> index) throws StorageException;
  }

  private void assertVerifyFinds(String problem, Ask<Long> verify, Ask<EntryCursor> scan)
      throws StorageException {
    put("red/1");
    fixture.index.flush();
    fixture.delete("red/1");
    fixture.index.flush();
    ComponentFormat<Slice> sound = fixture.format;
    DeletedKeys odd = new DeletedKeys(new OddTree(verify, scan), SortedRunFormat::viewPrimaryKey);
    fixture.format = SortedRunFormat.withDeletedKeys(odd);
    fixture.reopen();
    CorruptionException found =
        assertThrows(CorruptionException.class, () -> fixture.index.contents().verify());
    assertTrue(found.getMessage().contains(problem), found.getMessage());
    fixture.format = sound;
    fixture.reopen();
  }

  /** A tree that answers two questions in a test's way. */
  private record OddTree(Ask<Long> verify, Ask<EntryCursor> scan)
      implements ComponentFormat<Slice> {
    private static final SortedRunFormat SOUND = new SortedRunFormat();

    @Override
    public String name() {
      return SOUND.name();
    }

    @Override
    public MemoryIndex<Slice> createMemoryIndex() {
      return SOUND.createMemoryIndex();
    }

    @Override
    public DiskIndexBuilder createBuilder(PageFileWriter file) {
      return SOUND.createBuilder(file);
    }

    @Override
    public DiskIndex<Slice> open(PageFile file, int rootPage) throws StorageException {
      DiskIndex<Slice> index = SOUND.open(file, rootPage);
      return new DiskIndex<>() {
        @Override
        public boolean find(Slice key, Entry found) throws StorageException {
          return index.find(key, found);
        }

        @Override
        public EntryCursor search(Slice lowest) throws StorageException {
          return index.search(lowest);
        }

        @Override
        public EntryCursor scan() throws StorageException {
          return scan.of(index);
        }

        @Override
        public long verify() throws StorageException {
          return verify.of(index);
        }
      };
    }

    @Override
    public boolean descending(Slice predicate) {
      return false;
    }
  }

  private void writeComponent(ComponentId id, int keys) throws StorageException {
    ComponentOptions components =
        new ComponentOptions(4096, 0, 0, 1 << 20, new ComponentOptions.DirectIo(1, false), 0);
    ComponentStore<Slice> store =
        new ComponentStore<>(
            new IndexFiles.Place<>(fixture.directory, fixture.format, 7, 42),
            files,
            fixture.cache,
            new Quarantine(files, new SystemClock(), fixture.directory));
    ComponentBuild<Slice> build =
        store.newBuild(
            id,
            DiskComponents.Membership.NAMES,
            new BuildPlan(components, 0.01, keys, Destination.SYSTEM_CACHE));
    build.add(IndexFixture.entry("red/1", "", false));
    for (int i = 0; i < keys; i++) {
      build.addDeletedKey(IndexFixture.entry("" + i, "", false));
    }
    build.finish(-1, RangeFilter.UNKNOWN);
  }
}
