package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.LookupBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the wrapper's rules, one by one. Method: the smallest index kind, tasks stepped by the
 * test.
 */
final class LsmIndexTest {
  @TempDir Path directory;
  private IndexFixture fixture;

  @BeforeEach
  void open() throws StorageException {
    fixture = new IndexFixture(directory);
  }

  @AfterEach
  void verifyAndClose() throws StorageException {
    fixture.queue.runAtOnce();
    fixture.queue.runAll();
    fixture.close();
  }

  @Test
  void theNewestStateOfAKeyCountsAcrossComponents() throws StorageException {
    fixture.put("a", "1");
    fixture.put("b", "1");
    fixture.index.flush();
    fixture.put("a", "2");
    fixture.delete("b");
    fixture.put("c", "2");
    assertEquals(List.of("a=2", "c=2"), fixture.scan());
    fixture.index.flush();
    assertEquals(List.of("a=2", "c=2"), fixture.scan());
    assertEquals("2", fixture.get("a"));
    assertNull(fixture.get("b"));
    assertNull(fixture.get("d"));
  }

  @Test
  void aLookupSaysWhereItFoundTheKey() throws StorageException {
    Entry found = new Entry();
    fixture.put("a", "1");
    assertEquals(Origin.MEMORY, fixture.index.find(IndexFixture.slice("a"), found));
    fixture.index.flush();
    assertEquals(Origin.DISK, fixture.index.find(IndexFixture.slice("a"), found));
    assertEquals(Origin.NOWHERE, fixture.index.find(IndexFixture.slice("b"), found));
    fixture.delete("a");
    assertEquals(Origin.MEMORY, fixture.index.find(IndexFixture.slice("a"), found));
    assertTrue(found.antimatter());
  }

  @Test
  void aLookupLeavesOutComponentsThatItsCallerKnows() throws StorageException {
    for (String key : List.of("a", "b", "c")) {
      fixture.put(key, "1");
      fixture.index.flush();
    }
    fixture.put("d", "1");
    assertEquals("older older c d older", found(2));
    assertEquals("a b c d gone", found(0));
    assertEquals("older older older d older", found(3));
    // What is merged with something unknown is asked again, and then all is.
    fixture.delete("b");
    fixture.index.flush();
    assertEquals("older gone older d older", found(3));
    fixture.index.compact();
    assertEquals("a gone c d gone", found(3));
  }

  /** What is said of a, b, c, d and e by a lookup that leaves out what is known. */
  private String found(long knownFlush) throws StorageException {
    LookupBatch batch = new LookupBatch();
    batch.leaveOut(knownFlush);
    List<String> keys = List.of("a", "b", "c", "d", "e");
    keys.forEach(key -> batch.add(IndexFixture.slice(key)));
    fixture.index.findAll(batch);
    assertEquals(keys.size(), batch.to());
    Entry entry = new Entry();
    StringBuilder found = new StringBuilder();
    for (int i = 0; i < keys.size(); i++) {
      String said = batch.olderLeftOut() ? "older" : "gone";
      if (batch.isFound(i)) {
        batch.view(i, entry);
        said = entry.antimatter() ? "gone" : keys.get(i);
      }
      found.append(i == 0 ? "" : " ").append(said);
    }
    return found.toString();
  }

  @Test
  void componentsKeepHowFarTheirEntriesWereChecked() throws StorageException {
    AtomicLong position = new AtomicLong(1);
    fixture.index.setMergeSieve(
        new MergeSieve() {
          @Override
          public Sifted over(LsmCursor states, long checkedTo) {
            return new Sifted(states, () -> checkedTo + 100);
          }

          @Override
          public long position() {
            return position.get();
          }
        });
    fixture.put("a", "1");
    assertEquals(0, fixture.index.state().checkedTo(), "it was there before the sieve");
    fixture.index.flush();
    position.set(7);
    fixture.put("b", "1");
    fixture.index.flush();
    fixture.put("c", "1");
    assertEquals(0, fixture.index.state().checkedTo());
    fixture.merge(0, 2);
    assertEquals(7, fixture.index.state().checkedTo(), "that of what is in memory");
    fixture.index.compact();
    assertEquals(107, fixture.index.state().checkedTo(), "the least of the inputs, and 100");
  }

