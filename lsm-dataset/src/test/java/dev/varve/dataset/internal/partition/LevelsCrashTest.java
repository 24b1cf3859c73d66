package dev.varve.dataset.internal.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.SimulatedCrash;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: wherever the machine stops, an index that is cut by key range comes back as it was after
 * some flush, and not before the last one that was reported done; and it knows which, for the log
 * is read from there. Method: one script of flushes with the merges and moves that they bring, a
 * change of policy in both directions and a compaction, crashed at every call that changes the
 * disk; the log is left out, so that only components can bring anything back.
 */
@Tag("slow")
final class LevelsCrashTest {
  private static final int IMAGES = 4;

  /**
   * What the index held after each flush, none at first.
   *
   * @param indexLsn what it said of the log then
   */
  private record State(List<String> entries, long newestFlush, long indexLsn) {}

  private static final class Progress {
    private final List<State> states = new ArrayList<>(List.of(new State(List.of(), 0, -1)));
    private int durable;
    private int levels;
  }

  @Test
  void everyCrashLeavesAStateThatAFlushReported() throws StorageException {
    MemoryFileSystem whole = newDisk();
    Progress all = new Progress();
    run(whole, all);
    long operations = whole.operationCount();
    System.out.println(operations + " operations, " + all.levels + " levels");
    assertTrue(all.levels >= 4, all.levels + " levels");
    for (long crashAt = 1; crashAt <= operations; crashAt++) {
      MemoryFileSystem disk = newDisk();
      disk.crashAt(crashAt);
      Progress progress = new Progress();
      try {
        run(disk, progress);
      } catch (SimulatedCrash expected) {
        // The script stops inside this call.
      }
      for (int image = 0; image < IMAGES; image++) {
        String where = "crash at " + crashAt + ", image " + image;
        check(disk.crash(image, new Random(crashAt * IMAGES + image)), progress, where);
      }
    }
  }

  private static MemoryFileSystem newDisk() throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    disk.createDirectories(LevelsFixture.ROOT);
    disk.forceDirectory(Path.of("/"));
    return disk;
  }

  @SuppressWarnings("MustBeClosedChecker") // a crash leaves it open
  private static void run(MemoryFileSystem disk, Progress progress) throws StorageException {
    LevelsFixture fixture = new LevelsFixture(disk, "none");
    SortedMap<String, String> model = new TreeMap<>();
    for (int round = 0; round < 16; round++) {
      if (round == 2) {
        fixture.setPolicy(LevelsFixture.CUT);
      } else if (round == 11) {
        fixture.setPolicy("constant(3)");
      } else if (round == 13) {
        fixture.setPolicy("partitioned-leveling(2, 16k, 4k, 2, best)");
      }
      write(fixture, model, round);
      progress.states.add(new State(LevelsFixture.entries(model), round + 1, fixture.endLsn - 1));
      fixture.index.flush();
      progress.durable = progress.states.size() - 1;
      progress.levels = Math.max(progress.levels, fixture.levels().size());
    }
    fixture.index.compact();
    fixture.index.close();
  }

  /** Twelve of sixty keys, and each fourth time only deletions, of which nothing may be left. */
  private static void write(LevelsFixture fixture, SortedMap<String, String> model, int round) {
    for (int i = 0; i < 12; i++) {
      String key = String.format("k%02d", (round * 7 + i * 5) % 60);
      if (round % 4 == 3 || i % 6 == 5) {
        fixture.delete(key);
        model.remove(key);
      } else {
        String value = "r" + round + "x".repeat(600);
        fixture.put(key, value);
        model.put(key, value);
      }
    }
  }

  private static void check(MemoryFileSystem disk, Progress progress, String where)
      throws StorageException {
    for (String policy : List.of(LevelsFixture.CUT, "constant(3)")) {
      MemoryFileSystem copy = disk.crash(0, new Random(1));
      try (LevelsFixture fixture = new LevelsFixture(copy, policy)) {
        State found =
            new State(
                fixture.scan(KeyRange.all()),
                fixture.index.state().newestFlush(),
                fixture.index.state().indexLsn());
        List<State> allowed = progress.states.subList(progress.durable, progress.states.size());
        assertTrue(
            allowed.stream().anyMatch(state -> matches(state, found)),
            () -> where + ": flush " + found.newestFlush + ", LSN " + found.indexLsn);
        fixture.index.contents().verify();
        fixture.put("new", "1");
        fixture.index.flush();
        assertEquals("1", fixture.get("new"), where);
        fixture.index.compact();
        assertEquals("1", fixture.get("new"), where);
      }
    }
  }

  private static boolean matches(State state, State found) {
    return state.entries.equals(found.entries)
        && state.newestFlush == found.newestFlush
        && state.indexLsn >= found.indexLsn
        && state.indexLsn - 60 <= found.indexLsn;
  }
}
