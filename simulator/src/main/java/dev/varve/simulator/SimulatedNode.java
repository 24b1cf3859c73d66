package dev.varve.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * The machine. The defaults are those of On Performance Stability in LSM-based Storage Systems,
 * section 3.1.
 *
 * @param memoryBytes what one set of memory components holds, all trees together
 * @param memoryComponents how many such sets there are; with two, one takes writes while the other
 *     is flushed
 * @param budgetBytesPerSecond what flushes and merges may write together, flushes first
 * @param recordsPerSecond how fast writers fill memory when nothing holds them back
 * @param writers how many writes can be under way at a time: so many see a stall as their own
 *     processing time
 * @param rules what else a write has to wait for
 */
public record SimulatedNode(
    long memoryBytes,
    int memoryComponents,
    long budgetBytesPerSecond,
    double recordsPerSecond,
    int writers,
    WriterRules rules) {
  /** The paper's: 128 MB twice, 100 MB/s, one writer; its memory speed is not printed. */
  public static final SimulatedNode PAPER = new SimulatedNode(128L << 20, 2, 100L << 20, 60_000, 1);

  /** A node whose writers do what the engine's do. */
  public SimulatedNode(
      long memoryBytes,
      int memoryComponents,
      long budgetBytesPerSecond,
      double recordsPerSecond,
      int writers) {
    this(
        memoryBytes,
        memoryComponents,
        budgetBytesPerSecond,
        recordsPerSecond,
        writers,
        WriterRules.ENGINE);
  }

  /** The same with other rules. */
  public SimulatedNode withRules(WriterRules other) {
    return new SimulatedNode(
        memoryBytes, memoryComponents, budgetBytesPerSecond, recordsPerSecond, writers, other);
  }

  /** Reports all problems at once. */
  public SimulatedNode {
    List<String> problems = new ArrayList<>();
    if (memoryBytes < 1) {
      problems.add("memoryBytes " + memoryBytes + " is below 1");
    }
    if (memoryComponents < 1) {
      problems.add("memoryComponents " + memoryComponents + " is below 1");
    }
    if (budgetBytesPerSecond < 1) {
      problems.add("budgetBytesPerSecond " + budgetBytesPerSecond + " is below 1");
    }
    if (!(recordsPerSecond > 0 && recordsPerSecond < Double.POSITIVE_INFINITY)) {
      problems.add("recordsPerSecond " + recordsPerSecond + " is not above 0");
    }
    if (writers < 1) {
      problems.add("writers " + writers + " is below 1");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("node: " + String.join("; ", problems));
    }
  }

  /** The time that one write takes when nothing holds it back. */
  double serviceSeconds() {
    return writers / recordsPerSecond;
  }
}
