package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.SimulatedCrash;
import dev.varve.common.testkit.SortedRunFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Goal: wherever the machine stops, an index comes back as it was after some flush, and not before
 * the last one that was reported done. Method: one script of flushes, merges and a bulk load,
 * crashed at every call that changes the disk, eight disks each; the log is left out, so that only
 * components can bring anything back.
 */
final class LsmIndexCrashTest {
  private static final Path ROOT = Path.of("/node");
  private static final int IMAGES = 8;

  /** States that the script passes, and the last one it was told is durable. */
  private static final class Progress {
    final List<List<String>> states = new ArrayList<>(List.of(List.of()));
    int durable;
  }

  @Test
  void everyCrashLeavesAStateThatAFlushReported() throws StorageException {
    crashEverywhere(new SortedRunFormat());
  }

  @Test
  void everyCrashOfAKindWithDeletedKeysLeavesAStateThatAFlushReported() throws StorageException {
    crashEverywhere(SortedRunFormat.withDeletedKeys());
  }

  private static void crashEverywhere(ComponentFormat<Slice> format) throws StorageException {
    MemoryFileSystem whole = newDisk();
    run(whole, format, new Progress());
    long operations = whole.operationCount();
    assertTrue(operations > 30, "the script does " + operations + " operations");
    for (long crashAt = 1; crashAt <= operations; crashAt++) {
      MemoryFileSystem disk = newDisk();
      disk.crashAt(crashAt);
      Progress progress = new Progress();
      try {
        run(disk, format, progress);
      } catch (SimulatedCrash expected) {
        // The script stops inside this call.
      }
      for (int image = 0; image < IMAGES; image++) {
        String where = "crash at " + crashAt + ", image " + image;
        MemoryFileSystem after = disk.crash(image, new Random(crashAt * IMAGES + image));
        check(after, format, progress, where);
      }
    }
  }

  private static MemoryFileSystem newDisk() throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    disk.createDirectories(ROOT);
    disk.forceDirectory(Path.of("/"));
    return disk;
  }

  private static void run(MemoryFileSystem disk, ComponentFormat<Slice> format, Progress progress)
      throws StorageException {
    IndexFixture fixture = new IndexFixture(ROOT, disk, format);
    try (BulkLoad<Slice> load = fixture.index.newBulkLoad()) {
      load.add(IndexFixture.entry("a", "0", false));
      load.add(IndexFixture.entry("z", "0", false));
      progress.states.add(List.of("a=0", "z=0"));
      load.finish(-1);
    }
    progress.durable = progress.states.size() - 1;
    for (int round = 1; round <= 3; round++) {
      fixture.put("b", "" + round);
      fixture.put("c" + round, "x");
      fixture.delete(round == 2 ? "z" : "c" + (round - 1));
      progress.states.add(fixture.scan());
      fixture.index.flush();
      progress.durable = progress.states.size() - 1;
      if (round == 2) {
        fixture.policy = IndexFixture.mergeRun(1, 3);
        fixture.index.scheduleMerges();
        fixture.policy = IndexFixture.NEVER;
      }
    }
    fixture.index.compact();
    fixture.index.close();
  }

  private static void check(
      MemoryFileSystem disk, ComponentFormat<Slice> format, Progress progress, String where)
      throws StorageException {
    if (!disk.exists(ROOT)) {
      assertEquals(0, progress.durable, where);
      return;
    }
    try (IndexFixture fixture = new IndexFixture(ROOT, disk, format)) {
      List<String> found = fixture.scan();
      List<List<String>> allowed =
          progress.states.subList(progress.durable, progress.states.size());
      assertTrue(allowed.contains(found), () -> where + ": " + found + ", not in " + allowed);
      fixture.index.contents().verify();
      fixture.put("new", "1");
      fixture.index.flush();
      fixture.index.compact();
      assertEquals("1", fixture.get("new"), where);
    }
  }
}
