package dev.varve.scheduler.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.scheduler.gate.GateText;
import dev.varve.scheduler.scheduling.SchedulerText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Goal: each kind of tree is read from its policy, and does what it is there for. */
final class TreeStructureTest {
  @Test
  void policiesSayWhichStructureTheyAreFor() {
    assertInstanceOf(TreeStructure.Full.class, TreeStructure.parse("tiering(3)"));
    assertInstanceOf(
        TreeStructure.Partitioned.class, TreeStructure.parse("partitioned-leveling(10)"));
    TreeStructure memory = TreeStructure.parse("blsm(10) from memory");
    assertInstanceOf(TreeStructure.FromMemory.class, memory);
    assertEquals(memory, TreeStructure.parse(memory.describe()));
    assertThrows(IllegalArgumentException.class, () -> TreeStructure.parse("partitioned-levels"));
  }

  /** 10 entries a second arrive; memory holds 100, the merge of it takes what the budget gives. */
  @Test
  void memoryThatIsMergedIsNotFlushedAndComesFreeAsItIs() {
    SimulationResult result = run("blsm(4, 100) from memory", "spring(0.5, 1000)", 10);
    assertEquals(0, result.stalls().seconds(), 1e-9);
    assertEquals(0, result.io().flushedBytes(), 1e-9);
    // At half a component each merge begins, so no more than 100 entries are in memory.
    double onDisk = result.space().endBytes();
    assertTrue(onDisk <= 1000 && onDisk >= 900, "on disk " + onDisk);
    assertEquals(10, result.writeLatency().writes() / 100, 1e-6);
  }

  /** The spring lets through what merges take, and hardly stops writers; without it they stop. */
  @Test
  void aSpringSpreadsOverAllWritesWhatAStopWouldHoldBack() {
    SimulationResult spring = run("blsm(4, 100) from memory", "spring(0.5, 1000)", 90);
    SimulationResult stop = run("blsm(4, 100) from memory", "stop", 90);
    assertTrue(stop.stalls().seconds() > 10, stop.stalls().toString());
    assertTrue(spring.stalls().seconds() < stop.stalls().seconds() / 4, spring.stalls().toString());
    assertTrue(spring.queuedRecords() > 0);
  }

  private static SimulationResult run(String policy, String gate, double rate) {
    return Simulation.run(
        new SimulationOptions(
            new SimulatedNode(
                100,
                2,
                50,
                1000,
                1,
                new WriterRules(WriterRules.LimitCounts.ALWAYS, Optional.empty())),
            List.of(
                new SimulatedTree("tree", 0, 1, new DistinctKeys(), TreeStructure.parse(policy))),
            SchedulerText.parse("gear(350)"),
            GateText.parse(gate),
            Arrivals.constant(rate),
            new SimulationOptions.Time(100, 0, 10)));
  }

  /** 8 writers of 1 ms, and a lookup of 1 ms that doubles while a flush runs. */
  @Test
  void lookupsBoundTheRateMoreWhileTheDeviceIsBusy() {
    WriterRules.Lookup lookup = new WriterRules.Lookup(1e-3, 0.01, 0.5);
    assertEquals(1e-3, lookup.seconds(1), 1e-12);
    assertEquals(1.1e-3, lookup.seconds(11), 1e-12);
    assertEquals(2e-3, lookup.secondsWhileBusy(0), 1e-12);
    SimulationResult result =
        Simulation.run(
            new SimulationOptions(
                new SimulatedNode(
                    1_000_000,
                    2,
                    1_000_000_000,
                    8000,
                    8,
                    new WriterRules(
                        WriterRules.LimitCounts.WHEN_MEMORY_IS_FULL, Optional.of(lookup))),
                List.of(
                    new SimulatedTree(
                        "tree", 0, 1, new DistinctKeys(), TreeStructure.parse("no-merge"))),
                SchedulerText.parse("fair"),
                GateText.parse("stop"),
                Arrivals.closed(),
                new SimulationOptions.Time(100, 0, 10)));
    assertEquals(4000, result.recordsPerSecond(), 10);
    assertThrows(IllegalArgumentException.class, () -> new WriterRules.Lookup(0, 0, 0));
  }
}
