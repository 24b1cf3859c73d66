package dev.varve.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.varve.btree.KeyRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.hyracks.feed.InputSource;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterProcesses;
import dev.varve.hyracks.node.ClusterProcesses.State;
import dev.varve.hyracks.node.ClusterShape;
import dev.varve.hyracks.node.IngestRequest;
import dev.varve.hyracks.node.Ingestion;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.hyracks.node.QueryResult;
import dev.varve.hyracks.operator.ReadRequest;
import dev.varve.hyracks.operator.WriteMode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what a client has in flight ends with an error when a node stands still or a process dies,
 * what was acknowledged is there afterwards, and nothing of the job stays. Method: a controller and
 * two nodes as processes, stopped, continued and killed by signals while a client reads.
 */
@Tag("slow")
@Timeout(300)
final class NodeTroubleTest {
  private static final String DATASET = "records";
  private static final int RECORDS = 20_000;

  private static final DatasetOptions OPTIONS =
      DatasetOptions.of(DATASET, "id")
          .withMemoryBytes(1 << 20)
          .withMergePolicy(MergePolicyOptions.none());

  @TempDir private Path temporary;
  private ClusterProcesses processes;
  private ClusterProcesses.Jvm jvm;

  @BeforeEach
  void start() throws Exception {
    jvm = QuickJvm.in(temporary);
    processes = new ClusterProcesses(temporary.resolve("cluster"));
    processes.start(new ClusterShape(2, 1), EngineOptions.of(temporary), jvm);
    try (Cluster cluster = processes.connect()) {
      cluster.createOrOpenDataset(OPTIONS);
      assertEquals(RECORDS, ingest(cluster, 0, RECORDS));
    }
  }

  @AfterEach
  void end() throws Exception {
    processes.stop();
  }

  /** Stores records with ids from {@code first}, about half a kilobyte each; says how many. */
  private long ingest(Cluster cluster, int first, int records) throws Exception {
    try (Ingestion feed = cluster.ingest(request(first, records))) {
      return feed.result().stored();
    }
  }

