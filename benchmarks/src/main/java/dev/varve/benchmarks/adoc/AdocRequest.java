package dev.varve.benchmarks.adoc;

import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Work;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A run that a child is asked for, from an empty directory on.
 *
 * @param node the engine
 * @param scale how small it is
 * @param work the workload, by its label
 */
public record AdocRequest(Node node, AdocScale scale, Work work) {
  /**
   * An engine.
   *
   * @param directory where its files are
   * @param deviceBytesPerSecond of the paper's device
   * @param tuner as {@code TunerText} reads it
   */
  public record Node(Path directory, long deviceBytesPerSecond, String tuner) {}

  /**
   * What came of it.
   *
   * @param measurement of the client that writes; its samples are the course of it
   * @param reads of the thread that only reads, in a second
   * @param heldBack seconds in which writers were held back
   * @param memoryBytes that both memory components had, on average over time
   * @param changes of the tuner
   */
  public record Answer(
      Measurement measurement, double reads, HeldBack heldBack, double memoryBytes, long changes) {
    /** What the table of all comparisons has no column for. */
    String note() {
      return String.format(
              Locale.ROOT,
              "held back %.1f s (memory %.1f, level 0 %.1f, pending %.1f), %.1f MiB of memory, %d"
                  + " changes",
              heldBack.seconds(),
              heldBack.memory,
              heldBack.levelZero,
              heldBack.pendingBytes,
              memoryBytes / (1 << 20),
              changes)
          + (reads > 0 ? String.format(Locale.ROOT, ", %,.0f reads/s", reads) : "");
    }
  }

  /**
   * Seconds in which writers were held back, in the paper's classes.
   *
   * @param memory every memory component was full
   * @param levelZero level 0 had too many components
   * @param pendingBytes too many bytes waited for merges
   */
  public record HeldBack(double memory, double levelZero, double pendingBytes) {
    /** In any class. */
    public double seconds() {
      return memory + levelZero + pendingBytes;
    }
  }
}
