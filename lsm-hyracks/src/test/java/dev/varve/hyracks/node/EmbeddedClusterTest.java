package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.hyracks.operator.DatasetJobs;
import dev.varve.hyracks.operator.TestJobs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hyracks.api.job.JobId;
import org.apache.hyracks.api.job.JobSpecification;
import org.apache.hyracks.control.nc.BaseNCApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the controllers start, run jobs over two nodes, survive failed ones and stop without a
 * trace in the calling thread. Method: applications without storage, jobs without datasets.
 */
final class EmbeddedClusterTest {
  private static final List<String> NODES = List.of("node-0", "node-1");

  private static final class NoStorage extends BaseNCApplication {
    @Override
    protected void installShutdownHook() {}
  }

  @TempDir private Path directory;

  @Test
  void runsJobsOverItsNodesAndGoesOnAfterAFailedOne() throws Exception {
    Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
    List<NoStorage> applications = List.of(new NoStorage(), new NoStorage());
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, applications);
        JobClient client = JobClient.connect(cluster.clientAddress())) {
      assertEquals(before, Thread.currentThread().getUncaughtExceptionHandler());
      assertEquals(10_000, numbers(client).size());
      JobSpecification failing = TestJobs.numbers(NODES, 10_000, 5_000);
      JobFailedException failure =
          assertThrows(JobFailedException.class, () -> client.run(failing));
      assertTrue(failure.getMessage().contains("asked to fail"), failure.getMessage());
      assertEquals(10_000, numbers(client).size());
    }
    List<String> left = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("Timer-")) {
        // One that was not cancelled stands here until the test's limit.
        thread.join();
      }
      if (!thread.isDaemon() && thread != Thread.currentThread()) {
        left.add(thread.getName());
      }
    }
    List<String> ofTheTestRun = List.of("surefire", "junit", "DestroyJavaVM");
    left.removeIf(name -> ofTheTestRun.stream().anyMatch(name::startsWith));
    assertEquals(List.of(), left, "threads that would keep the JVM alive");
  }

  private static Set<Long> numbers(JobClient client) throws Exception {
    JobSpecification job = TestJobs.numbers(NODES, 10_000, -1);
    JobId id = client.run(job);
    ResultFrames results = client.results(id, DatasetJobs.RESULT, job.getFrameSize());
    Set<Long> keys = new TreeSet<>();
    while (results.next()) {
      keys.add(new KeyDecoder().reset(results.key()).readLong());
    }
    return keys;
  }
}
