package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.RangedComponent;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Goal: an index does what a policy for partitioned levels decides, and refuses what would lose
 * something. Method: decisions written down one by one, on an index of the smallest kind.
 */
final class PartitionedMergeTest {
  private static final Path ROOT = Path.of("/node");

  private final MemoryFileSystem disk = new MemoryFileSystem();
  private final FaultyFileSystem files = new FaultyFileSystem(disk);
  private final IndexFixture fixture;
  private final ScriptedLevels script = new ScriptedLevels();
  private int version;

  PartitionedMergeTest() throws StorageException {
    disk.createDirectories(ROOT);
    disk.forceDirectory(Path.of("/"));
    fixture = new IndexFixture(ROOT, files);
    fixture.index.setMergePolicy(script);
  }

  private void flush(String... keys) throws StorageException {
    version++;
    for (String key : keys) {
      fixture.put(key, version + "x".repeat(1500));
    }
    fixture.index.flush();
  }

  private void decide(Function<PartitionedShape, PartitionedDecision> decision) {
    script.next = decision;
    fixture.index.scheduleMerges();
  }

  private static RangedComponent first(PartitionedShape shape, int level) {
    return shape.level(level).components().get(0);
  }

  /** The keys of the components of a level: {@code a-c d-e}. */
  private String level(int number) {
    List<String> ranges = new ArrayList<>();
    for (DiskComponent<Slice> each : fixture.index.components().disk().level(number).components()) {
      ranges.add(
          IndexFixture.text(each.range().keys().smallest())
              + "-"
              + IndexFixture.text(each.range().keys().largest()));
    }
    return String.join(" ", ranges);
  }

  private List<Integer> levels() {
    return fixture.index.stats().levels();
  }

  private void refused(Function<PartitionedShape, PartitionedDecision> decision)
      throws StorageException {
    List<String> before = fixture.scan();
    assertThrows(IllegalStateException.class, () -> decide(decision));
    assertEquals(before, fixture.scan());
    assertTrue(fixture.index.shape().merging().isEmpty());
    fixture.index.contents().verify();
  }

  @Test
  void aMergeIsCutAtTheSizeOfAComponent() throws StorageException {
    flush("a", "b", "c", "d");
    flush("e", "f", "g");
    decide(ScriptedLevels::allFlushed);
    assertEquals(List.of(0, 3), levels());
    assertEquals("a-c d-f g-g", level(1));
    fixture.reopen();
    assertEquals("a-c d-f g-g", level(1));
    assertEquals(7, fixture.scan().size());
  }

  @Test
  void keysThatMustBeThereAreFoundWithoutTheFiltersOfTheLastLevel() throws StorageException {
    flush("a", "c", "e", "g");
    decide(ScriptedLevels::allFlushed);
    flush("b", "c", "f");
    LookupBatch batch = new LookupBatch();
    batch.expectAll();
    List<String> keys = List.of("a", "b", "c", "d", "e", "f", "g");
    keys.forEach(key -> batch.add(IndexFixture.slice(key)));
    long before = fixture.index.stats().filterProbes();
    fixture.index.findAll(batch);
    assertEquals(keys.size(), fixture.index.stats().filterProbes() - before, "of level 0 alone");
    Entry entry = new Entry();
    StringBuilder found = new StringBuilder();
    for (int i = 0; i < keys.size(); i++) {
      if (batch.isFound(i)) {
        batch.view(i, entry);
      }
      found.append(batch.isFound(i) ? IndexFixture.text(entry.value()).charAt(0) : '-');
    }
    assertEquals("122-121", found.toString());
  }

  @Test
  void aMergeIsCutWhereItWouldOverlapTooMuchOfTheLevelBehind() throws StorageException {
    flush("a", "b", "c", "d", "e", "f", "g", "h", "i");
    decide(ScriptedLevels::allFlushed);
    for (int i = 0; i < 3; i++) {
      decide(shape -> new PartitionedDecision.Move(1, first(shape, 1).number()));
    }
    assertEquals("a-c d-f g-i", level(2));
    script.componentBytes = Long.MAX_VALUE;
    script.overlapBytes = fixture.index.components().disk().level(2).level().bytes() * 2 / 3 - 1;
    flush("aa", "dd", "gg", "hh");
    decide(ScriptedLevels::allFlushed);
    assertEquals("aa-dd gg-hh", level(1));
  }

  @Test
  void aMoveWritesNothingButTheManifest() throws StorageException {
    flush("a", "b");
    decide(shape -> new PartitionedDecision.Move(0, shape.flushed().get(0).number()));
    assertEquals(List.of(0, 1), levels());
    assertEquals(0, fixture.index.stats().merges());
    assertEquals(0, fixture.index.stats().mergedBytes());
    fixture.reopen();
    assertEquals(List.of(0, 1), levels());
  }

