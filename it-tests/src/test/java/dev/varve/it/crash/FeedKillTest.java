package dev.varve.it.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.hyracks.feed.FeedName;
import dev.varve.hyracks.feed.FeedPosition;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterProcesses;
import dev.varve.hyracks.node.ClusterShape;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.hyracks.node.QueryResult;
import dev.varve.hyracks.operator.ReadRequest;
import dev.varve.it.cluster.QuickJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a named feed loses and doubles nothing when its client, a node or the controller is killed.
 * Method: a controller, two nodes and the client are processes; in each round the input grows, the
 * client reads it, and at a random record one of the processes is killed and started again. Every
 * key is written several times, so that what was done again, or left out, shows in its version.
 */
final class FeedKillTest {
  private static final String DATASET = "events";
  private static final String FEED = "growing";
  private static final int RECORDS = 15_000;
  private static final int KEYS = 4_000;
  private static final List<String> VICTIMS = List.of("client", "node-1", "controller", "node-0");

  @TempDir private Path temporary;
  private final Map<Long, Long> versions = new HashMap<>();
  private ClusterProcesses processes;
  private ClusterProcesses.Jvm jvm;
  private Path input;
  private long written;
  private int inFlight;

  @BeforeEach
  void start() throws Exception {
    input = temporary.resolve("events.ndjson");
    jvm = QuickJvm.in(temporary);
    processes = new ClusterProcesses(temporary.resolve("cluster"));
    processes.start(new ClusterShape(2, 2), EngineOptions.of(temporary), jvm);
  }

  @AfterEach
  void end() throws Exception {
    processes.stop();
  }

  @Test
  @Timeout(300)
  void nothingIsLostOrDoubledByAKillOfEach() throws Exception {
    killInTurn(3, 17);
  }

  @Test
  @Tag("slow")
  @Timeout(1800) // A round takes 10 to 20 seconds: three JVMs start in it.
  void nothingIsLostOrDoubledByFiftyKills() throws Exception {
    killInTurn(50, 18);
  }

  private void killInTurn(int rounds, long seed) throws Exception {
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < rounds; round++) {
      appendRecords();
      round(VICTIMS.get(round % VICTIMS.size()), random);
      check();
    }
    System.out.println(inFlight + " of " + rounds + " kills came while the feed ran");
    assertTrue(inFlight * 2 >= rounds, "kills came too late to show anything");
  }

  /** Lets the client read what is new, and kills a process meanwhile. */
  private void round(String victim, Random random) throws Exception {
    long wanted = written - RECORDS + random.nextInt(RECORDS / 2);
    ChildIngest client = startClient();
    try {
      awaitStored(client, wanted);
      inFlight += client.runs(1) ? 1 : 0;
      System.out.println("kill " + victim + " behind record " + wanted);
      if (victim.equals("client")) {
        client.kill();
        client = startClient();
      } else {
        processes.kill(victim);
        processes.restart(victim, jvm);
      }
      assertFalse(client.runs(120_000), client::threads);
      assertEquals(0, client.terminate(), client::output);
    } finally {
      client.close();
    }
  }

  private ChildIngest startClient() throws IOException {
    return ChildIngest.start(
        temporary.resolve("client.log"),
        List.of(
            "--dir",
            temporary.resolve("cluster").toString(),
            "--dataset",
            DATASET,
            "--index",
            "version",
            "--feed",
            FEED,
            "--retry",
            "90",
            "--upsert",
            "--memory",
            "1m",
            "--input",
            input.toString()));
  }

  private void awaitStored(ChildIngest client, long records) throws Exception {
    while (client.runs(20) && stored() < records) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private long stored() throws StorageException, JobFailedException {
    try (Cluster cluster = processes.connect()) {
      return cluster.holds(DATASET)
          ? cluster.positions(new FeedName(DATASET, FEED)).stream()
              .mapToLong(FeedPosition::stored)
              .sum()
          : -1;
    }
  }

  private void appendRecords() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < RECORDS; i++) {
      long id = written % KEYS;
      lines.append("{\"id\":%d,\"version\":%d,\"text\":\"".formatted(id, written));
      lines.append("x".repeat(500)).append("\"}\n");
      versions.put(id, written);
      written++;
    }
    Files.writeString(input, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void check() throws Exception {
    ObjectMapper json = new ObjectMapper();
    try (Cluster cluster = processes.connect()) {
      long stored = 0;
      for (FeedPosition position : cluster.positions(new FeedName(DATASET, FEED))) {
        assertEquals(written, position.records(), position::toString);
        assertEquals(0, position.refusals());
        stored += position.stored();
      }
      assertEquals(written, stored, "each record was counted once");
      Map<Long, Long> found = new HashMap<>();
      try (QueryResult records = cluster.scan(DATASET, KeyRange.all())) {
        while (records.next()) {
          var record = json.readTree(records.record().toByteArray());
          found.put(record.get("id").asLong(), record.get("version").asLong());
        }
      }
      assertEquals(versions, found);
      assertEquals(KEYS, cluster.count(ReadRequest.search(DATASET, "version", KeyRange.all())));
      assertEquals(List.of(), cluster.verify(DATASET));
    }
  }
}
