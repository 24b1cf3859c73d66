package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.ConflictException;
import dev.varve.dataset.StorageEngine;
import dev.varve.hyracks.operator.StockJobs;
import java.nio.file.Path;
import java.util.List;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.job.JobSpecification;
import org.apache.hyracks.storage.am.common.ophelpers.IndexOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: Hyracks' own operators, unchanged, create, fill, search and drop our B+-trees. Method: jobs
 * of stock descriptors over (integer, text) tuples on two nodes.
 */
final class StockOperatorsClusterTest {
  private static final List<String> NODES = List.of("node-0", "node-1");

  @TempDir private Path directory;
  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = open();
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private Cluster open() throws Exception {
    return Cluster.start(ClusterOptions.of(directory, new ClusterShape(2, 1)));
  }

  @Test
  void createFillSearchAndDropOurTrees() throws Exception {
    StockJobs jobs = new StockJobs(NODES, "stock/index");
    cluster.run(jobs.create());
    cluster.run(jobs.write(IndexOperation.INSERT, 0, 3000));
    assertEquals(3000, found(jobs.search(0, 100_000)));
    assertEquals(101, found(jobs.search(100, 200)));
    // The stock insert leaves duplicates out, and the stock delete what isn't there.
    cluster.run(jobs.write(IndexOperation.INSERT, 2000, 2000));
    assertEquals(4000, found(jobs.search(0, 100_000)));
    cluster.run(jobs.write(IndexOperation.DELETE, 3500, 1000));
    assertEquals(3500, found(jobs.search(0, 100_000)));
    cluster.run(jobs.lsmWrite(IndexOperation.UPSERT, 3000, 2000));
    assertEquals(5000, found(jobs.search(0, 100_000)));
    ConflictException duplicate =
        assertThrows(
            ConflictException.class,
            () -> cluster.run(jobs.lsmWrite(IndexOperation.INSERT, 10, 1)));
    assertEquals(ConflictException.Reason.DUPLICATE_KEY, duplicate.reason());
    cluster.run(jobs.drop());
    JobFailedException dropped =
        assertThrows(JobFailedException.class, () -> found(jobs.search(0, 10)));
    assertTrue(matches(dropped, ErrorCode.INDEX_DOES_NOT_EXIST), dropped.getMessage());
    for (StorageEngine engine : cluster.engines()) {
      assertEquals(List.of(), engine.names());
    }
  }

  @Test
  void findTheirIndexesAgainAfterARestart() throws Exception {
    StockJobs jobs = new StockJobs(NODES, "stock/kept");
    cluster.run(jobs.create());
    cluster.run(jobs.write(IndexOperation.INSERT, 0, 500));
    cluster.close();
    cluster = open();
    assertEquals(500, found(jobs.search(0, 100_000)));
    // A stock create replaces what is there, and knows of it after a restart too.
    cluster.close();
    cluster = open();
    cluster.run(jobs.create());
    assertEquals(0, found(jobs.search(0, 100_000)));
    for (StorageEngine engine : cluster.engines()) {
      assertEquals(1, engine.names().size());
    }
  }

  @Test
  void loadAnEmptyIndexOnce() throws Exception {
    StockJobs jobs = new StockJobs(NODES, "stock/loaded");
    cluster.run(jobs.create());
    cluster.run(jobs.load(0, 2000));
    assertEquals(2000, found(jobs.search(0, 100_000)));
    ConflictException again =
        assertThrows(ConflictException.class, () -> cluster.run(jobs.load(5000, 10)));
    assertEquals(ConflictException.Reason.NOT_EMPTY, again.reason());
    assertEquals(2000, found(jobs.search(0, 100_000)));
  }

  /** Hyracks' own load would publish what the source had sent when it failed. */
  @Test
  void ourLoadLeavesNothingBehindWhenItsSourceFails() throws Exception {
    StockJobs jobs = new StockJobs(NODES, "own/loaded");
    cluster.run(jobs.create());
    for (int failAt : new int[] {0, 1999, 2999}) {
      assertThrows(JobFailedException.class, () -> cluster.run(jobs.loadSafely(0, 3000, failAt)));
      assertEquals(0, found(jobs.search(0, 100_000)));
    }
    cluster.run(jobs.loadSafely(0, 3000, -1));
    assertEquals(3000, found(jobs.search(0, 100_000)));
    assertThrows(ConflictException.class, () -> cluster.run(jobs.loadSafely(5000, 10, -1)));
    cluster.run(jobs.drop());
  }

  private static boolean matches(Throwable failure, ErrorCode code) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof HyracksDataException hyracks && hyracks.matches(code)) {
        return true;
      }
    }
    return false;
  }

  private long found(JobSpecification job) throws Exception {
    ResultFrames results = cluster.run(job);
    long count = 0;
    while (results.next()) {
      count++;
      assertFalse(results.record().length() == 0);
    }
    return count;
  }
}
