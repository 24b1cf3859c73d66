package dev.varve.simulator.reproduction;

import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.scheduling.SchedulerText;
import dev.varve.simulator.Arrivals;
import dev.varve.simulator.DistinctKeys;
import dev.varve.simulator.EagerSecondaryKeys;
import dev.varve.simulator.KeyModel;
import dev.varve.simulator.SimulatedNode;
import dev.varve.simulator.SimulatedTree;
import dev.varve.simulator.SimulationOptions;
import dev.varve.simulator.TreeStructure;
import dev.varve.simulator.UniformKeys;
import dev.varve.simulator.WriterRules;
import dev.varve.simulator.ZipfKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One run of a figure, at the paper's scale: 100 million records of 1 KB, updated for two hours.
 * Immutable.
 *
 * @param name what the figure calls it
 * @param policy as {@link TreeStructure#parse} reads it
 * @param scheduler as {@link SchedulerText} reads it
 * @param load when writes arrive
 * @param keys which keys are updated
 * @param secondaries secondary indexes under the same policy
 * @param setup the machine, and how long it is watched
 */
record Run(
    String name,
    String policy,
    String scheduler,
    Load load,
    Keys keys,
    Secondaries secondaries,
    Setup setup) {
  /**
   * The paper's machine. Its 100 MB/s are pages of 4 KB, which hold three records of 1 KB each and
   * not four, because a page has a header; so 75 MB/s of them are records.
   */
  static final SimulatedNode NODE =
      new SimulatedNode(
          SimulatedNode.PAPER.memoryBytes(),
          SimulatedNode.PAPER.memoryComponents(),
          SimulatedNode.PAPER.budgetBytesPerSecond() * 3 / 4,
          SimulatedNode.PAPER.recordsPerSecond(),
          SimulatedNode.PAPER.writers(),
          new WriterRules(WriterRules.LimitCounts.ALWAYS, Optional.empty()));

  private static final long RECORDS = 100_000_000;
  private static final int RECORD_BYTES = 1024;

  /**
   * A field of 100 bytes and a primary key of 23, as YCSB makes them, which the experiments are
   * adopted from, and what a B+-tree adds.
   */
  static final int SECONDARY_ENTRY_BYTES = 128;

  /**
   * Secondary indexes.
   *
   * @param count how many
   * @param upkeep how they are maintained
   * @param entryBytes what an entry takes
   */
  record Secondaries(int count, Upkeep upkeep, int entryBytes) {
    static final Secondaries NONE = new Secondaries(0, Upkeep.LAZY, SECONDARY_ENTRY_BYTES);

    KeyModel keys() {
      return switch (upkeep) {
        case LAZY -> new DistinctKeys();
        case EAGER -> new EagerSecondaryKeys(RECORDS);
      };
    }
  }

  /** How secondary indexes are maintained. */
  enum Upkeep {
    /** Entries of old versions stay. */
    LAZY,
    /** The old version is looked up, and antimatter written for its entries. */
    EAGER
  }

  /**
   * Where and how long.
   *
   * @param node the machine
   * @param gate as {@link WriteGates} reads it
   * @param hours how long, 2 in the paper
   */
  record Setup(SimulatedNode node, String gate, int hours) {}

  /** Which keys are updated. */
  enum Keys {
    UNIFORM,
    ZIPF
  }

  /**
   * When writes arrive.
   *
   * @param arrivals as {@link Arrivals#parse} reads it, when {@code of} is empty
   * @param part of the throughput of another run
   * @param of name of that run
   */
  record Load(String arrivals, double part, String of) {}

  /** A run of the testing phase: a closed system. */
  static Run testing(String name, String policy, String scheduler) {
    return new Run(
        name,
        policy,
        scheduler,
        new Load("closed", 0, ""),
        Keys.UNIFORM,
        Secondaries.NONE,
        new Setup(NODE, "stop", 2));
  }

  /** The same with another arrival of writes. */
  Run arriving(String arrivals) {
    return with(new Load(arrivals, 0, ""));
  }

  /** The same under a part of what another run took. */
  Run at(double part, String of) {
    return with(new Load("", part, of));
  }

  private Run with(Load other) {
    return new Run(name, policy, scheduler, other, keys, secondaries, setup);
  }

  /** The same with Zipf keys. */
  Run zipf() {
    return new Run(name, policy, scheduler, load, Keys.ZIPF, secondaries, setup);
  }

  /** The same on another machine. */
  Run on(SimulatedNode other) {
    return with(new Setup(other, setup.gate, setup.hours));
  }

  /** The same with secondary indexes that are maintained lazily. */
  Run withSecondaries(int count) {
    return with(new Secondaries(count, Upkeep.LAZY, SECONDARY_ENTRY_BYTES));
  }

  /** The same with these secondary indexes. */
  Run with(Secondaries others) {
    return new Run(name, policy, scheduler, load, keys, others, setup);
  }

  /** The same behind another gate. */
  Run behind(String gate) {
    return with(new Setup(setup.node, gate, setup.hours));
  }

  private Run with(Setup other) {
    return new Run(name, policy, scheduler, load, keys, secondaries, other);
  }

  /** The same for another time. */
  Run lasting(int other) {
    return with(new Setup(setup.node, setup.gate, other));
  }

  /** The simulation; {@code arrivals} is what {@link #load} has come to. */
  SimulationOptions options(Arrivals arrivals) {
    KeyModel model =
        switch (keys) {
          case UNIFORM -> new UniformKeys(RECORDS);
          case ZIPF -> new ZipfKeys(RECORDS, ZipfKeys.YCSB_SKEW);
        };
    TreeStructure structure = TreeStructure.parse(policy);
    List<SimulatedTree> trees = new ArrayList<>();
    trees.add(new SimulatedTree("primary", RECORDS, RECORD_BYTES, model, structure));
    for (int i = 1; i <= secondaries.count(); i++) {
      trees.add(
          new SimulatedTree(
              "secondary " + i, RECORDS, secondaries.entryBytes(), secondaries.keys(), structure));
    }
    return new SimulationOptions(
        setup.node,
        trees,
        SchedulerText.parse(scheduler),
        WriteGates.parse(setup.gate),
        arrivals,
        new SimulationOptions.Time(
            setup.hours * 3600.0,
            SimulationOptions.Time.PAPER.warmUpSeconds(),
            SimulationOptions.Time.PAPER.windowSeconds()));
  }
}
