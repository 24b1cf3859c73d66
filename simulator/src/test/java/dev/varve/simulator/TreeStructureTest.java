package dev.varve.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.scheduler.admission.WriteGates;
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

  /** 500,000 entries of a byte arrive; memory holds 100,000 of them, merged and not. */
  @Test
  void memoryThatIsMergedIsNotFlushedAndComesFreeAsItIs() {
    SimulationResult result = run("blsm(4, 100000) from memory", "spring(0.5, 1000000)", 5000);
    assertEquals(0, result.stalls().seconds(), 1e-9);
    assertEquals(0, result.io().flushedBytes(), 1e-9);
    double onDisk = result.space().endBytes();
    assertTrue(onDisk <= 500_000 && onDisk >= 400_000, "on disk " + onDisk);
    assertEquals(500_000, result.writeLatency().writes() + result.queuedRecords(), 1e-3);
  }

  private static SimulationResult run(String policy, String gate, double rate) {
    return Simulation.run(
        new SimulationOptions(
            new SimulatedNode(
                100_000,
                2,
                50_000,
                1_000_000,
                1,
                new WriterRules(WriterRules.LimitCounts.ALWAYS, Optional.empty())),
            List.of(
                new SimulatedTree("tree", 0, 1, new DistinctKeys(), TreeStructure.parse(policy))),
            SchedulerText.parse("gear(350000)"),
            WriteGates.parse(gate),
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
                WriteGates.parse("stop"),
                Arrivals.closed(),
                new SimulationOptions.Time(100, 0, 10)));
    assertEquals(4000, result.recordsPerSecond(), 10);
    assertThrows(IllegalArgumentException.class, () -> new WriterRules.Lookup(0, 0, 0));
  }
}