  /** A merge that ended while the engine was closed asked for the next one for ever. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aMergeThatTheQueueCancelsIsNotAskedForAgain() throws StorageException {
    for (String value : List.of("1", "2")) {
      fixture.put("a", value);
      fixture.index.flush();
    }
    fixture.queue.refuse();
    fixture.policy = IndexFixture.mergeRun(0, 2);
    fixture.index.scheduleMerges();
    assertEquals(2, fixture.index.shape().components().size());
    assertEquals(List.of(), fixture.index.shape().merging());
    fixture.queue.acceptAgain();
    fixture.policy = IndexFixture.NEVER;
    fixture.merge(0, 2);
    assertEquals(1, fixture.index.shape().components().size());
    assertEquals("2", fixture.get("a"));
  }

  @Test
  void aComponentBehindALargeOneFindsWhatItHolds() throws StorageException {
    int keys = 5_000;
    for (int round = 0; round < 3; round++) {
      // From the second round on components have filters, sized for those before them.
      for (int i = 0; i < keys; i++) {
        if (i % 7 == round) {
          fixture.delete("key " + i);
        } else {
          fixture.put("key " + i, "round " + round);
        }
      }
      for (int i = 0; i < keys; i++) {
        String expected = i % 7 == round ? null : "round " + round;
        assertEquals(expected, fixture.get("key " + i), "key " + i + " in round " + round);
        assertNull(fixture.get("no key " + i));
      }
      fixture.index.seal();
    }
    fixture.put("key 1", "later");
    assertEquals("later", fixture.get("key 1"));
    assertEquals("round 2", fixture.get("key 0"));
    assertNull(fixture.get("key 2"));
  }

  @Test
  void aMemoryComponentHasAFilterWhereReadersAskedTheOneBeforeIt() throws StorageException {
    int keys = 5_000;
    long[] bytes = new long[2];
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < keys; i++) {
        fixture.put("key " + i, "round " + round);
      }
      for (int i = 0; i < round * keys; i++) {
        assertEquals("round 1", fixture.get("key " + i));
      }
      fixture.index.seal();
      fixture.put("key", "first of its component");
      bytes[round] = fixture.index.state().memoryUse().writableBytes();
    }
    assertTrue(bytes[1] >= bytes[0] + keys, bytes[0] + " and then " + bytes[1]);
  }

  @Test
  void aComponentWithAWriterInsideIsNotFlushed() {
    MemoryComponent<Slice> inside = fixture.index.tryEnter();
    inside.put(IndexFixture.entry("a", "1", false), 0);
    fixture.endLsn = 40;
    assertTrue(fixture.index.seal());
    assertEquals(List.of(), fixture.components());
    inside.exit();
    assertEquals(List.of("1-1"), fixture.components());
  }

  @Test
  void aWriterWaitsOutsideWhenAllMemoryComponentsAreFull() throws StorageException {
    fixture.index.close();
    fixture.memoryComponentBytes = 100;
    fixture.open();
    fixture.queue.leave();
    fixture.put("a", "x".repeat(100));
    fixture.put("b", "x".repeat(100));
    assertNull(fixture.index.tryEnter());
    fixture.queue.runAll();
    fixture.put("c", "x");
    assertEquals(3, fixture.scan().size());
  }

  @Test
  void theLogIsForcedBeforeAFlushIsPublished() throws StorageException {
    fixture.put("a", "1");
    assertEquals(0, fixture.forcedLsn);
    fixture.index.flush();
    assertEquals(40, fixture.forcedLsn);
  }

  @Test
  void theComponentLsnIsThatOfItsLastOperation() throws StorageException {
    fixture.put("a", "1");
    fixture.put("b", "1");
    fixture.index.flush();
    assertEquals(40, fixture.index.state().indexLsn());
    fixture.put("c", "1");
    fixture.index.flush();
    assertEquals(80, fixture.index.state().indexLsn());
    fixture.reopen();
    assertEquals(80, fixture.index.state().indexLsn());
  }

  @Test
  void aLateWriterOfASealedComponentDoesNotClaimTheNextComponentsOperations()
      throws StorageException {
    MemoryComponent<Slice> late = fixture.index.tryEnter();
    late.put(IndexFixture.entry("a", "1", false), 0);
    fixture.endLsn = 40;
    fixture.index.seal();
    fixture.put("b", "1"); // LSN 40, in the next component
    late.put(IndexFixture.entry("c", "1", false), 80);
    fixture.endLsn = 120;
    late.exit();
    assertEquals(List.of("1-1"), fixture.components());
    assertEquals(39, fixture.index.state().indexLsn());
    assertEquals(40, fixture.index.state().redoPosition());
  }

  @Test
  void redoStartsAtTheOldestOperationThatIsNotOnDisk() throws StorageException {
    assertEquals(Long.MAX_VALUE, fixture.index.state().redoPosition());
    fixture.put("a", "1");
    assertEquals(0, fixture.index.state().redoPosition());
    fixture.index.flush();
    assertEquals(Long.MAX_VALUE, fixture.index.state().redoPosition());
    fixture.put("b", "1");
    assertEquals(40, fixture.index.state().redoPosition());
  }

  @Test
  void antimatterIsDroppedOnlyWhenTheOldestComponentIsMerged() throws StorageException {
    fixture.put("a", "1");
    fixture.index.flush();
    fixture.put("b", "1");
    fixture.index.flush();
    fixture.delete("a");
    fixture.index.flush();
    fixture.policy = IndexFixture.mergeRun(1, 3);
    fixture.index.scheduleMerges();
    assertEquals(List.of("1-1", "2-3"), fixture.components());
    assertEquals(1, newest().antimatter());
    assertEquals(List.of("b=1"), fixture.scan());
    fixture.policy = IndexFixture.NEVER;
    fixture.index.compact();
    assertEquals(List.of("1-3"), fixture.components());
    assertEquals(0, newest().antimatter());
    assertEquals(1, newest().entries());
  }

  @Test
  void aDeleteThatIsFlushedIntoAnEmptyIndexLeavesNothing() throws StorageException {
    fixture.delete("a");
    fixture.index.flush();
    assertEquals(0, newest().entries());
    assertEquals(0, fixture.index.state().indexLsn());
    fixture.reopen();
    assertEquals(List.of(), fixture.scan());
  }

  @Test
  void readersKeepTheirSnapshotWhileComponentsAreReplaced() throws Exception {
    fixture.put("a", "1");
    fixture.index.flush();
    fixture.put("b", "1");
    fixture.index.flush();
    try (EntryCursor cursor = fixture.index.search(IndexFixture.slice(""))) {
      assertTrue(cursor.next());
      fixture.index.compact();
      assertEquals(3, files().size(), "inputs stay while they are read");
      assertTrue(cursor.next());
      assertEquals("b", IndexFixture.text(cursor.entry().key()));
      assertFalse(cursor.next());
    }
    assertEquals(List.of("c-1-2.lsm"), files());
  }

  @Test
  void aFailedFlushKeepsItsComponentAndCanBeTriedAgain() throws Exception {
    fixture.queue.leave();
    fixture.put("a", "1");
    fixture.index.seal();
    fixture.queue.tasks().remove(0).cancel();
    assertEquals("1", fixture.get("a"));
    assertEquals(List.of(), files());
    fixture.index.retryFlush();
    fixture.queue.runAll();
    assertEquals(List.of("c-1-1.lsm"), files());
    assertEquals("1", fixture.get("a"));
  }

  @Test
  void aCancelledMergeKeepsItsInputs() throws Exception {
    for (int i = 0; i < 10; i++) {
      fixture.put("a" + i, "x".repeat(3000));
    }
    fixture.index.flush();
    fixture.put("b", "1");
    fixture.index.flush();
    fixture.policy = IndexFixture.mergeRun(0, 2);
    fixture.queue.leave();
    fixture.index.scheduleMerges();
    assertEquals(2, fixture.index.shape().merging().size());
    fixture.queue.tasks().get(0).step(1);
    assertFalse(fixture.queue.tasks().get(0).done());
    fixture.queue.tasks().remove(0).cancel();
    assertEquals(List.of(), fixture.index.shape().merging());
    assertEquals(List.of("c-1-1.lsm", "c-2-2.lsm"), files());
  }

  @Test
  void openingMovesWhatACrashLeftAndWhatTookItsPlaceWasReadThrough() throws Exception {
    fixture.put("a", "1");
    fixture.index.flush();
    byte[] first = Files.readAllBytes(fixture.directory.resolve("c-1-1.lsm"));
    fixture.put("b", "1");
    fixture.index.flush();
    fixture.index.compact();
    fixture.index.close();
    Files.write(fixture.directory.resolve("c-1-1.lsm"), first);
    Files.write(fixture.directory.resolve("c-3-3.building"), new byte[100]);
    fixture.open();
    assertEquals(List.of("c-1-2.lsm"), files());
    assertEquals(List.of("a=1", "b=1"), fixture.scan());
  }

  @Test
  void aMissingComponentIsCorruption() throws Exception {
    fixture.put("a", "1");
    fixture.index.flush();
    fixture.put("b", "1");
    fixture.index.flush();
    fixture.index.close();
    Path missing = fixture.directory.resolve("c-1-1.lsm");
    byte[] bytes = Files.readAllBytes(missing);
    Files.delete(missing);
    assertThrows(CorruptionException.class, fixture::open);
    Files.write(missing, bytes);
    fixture.open();
  }

  @Test
  void aComponentUnderAnotherNameIsCorruption() throws Exception {
    fixture.put("a", "1");
    fixture.index.flush();
    fixture.index.close();
    Path right = fixture.directory.resolve("c-1-1.lsm");
    Path wrong = fixture.directory.resolve("c-1-2.lsm");
    Files.move(right, wrong);
    assertThrows(CorruptionException.class, fixture::open);
    Files.move(wrong, right);
    fixture.open();
  }

  @Test
  void aBulkLoadIsSeenWholeOrNotAtAll() throws Exception {
    try (BulkLoad<Slice> load = fixture.index.newBulkLoad()) {
      load.add(IndexFixture.entry("a", "1", false));
      assertEquals(List.of(), fixture.scan());
    }
    assertEquals(List.of(), files());
    try (BulkLoad<Slice> load = fixture.index.newBulkLoad()) {
      load.add(IndexFixture.entry("a", "1", false));
      load.add(IndexFixture.entry("b", "1", false));
      load.finish(-1);
    }
    assertEquals(List.of("a=1", "b=1"), fixture.scan());
    fixture.put("a", "2");
    fixture.index.flush();
    assertEquals(List.of("1-1", "2-2"), fixture.components());
  }

  @Test
  void aBulkLoadRefusesUnsortedInputAndOperationsInMemory() throws Exception {
    try (BulkLoad<Slice> load = fixture.index.newBulkLoad()) {
      load.add(IndexFixture.entry("b", "1", false));
      assertThrows(RequestException.class, () -> load.add(IndexFixture.entry("b", "2", false)));
    }
    fixture.put("a", "1");
    assertThrows(ConflictException.class, () -> fixture.index.newBulkLoad().close());
  }

  @Test
  void aClosedIndexThrows() throws Exception {
    fixture.put("a", "1");
    fixture.index.close();
    assertThrows(IllegalStateException.class, () -> fixture.get("a"));
    assertThrows(IllegalStateException.class, () -> fixture.index.tryEnter());
    assertThrows(IllegalStateException.class, () -> fixture.index.flush());
    fixture.open();
  }

  @Test
  void destroyDeletesTheFiles() throws Exception {
    fixture.put("a", "1");
    fixture.index.flush();
    fixture.index.destroy();
    assertEquals(List.of(), files());
    fixture.open();
  }

  @Test
  void filtersSpareComponentsThatCannotHaveTheKey() throws Exception {
    fixture.put("a", "1");
    fixture.index.flush();
    for (int i = 0; i < 100; i++) {
      assertNull(fixture.get("absent" + i));
    }
    assertTrue(fixture.index.stats().filterSkips() > 90);
    assertNotNull(fixture.get("a"));
  }

  @Test
  void filtersOfFlushesErrLessOftenThanThoseOfMerges() throws Exception {
    fixture.memoryComponentBytes = 64 << 20;
    fixture.reopen();
    for (int flush = 0; flush < 2; flush++) {
      for (int i = 0; i < 15_000; i++) {
        fixture.put("key" + flush + i, "1");
      }
      fixture.index.flush();
    }
    double flushed = falsePositiveRate();
    fixture.merge(0, 2);
    double merged = falsePositiveRate();
    assertEquals(0.002, flushed, 0.001, "a fifth of 0.01");
    assertEquals(0.01, merged, 0.004);
  }

  @Test
  void theOldestFilterIsNotAskedForKeysThatMustBeThere() throws Exception {
    for (String key : List.of("a", "b", "c")) {
      fixture.put(key, "old");
    }
    fixture.index.flush();
    fixture.put("b", "new");
    fixture.index.flush();
    assertEquals(List.of(5L, 2L), probesAndSkips(new LookupBatch()));
    LookupBatch expected = new LookupBatch();
    expected.expectAll();
    assertEquals(List.of(3L, 2L), probesAndSkips(expected));
  }

  /** Of filters, when a, b and c are looked up, of which the newer of two components has b. */
  private List<Long> probesAndSkips(LookupBatch batch) throws StorageException {
    List.of("a", "b", "c").forEach(key -> batch.add(IndexFixture.slice(key)));
    LsmIndexStats before = fixture.index.stats();
    fixture.index.findAll(batch);
    LsmIndexStats after = fixture.index.stats();
    Entry entry = new Entry();
    List<String> found = new ArrayList<>();
    for (int i = 0; i < batch.to(); i++) {
      assertTrue(batch.isFound(i));
      batch.view(i, entry);
      found.add(IndexFixture.text(entry.value()));
    }
    assertEquals(List.of("old", "new", "old"), found);
    return List.of(
        after.filterProbes() - before.filterProbes(), after.filterSkips() - before.filterSkips());
  }

  private double falsePositiveRate() throws Exception {
    LsmIndexStats before = fixture.index.stats();
    for (int i = 0; i < 40_000; i++) {
      assertNull(fixture.get("absent" + i));
    }
    LsmIndexStats after = fixture.index.stats();
    double probes = after.filterProbes() - before.filterProbes();
    return 1 - (after.filterSkips() - before.filterSkips()) / probes;
  }

  private ComponentStats newest() {
    List<ComponentStats> components = fixture.index.shape().components();
    return components.get(components.size() - 1);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> paths = Files.list(fixture.directory)) {
      return paths
          .map(path -> path.getFileName().toString())
          .filter(name -> !name.equals("quarantine"))
          .sorted()
          .toList();
    }
  }
}
