package dev.varve.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.cluster.ClusterRun.Scale;
import dev.varve.benchmarks.cluster.ClusterRun.Varve;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster of processes from its start until it is stopped, with what a user would type in
 * between. Confined to one thread.
 */
final class RunningCluster implements AutoCloseable {
  /** The usual merge policy: a component of as many bytes is merged no more. */
  static final String PREFIX = "prefix:%d:5";

  private final Varve varve;
  private final Scale scale;
  private final String directory;

  private RunningCluster(Varve varve, Scale scale, String directory) {
    this.varve = varve;
    this.scale = scale;
    this.directory = directory;
  }

  /**
   * Starts a cluster.
   *
   * @param directory where it will be
   */
  @MustBeClosed
  static RunningCluster start(Varve varve, Scale scale, int nodes, String directory)
      throws BenchmarkException {
    assert nodes > 0 : nodes;
    varve.run(
        List.of(
            "cluster",
            "start",
            "--dir",
            directory,
            "--nodes",
            Integer.toString(nodes),
            "--partitions",
            "1",
            "--heap",
            "320m",
            "--budget",
            Long.toString(scale.budgetBytes()),
            "--durability",
            "process_crash"));
    return new RunningCluster(varve, scale, directory);
  }

  /** The ids of its processes. */
  List<Long> processes() throws BenchmarkException {
    List<Long> processes = new ArrayList<>();
    varve
        .run(List.of("cluster", "status", "--dir", directory, "--json"))
        .findValues("pid")
        .forEach(pid -> processes.add(pid.asLong()));
    return processes;
  }

  /**
   * Ingests into a new dataset of tweets.
   *
   * @param policy with {@code %d} for what a memory component holds
   * @return the summary
   */
  JsonNode ingest(long tweets, String indexes, String policy) throws BenchmarkException {
    List<String> arguments = new ArrayList<>(ingestion(tweets));
    arguments.addAll(
        arguments.size() - 1,
        List.of(
            "--index",
            indexes,
            "--memory",
            Long.toString(scale.memoryBytes()),
            "--policy",
            policy.formatted(scale.memoryBytes())));
    return varve.run(arguments);
  }

  /** The command that ingests more of them. */
  List<String> ingestion(long tweets) {
    return List.of("ingest", "--dir", directory, "--tweets", Long.toString(tweets), "--json");
  }

  @Override
  public void close() throws BenchmarkException {
    varve.run(List.of("cluster", "stop", "--dir", directory));
  }
}
