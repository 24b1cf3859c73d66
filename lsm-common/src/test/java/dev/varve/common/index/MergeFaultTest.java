package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: a merge that fails at any call of the file system leaves nothing behind that counts, also
 * not after a power loss. Method: one fault, or several, from the first, second and each further
 * call of a merge on; then a merge that overlaps the failed one, with images of the disk at each of
 * its crash points, and another opening. A component that was sealed and not given back would stand
 * beside what was merged later, and neither would cover the other.
 */
final class MergeFaultTest {
  private static final int FLUSHES = 3;
  private static final int IMAGES = 6;

  private final RandomGenerator random = Seeds.random(Seeds.one(28));

  /** What may fail, in this order; a later step is tried although an earlier one failed. */
  private interface Step {
    void run() throws StorageException;
  }

  @ParameterizedTest
  @CsvSource({
    "any * %1$d EIO, false",
    "any * %1$d EIO, true",
    "any * %1$d EIO; any * %2$d EIO, false",
    "any * %1$d EIO; any * %2$d EIO; any * %3$d EIO, false",
    "forcedir * %1$d EIO; forcedir * %3$d EIO, true",
    "any * %1$d EIO persistent, false",
    "any * %1$d EIO persistent, true",
    "forcedir * %1$d EIO persistent, false",
    "forcedir * %1$d EIO persistent, true",
  })
  void whatFailsAnywhereLeavesNoComponentBehind(String faults, boolean byKeyRange)
      throws StorageException {
    int call = 1;
    while (isWholeAfter(faults.formatted(call, call + 1, call + 2), byKeyRange)) {
      call++;
    }
    assertTrue(call > 1, "no call was there to fail");
  }

  /** Returns false when there are fewer calls than the plan wants to fail. */
  private boolean isWholeAfter(String plan, boolean byKeyRange) throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    FaultyFileSystem files = new FaultyFileSystem(disk);
    List<MemoryFileSystem> images = new ArrayList<>();
    List<String> before;
    boolean reached;
    try (IndexFixture fixture = new IndexFixture(Path.of("/"), files)) {
      fixture.queue.leave();
      for (int i = 0; i < FLUSHES; i++) {
        fixture.put("key " + i, "value");
        flush(fixture);
      }
      before = fixture.scan();
      int faultsBefore = files.faultCount();
      files.setPlan(plan);
      boolean failed = false;
      for (Step step : byKeyRange ? underManifest(fixture) : merge(fixture, 0, 2)) {
        failed |= fails(step);
      }
      files.setPlan("");
      reached = files.faultCount() > faultsBefore;
      disk.onOperation(operation -> addImages(disk, images));
      if (failed) {
        for (Step step : byKeyRange ? underManifest(fixture) : merge(fixture, 1, FLUSHES)) {
          step.run();
        }
      }
      disk.onOperation(null);
      fixture.reopen();
      assertEquals(before, fixture.scan(), plan);
    } finally {
      files.assertNothingOpen();
    }
    for (MemoryFileSystem image : images) {
      try (IndexFixture fixture = new IndexFixture(Path.of("/"), image)) {
        assertEquals(before, fixture.scan(), "after a power loss and " + plan);
      }
    }
    return reached;
  }

  private void addImages(MemoryFileSystem disk, List<MemoryFileSystem> images) {
    for (int image = 0; image < IMAGES; image++) {
      images.add(disk.crash(image, random));
    }
  }

  private static boolean fails(Step step) {
    try {
      step.run();
      return false;
    } catch (StorageException told) {
      return true;
    }
  }

  private static List<Step> merge(IndexFixture fixture, int from, int to) {
    return List.of(() -> fixture.merge(from, to), fixture.queue::runAll);
  }

  /** The first manifest, a flush that publishes under it, and a merge to level 1. */
  private static List<Step> underManifest(IndexFixture fixture) {
    ScriptedLevels levels = new ScriptedLevels();
    return List.of(
        () -> fixture.index.setMergePolicy(levels),
        () -> flush(fixture),
        () -> {
          levels.next = ScriptedLevels::allFlushed;
          fixture.index.scheduleMerges();
        },
        fixture.queue::runAll);
  }

  /**
   * Leaves the same entries behind each time: the index has no log that would bring others back.
   */
  private static void flush(IndexFixture fixture) throws StorageException {
    fixture.put("each", "the same");
    fixture.index.seal();
    fixture.queue.runAll();
  }
}
