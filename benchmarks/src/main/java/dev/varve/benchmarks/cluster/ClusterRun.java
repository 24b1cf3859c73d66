package dev.varve.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.cluster.ClusterExperiment.Cell;
import dev.varve.benchmarks.cluster.ClusterExperiment.Row;
import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Goes through the runs of an experiment: starts a cluster of processes, ingests, looks at what
 * that took, and stops it. Confined to one thread.
 */
public final class ClusterRun {
  private final Scale scale;
  private final Varve varve;
  private final ToLongFunction<Long> cpuNanos;

  /** Runs a {@code varve} command. */
  @FunctionalInterface
  public interface Varve {
    /**
     * Waits until it ends.
     *
     * @return what it prints with {@code --json}; a null node when it prints nothing
     * @throws BenchmarkException when it fails
     */
    JsonNode run(List<String> arguments) throws BenchmarkException;
  }

  /**
   * How much of the paper's is done.
   *
   * @param records that go to each node
   * @param memoryBytes of the memory components of a node; a component up to as many is merged
   * @param budgetBytes that a node may write in a second
   */
  public record Scale(long records, long memoryBytes, long budgetBytes) {
    /** Refuses what cannot be run. */
    public Scale {
      if (records < 100 || memoryBytes < 1 << 20 || budgetBytes < 1 << 16) {
        throw new IllegalArgumentException(
            "a node wants 100 records, 1 MiB of memory components and 64 KiB/s at least");
      }
    }
  }

  /**
   * A run of experiments.
   *
   * @param cpuNanos processor time that a process has had
   */
  public ClusterRun(Scale scale, Varve varve, ToLongFunction<Long> cpuNanos) {
    this.scale = scale;
    this.varve = varve;
    this.cpuNanos = cpuNanos;
  }

  /** Processor time of a process of this machine; 0 when it is gone. */
  public static long cpuNanos(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .map(Duration::toNanos)
        .orElse(0L);
  }

  /**
   * Does one run.
   *
   * @param directory of the cluster, which is not there yet, and is stopped afterwards
   */
  public Row run(Cell cell, String directory) throws BenchmarkException {
    try (RunningCluster cluster = RunningCluster.start(varve, scale, cell.nodes(), directory)) {
      return ingest(cell, cluster);
    }
  }

  private Row ingest(Cell cell, RunningCluster cluster) throws BenchmarkException {
    List<Long> processes = cluster.processes();
    long before = processes.stream().mapToLong(cpuNanos).sum();
    JsonNode summary =
        cluster.ingest(
            Math.round(scale.records * cell.nodes() * cell.part()), cell.indexes(), cell.policy());
    double seconds = summary.at("/cost/seconds").asDouble();
    long spent = processes.stream().mapToLong(cpuNanos).sum() - before;
    return new Row(
        cell,
        summary.at("/feed/acknowledged").asLong(),
        seconds,
        summary.at("/storage/flushes").asLong(),
        summary.at("/storage/merges").asLong(),
        summary.at("/storage/components").asLong(),
        share(spent, seconds));
  }

  /** What part of all processors a processor time is. */
  static double share(long cpuNanos, double seconds) {
    return cpuNanos / (seconds * 1e9 * Runtime.getRuntime().availableProcessors());
  }
}
