package dev.varve.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.cluster.QueryExperiment.Cell;
import dev.varve.benchmarks.cluster.QueryExperiment.Query;
import dev.varve.benchmarks.cluster.QueryExperiment.Region;
import dev.varve.benchmarks.cluster.QueryExperiment.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Goes through the runs of an experiment with queries: starts a cluster of processes, ingests, asks
 * meanwhile and afterwards, and stops it. All queries of a run go one after the other through one
 * {@code varve shell}, since a process for each would take longer than most of them. Confined to
 * one thread.
 */
public final class QueryRun {
  /** More than any query finds. */
  private static final String ALL = " --limit 1000000 --json";

  /** Asked before anything is measured, so that the shell's code is compiled. */
  private static final int WARMING = 40;

  private final ClusterRun.Scale scale;
  private final Asked asked;
  private final Program program;
  private final Meters meters;

  /**
   * How much is asked.
   *
   * @param queries after an ingestion, and after a compaction; during one they go on until it ends
   * @param seed of what is asked for
   */
  public record Asked(int queries, long seed) {
    /** Refuses what says nothing. */
    public Asked {
      if (queries < 1) {
        throw new IllegalArgumentException("there must be a query");
      }
    }
  }

  /**
   * What is read of the machine.
   *
   * @param cpuNanos processor time that a process has had
   * @param nanoTime time on the clock
   */
  public record Meters(ToLongFunction<Long> cpuNanos, LongSupplier nanoTime) {}

  /** A {@code varve} command that runs beside others. */
  public interface Child extends AutoCloseable {
    /** Whether it has not ended yet. */
    boolean isAlive();

    /** Writes a line to its standard input, and waits for the JSON document that answers it. */
    JsonNode ask(String line) throws BenchmarkException;

    /**
     * Waits for its last JSON document and its end.
     *
     * @throws BenchmarkException when it fails
     */
    JsonNode finish() throws BenchmarkException;

    /** Ends it, where it has not ended. */
    @Override
    void close();
  }

  /** Runs {@code varve} commands, also beside each other. */
  public interface Program extends ClusterRun.Varve {
    /** Starts one. */
    Child start(List<String> arguments) throws BenchmarkException;
  }

  /** A run of experiments. */
  public QueryRun(ClusterRun.Scale scale, Asked asked, Program program, Meters meters) {
    this.scale = scale;
    this.asked = asked;
    this.program = program;
    this.meters = meters;
  }

  /**
   * Does one run.
   *
   * @param directory of the cluster, which is not there yet, and is stopped afterwards
   */
  public Row run(Cell cell, String directory) throws BenchmarkException {
    long records = scale.records() * ClusterExperiment.NODES;
    long before = Math.max(1, Math.round(records * cell.before()));
    assert before < records : cell;
    try (RunningCluster cluster =
            RunningCluster.start(program, scale, ClusterExperiment.NODES, directory);
        Child shell = program.start(List.of("shell", "--write", "--dir", directory))) {
      cluster.ingest(before, cell.index(), RunningCluster.PREFIX);
      Questions questions = Questions.of(cell.kind(), shell::ask, new Random(asked.seed));
      for (int i = 0; cell.asks() && i < WARMING; i++) {
        shell.ask(questions.next().line() + ALL);
      }
      Ingestion ingestion = ingest(cell, cluster, records - before, () -> ask(shell, questions));
      List<Query> queries = new ArrayList<>(ingestion.queries);
      if (cell.compacts()) {
        rest(shell, questions, Region.AFTER, queries);
        program.run(List.of("compact", "--dir", directory, "--json"));
        rest(shell, questions, Region.COMPACTED, queries);
      }
      JsonNode summary = ingestion.summary;
      double seconds = summary.at("/cost/seconds").asDouble();
      return new Row(
          cell,
          summary.at("/feed/acknowledged").asLong(),
          seconds,
          ClusterRun.share(ingestion.cpuNanos, seconds),
          queries);
    }
  }

  private record Ingestion(JsonNode summary, long cpuNanos, List<Query> queries) {}

  /** A query that is asked when it is called for. */
  @FunctionalInterface
  private interface Asking {
    Query ask() throws BenchmarkException;
  }

  private Ingestion ingest(Cell cell, RunningCluster cluster, long tweets, Asking asking)
      throws BenchmarkException {
    List<Long> processes = cluster.processes();
    long spent = -processes.stream().mapToLong(meters.cpuNanos).sum();
    List<Query> queries = new ArrayList<>();
    try (Child ingest = program.start(cluster.ingestion(tweets))) {
      long began = meters.nanoTime.getAsLong();
      while (cell.asks() && ingest.isAlive()) {
        double at = (meters.nanoTime.getAsLong() - began) / 1e9;
        queries.add(asking.ask().in(Region.DURING, at));
      }
      JsonNode summary = ingest.finish();
      spent += processes.stream().mapToLong(meters.cpuNanos).sum();
      return new Ingestion(summary, spent, queries);
    }
  }

  private void rest(Child shell, Questions questions, Region region, List<Query> queries)
      throws BenchmarkException {
    for (int i = 0; i < asked.queries; i++) {
      queries.add(ask(shell, questions).in(region, 0));
    }
  }

  private static Query ask(Child shell, Questions questions) throws BenchmarkException {
    Questions.Question question = questions.next();
    JsonNode answer = shell.ask(question.line() + ALL);
    if (!answer.has("count")) {
      throw new BenchmarkException("no answer to: " + question.line());
    }
    return new Query(
        Region.AFTER,
        question.wanted(),
        answer.get("count").asLong(),
        0,
        answer.get("seconds").asDouble());
  }
}
