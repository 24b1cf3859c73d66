package dev.varve.transaction.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SimulatedCrash;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.transaction.log.Durability;
import dev.varve.transaction.log.LogOptions;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: after a crash at any step of anything, the engine opens with the state after a prefix of
 * the commits that includes all it acknowledged, transactions of many records and lone updates, in
 * every index; and so does it after a crash in the recovery. Method: the tiny engine over the
 * simulated disk; at every operation on the disk several images of what a power loss may leave,
 * each recovered and compared, then written to and opened again; some recoveries are crashed at
 * every step, too.
 */
@Tag("slow")
final class RecoveryCrashTest {
  private static final LogOptions OPTIONS =
      LogOptions.DEFAULTS
          .withSegmentBytes(1024)
          .withMaxRecordBytes(512)
          .withRecycledSegments(1)
          .withBackgroundForceBytes(300);

  private long images;
  private long doubleCrashes;

  @Test
  void everyCrashPointLeavesAPrefixOfTheCommits() throws Exception {
    Seeds.run(
        6,
        seed -> {
          MemoryFileSystem disk = new MemoryFileSystem();
          History[] history = {new History(Map.of())};
          RandomGenerator random = Seeds.random(~seed);
          boolean[] busy = {false};
          disk.onOperation(
              operation -> {
                if (!busy[0]) {
                  busy[0] = true;
                  images(disk, history[0], seed, random);
                  busy[0] = false;
                }
              });
          TinyEngine engine = open(disk, seed);
          history[0].run(engine, seed, 25);
          engine.closeInOrder();
          Map<String, String> closed = engine.state();
          TinyEngine again = open(disk, seed + 1);
          assertEquals(closed, again.state());
          assertEquals(0, again.report.redone(), "nothing to redo after closing in order");
          history[0] = new History(closed);
          history[0].run(again, seed + 1, 15);
        });
    System.out.println(images + " images, " + doubleCrashes + " double crashes");
    assertTrue(images > 7_000);
    assertTrue(doubleCrashes > 1_000);
  }

  private void images(MemoryFileSystem disk, History history, long seed, RandomGenerator random) {
    for (int image = 0; image < 5; image++) {
      MemoryFileSystem crashed = disk.crash(image, random);
      images++;
      String where = "seed " + seed + ", image " + images;
      if (random.nextInt(128) == 0) {
        crashRecoveryEverywhere(crashed, history, seed, random);
      }
      try {
        recoverAndGoOn(crashed, history, seed);
      } catch (StorageException | RuntimeException | AssertionError e) {
        throw new AssertionError(where + ": " + e, e);
      }
    }
  }

  private static void recoverAndGoOn(FileSystem disk, History history, long seed)
      throws StorageException {
    TinyEngine engine = open(disk, seed);
    Map<String, String> state = new TreeMap<>(engine.state());
    history.checkAfterPowerLoss(state);
    TinyEngine.Entry everywhere = new TinyEngine.Entry("after", "crash");
    engine.write(everywhere.key(), everywhere.value(), Durability.POWER_LOSS);
    everywhere.applyTo(state);
    TinyEngine.Entry inOne = new TinyEngine.Entry("after", "alone");
    engine.writeAlone(1, inOne, Durability.POWER_LOSS, () -> {});
    inOne.applyTo(state, 1);
    engine.close();
    TinyEngine again = open(disk, seed);
    assertEquals(state, again.state());
    again.closeInOrder();
  }

  private void crashRecoveryEverywhere(
      MemoryFileSystem crashed, History history, long seed, RandomGenerator random) {
    MemoryFileSystem probe = crashed.crash(1, random);
    long before = probe.operationCount();
    try {
      open(probe, seed);
    } catch (StorageException e) {
      throw new AssertionError(e);
    }
    long steps = probe.operationCount() - before;
    for (long step = 1; step <= steps; step++) {
      MemoryFileSystem stopped = crashed.crash(1, random);
      stopped.crashAt(step);
      try {
        open(stopped, seed);
        throw new AssertionError("no crash at step " + step + " of " + steps);
      } catch (SimulatedCrash expected) {
        // Stopped in the middle of recovery.
      } catch (StorageException e) {
        throw new AssertionError(e);
      }
      MemoryFileSystem twice = stopped.crash(random);
      doubleCrashes++;
      try {
        recoverAndGoOn(twice, history, seed);
      } catch (StorageException | RuntimeException | AssertionError e) {
        throw new AssertionError("recovery crashed at step " + step + ": " + e, e);
      }
    }
  }

  @Test
  void aKilledProcessLosesNothingThatItAcknowledged() throws Exception {
    Seeds.run(
        8,
        seed -> {
          MemoryFileSystem disk = new MemoryFileSystem();
          TinyEngine first = open(disk, seed);
          new History(Map.of()).run(first, seed, 5);
          first.closeInOrder();
          long from = disk.operationCount();
          MemoryFileSystem probe = disk.crash(1, Seeds.random(seed));
          new History(Map.of()).run(open(probe, seed), seed, 25);
          long steps = probe.operationCount();
          assertTrue(from > 0 && steps > 50);
          for (long step = 1; step <= steps; step += 3) {
            MemoryFileSystem killed = disk.crash(1, Seeds.random(seed));
            killed.crashAt(step);
            History history = new History(first.state());
            try {
              history.run(open(killed, seed), seed, 25);
            } catch (SimulatedCrash expected) {
              // The process is gone.
            }
            killed.killProcess();
            history.checkAfterProcessCrash(open(killed, seed).state());
            // The death of the process after it must not take back what was recovered.
            killed.killProcess();
            history.checkAfterProcessCrash(open(killed, seed).state());
          }
        });
  }

  @Test
  void whatRecoveryAcceptedSurvivesThePowerLossAfterIt() throws Exception {
    Seeds.run(
        30,
        seed -> {
          MemoryFileSystem disk = new MemoryFileSystem();
          History history = new History(Map.of());
          history.run(open(disk, seed), seed, 20);
          // The process dies; its last records are in the page cache only.
          disk.killProcess();
          TinyEngine recovered = open(disk, seed);
          history.checkAfterProcessCrash(recovered.state());
          MemoryFileSystem afterPowerLoss = disk.crash(0, Seeds.random(seed));
          assertEquals(recovered.state(), open(afterPowerLoss, seed).state());
        });
  }

  private static TinyEngine open(FileSystem disk, long seed) throws StorageException {
    return new TinyEngine(disk, new SteppedExecutor(new ManualClock(), seed), OPTIONS);
  }
}