  @Test
  void antimatterGoesWhereNoLevelBehindHasAKeyOfTheRangeAndNothingMayBeLeft()
      throws StorageException {
    flush("a", "b");
    decide(ScriptedLevels::allFlushed);
    decide(shape -> new PartitionedDecision.Move(1, first(shape, 1).number()));
    long lsn = fixture.endLsn;
    fixture.delete("a");
    fixture.delete("b");
    fixture.index.flush();
    decide(ScriptedLevels::allFlushed);
    assertEquals(List.of(0, 1, 1), levels());
    decide(shape -> ScriptedLevels.merge(shape, 1, shape.level(1).components()));
    assertEquals(List.of(0), levels());
    assertEquals(List.of(), fixture.scan());
    assertEquals(2, fixture.index.state().newestFlush());
    assertTrue(fixture.index.state().indexLsn() >= lsn);
    fixture.reopen();
    assertEquals(2, fixture.index.state().newestFlush());
    assertTrue(fixture.index.state().indexLsn() >= lsn, "LSN " + fixture.index.state().indexLsn());
    assertEquals(List.of("manifest"), names());
  }

  /** Regression: what the inputs overlap brings antimatter for keys outside of theirs. */
  @Test
  void antimatterOfWhatIsOverlappedStaysAsLongAsItIsNeeded() throws StorageException {
    flush("z");
    decide(ScriptedLevels::allFlushed);
    decide(shape -> new PartitionedDecision.Move(1, first(shape, 1).number()));
    fixture.put("b", "1");
    fixture.delete("z");
    fixture.index.flush();
    decide(ScriptedLevels::allFlushed);
    assertEquals("b-z", level(1));
    fixture.put("c", "1");
    fixture.index.flush();
    decide(ScriptedLevels::allFlushed);
    assertEquals(null, fixture.get("z"));
  }

  @Test
  void antimatterStaysWhereALevelFurtherBehindHasTheKey() throws StorageException {
    flush("a");
    decide(ScriptedLevels::allFlushed);
    decide(shape -> new PartitionedDecision.Move(1, first(shape, 1).number()));
    decide(shape -> new PartitionedDecision.Move(2, first(shape, 2).number()));
    fixture.delete("a");
    fixture.index.flush();
    decide(ScriptedLevels::allFlushed);
    assertEquals(List.of(0, 1, 0, 1), levels());
    assertEquals(null, fixture.get("a"));
  }

  private List<String> names() throws StorageException {
    return disk.list(fixture.directory).stream()
        .map(path -> path.getFileName().toString())
        .toList();
  }

  @Test
  void whatWouldLoseSomethingIsRefused() throws StorageException {
    flush("a", "m");
    decide(ScriptedLevels::allFlushed);
    flush("b");
    flush("b", "c");
    // Without the component of level 1 that overlaps.
    refused(
        shape ->
            new PartitionedDecision.Merge(0, ScriptedLevels.numbers(shape.flushed()), List.of()));
    // The newer of two with a key in common.
    refused(shape -> ScriptedLevels.merge(shape, 0, shape.flushed().subList(1, 2)));
    // Over what overlaps it.
    refused(shape -> new PartitionedDecision.Move(0, shape.flushed().get(0).number()));
    // What is not there, and something twice.
    refused(shape -> new PartitionedDecision.Move(1, 99));
    refused(
        shape ->
            new PartitionedDecision.Merge(
                1, List.of(first(shape, 1).number(), first(shape, 1).number()), List.of()));
  }

  @Test
  void whatIsMergedAlreadyIsNotMergedOnceMore() throws StorageException {
    flush("a");
    fixture.queue.leave();
    decide(ScriptedLevels::allFlushed);
    assertThrows(IllegalStateException.class, () -> decide(ScriptedLevels::allFlushed));
    fixture.queue.runAll();
    assertEquals(List.of(0, 1), levels());
  }

  @Test
  void aManifestThatCannotBeWrittenLeavesEverythingAsItWas() throws StorageException {
    flush("a", "b", "c", "d");
    flush("b", "e");
    List<String> before = fixture.scan();
    fixture.queue.leave();
    for (String plan :
        List.of(
            "create manifest.building 1 EIO",
            "rename manifest.building 1 EIO",
            "forcedir index 3 EIO")) {
      files.setPlan(plan);
      decide(ScriptedLevels::allFlushed);
      assertThrows(DiskException.class, fixture.queue::runAll, plan);
      files.setPlan("");
      assertEquals(List.of(2), levels(), plan);
      assertEquals(before, fixture.scan(), plan);
      fixture.index.contents().verify();
    }
    // Whichever manifest is on disk, what it names is there.
    fixture.queue.tasks().clear();
    fixture.queue.runAtOnce();
    fixture.reopen();
    assertEquals(before, fixture.scan());
    fixture.index.contents().verify();
    fixture.index.compact();
    assertEquals(before, fixture.scan());
  }
}