  private IngestRequest request(int first, int records) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int id = first; id < first + records; id++) {
      lines.append("{\"id\":%d,\"text\":\"%s\"}\n".formatted(id, "x".repeat(400)));
    }
    Path file = Files.writeString(temporary.resolve("from-" + first), lines);
    InputSource source = new InputSource(List.of(file.toString()), "ndjson");
    return new IngestRequest(DATASET, source, WriteMode.UPSERT, 1);
  }

  private static long count(Cluster cluster) throws Exception {
    return cluster.count(ReadRequest.scan(DATASET, KeyRange.all()));
  }

  private State state(String name) throws Exception {
    return processes.status().stream()
        .filter(member -> member.name().equals(name))
        .map(ClusterProcesses.Member::state)
        .findFirst()
        .orElseThrow();
  }

  private void awaitState(String name, List<State> states) throws Exception {
    while (!states.contains(state(name))) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private void signal(String signal, String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid(name))).start();
    assertEquals(0, kill.waitFor());
  }

  private long pid(String name) throws Exception {
    return processes.status().stream()
        .filter(member -> member.name().equals(name))
        .findFirst()
        .orElseThrow()
        .pid();
  }

  /** Everything is there, readable and writable. */
  private void requireWhole() throws Exception {
    try (Cluster cluster = processes.connect()) {
      assertEquals(RECORDS, count(cluster));
      assertEquals(100, ingest(cluster, RECORDS, 100));
      assertEquals(RECORDS + 100, count(cluster));
      assertEquals(List.of(), cluster.verify(DATASET));
    }
  }

  @Test
  void aNodeThatStandsStillFailsTheJobsThatNeedIt() throws Exception {
    signal("STOP", "node-1");
    try (Cluster cluster = processes.connect()) {
      assertThrows(JobFailedException.class, () -> count(cluster), "its heartbeats are missed");
    }
    awaitState("node-1", List.of(State.UNREGISTERED));
    signal("CONT", "node-1");
    // It learns that it was given up, and ends.
    awaitState("node-1", List.of(State.ENDED));
    processes.restart("node-1", jvm);
    requireWhole();
  }

  @Test
  void aNodeThatStandsStillForAMomentIsWaitedFor() throws Exception {
    signal("STOP", "node-1");
    Thread later =
        new Thread(
            () -> {
              try {
                TimeUnit.SECONDS.sleep(2);
                signal("CONT", "node-1");
              } catch (Exception failure) {
                throw new AssertionError(failure);
              }
            });
    later.start();
    try (Cluster cluster = processes.connect()) {
      assertEquals(RECORDS, count(cluster), "no heartbeat too many is missed");
    }
    later.join();
    requireWhole();
  }

  @Test
  void whatIsReadWhileANodeOrTheControllerDiesFails() throws Exception {
    for (String victim : List.of("node-1", "controller")) {
      try (Cluster cluster = processes.connect();
          QueryResult scan = cluster.read(ReadRequest.scan(DATASET, KeyRange.all()))) {
        assertTrue(scan.next());
        processes.kill(victim);
        assertThrows(
            JobFailedException.class,
            () -> {
              while (scan.next()) {
                assertTrue(scan.record().length() > 0);
              }
            },
            victim);
      }
      processes.restart(victim, jvm);
      assertEquals(State.RUNNING, state(victim));
      try (Cluster cluster = processes.connect()) {
        assertEquals(RECORDS, count(cluster), victim);
      }
      assertEquals(List.of(), results(), "no file of a result stays");
    }
    requireWhole();
  }

  /**
   * A program that runs Java, for {@code node-1} with its directory on a disk of its own, which is
   * small, has a ballast on it, and goes with the process.
   */
  private Path smallDisk() throws Exception {
    String node = temporary.resolve("cluster").resolve("node-1").toString();
    String kept = temporary.resolve("kept").toString();
    Path program = temporary.resolve("java-on-a-small-disk");
    Files.writeString(
        program,
        """
        #!/bin/sh
        case "$*" in
        *"-node-id node-1"*)
          exec unshare -rm sh -c 'cp -a "%1$s" "%2$s" && mount -t tmpfs -o size=56m none "%1$s" &&
            cp -a "%2$s/." "%1$s/" && exec "%3$s" "$@"' sh "$@" ;;
        *) exec "%3$s" "$@" ;;
        esac
        """
            .formatted(node, kept, jvm.java()));
    assertTrue(program.toFile().setExecutable(true));
    return program;
  }

  /** Takes what room is left on a disk, also what its node has given back since. */
  private static void fill(Path ballast) throws IOException {
    byte[] some = new byte[1 << 16];
    try (OutputStream out =
        Files.newOutputStream(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (ballast.toFile().getUsableSpace() > 0) {
        out.write(some);
      }
    } catch (IOException full) {
      // Asked how full it is now, the disk may have room again.
      assertTrue(String.valueOf(full.getMessage()).contains("No space left"), full::toString);
    }
  }

  private static boolean mayMount() throws Exception {
    try {
      Process tried =
          new ProcessBuilder("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt").start();
      return tried.waitFor() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  @Test
  void aFeedWaitsForANodeWhoseDiskIsFullAndGoesOnWhenItHasRoom() throws Exception {
    assumeTrue(mayMount(), "a small disk takes a namespace of mounts");
    processes.kill("node-1");
    processes.restart(
        "node-1", new ClusterProcesses.Jvm(smallDisk().toString(), jvm.classPath(), jvm.heap()));
    Path disk =
        Path.of("/proc", Long.toString(pid("node-1")), "root")
            .resolve(Path.of("/").relativize(temporary.resolve("cluster").resolve("node-1")));
    int more = 60_000;
    try (Cluster cluster = processes.connect();
        Ingestion feed = cluster.ingest(request(RECORDS, more))) {
      long stored;
      do {
        stored = feed.progress().stored();
        fill(disk.resolve("ballast"));
        assertFalse(feed.await(TimeUnit.SECONDS.toNanos(1)), "the feed did not wait");
      } while (feed.progress().stored() > stored);
      assertTrue(stored < more, "the feed did not wait");
      // The other node goes on to answer, and this one to be read.
      assertTrue(count(cluster) >= RECORDS + stored);
      Files.delete(disk.resolve("ballast"));
      assertEquals(more, feed.result().stored());
      assertEquals(RECORDS + more, count(cluster));
      assertEquals(List.of(), cluster.verify(DATASET));
    }
  }

  /** The files of results that stay: a node deletes one a moment after its client has it all. */
  private List<String> results() throws Exception {
    List<String> left = resultsNow();
    for (int look = 0; look < 400 && !left.isEmpty(); look++) {
      TimeUnit.MILLISECONDS.sleep(50);
      left = resultsNow();
    }
    return left;
  }

  /** Files of results that nodes have kept for clients. */
  private List<String> resultsNow() throws Exception {
    Path work = temporary.resolve("cluster").resolve("hyracks");
    try (Stream<Path> files = Files.walk(work)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> work.relativize(file).toString())
          .filter(file -> file.contains("result_"))
          .toList();
    }
  }
}
