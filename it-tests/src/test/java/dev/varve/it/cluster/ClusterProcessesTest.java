package dev.varve.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.varve.cli.VarveCommand;
import dev.varve.it.cli.CommandRun;
import dev.varve.tweets.TweetField;
import dev.varve.tweets.TweetGenerator;
import dev.varve.tweets.TweetPredicate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a cluster of three processes takes, finds and keeps what one in a single process does, also
 * when a node is killed and started again, with partitions and logs in directories of their own.
 * Method: the commands, as people use them, on a controller and two nodes with small heaps; counts
 * are the generator's predictions.
 */
@Tag("slow")
final class ClusterProcessesTest {
  private static final long SEED = 31;
  private static final int TWEETS = 4000;

  @TempDir private Path temporary;
  private String directory = "";

  @BeforeEach
  void start() {
    System.out.println("seed " + SEED);
    directory = temporary.resolve("cluster").toString();
    String places =
        " --directories %s,%s --log-directory %s".formatted(disk("0"), disk("1"), disk("log"));
    JsonNode started =
        good("cluster start --nodes 2 --partitions 2 --heap 192m" + places).at("/processes");
    assertEquals(3, started.size());
    started.forEach(each -> assertEquals("RUNNING", each.at("/state").asText()));
  }

  private Path disk(String name) {
    return temporary.resolve("disk-" + name);
  }

  @AfterEach
  void end() {
    CommandRun.of(words("cluster stop"));
  }

  private String[] words(String line) {
    return (line + " --json --dir " + directory).split(" ");
  }

  private JsonNode good(String line) {
    return CommandRun.good(words(line)).json();
  }

  private void silent(String line) {
    assertEquals("", CommandRun.good(words(line)).out());
  }

  private long ingest(int tweets) {
    return good("ingest --seed " + SEED + " --memory 2m --tweets " + tweets)
        .at("/feed/acknowledged")
        .asLong();
  }

  private long count() {
    return good("query --range : --count").at("/count").asLong();
  }

  @Test
  void aNodeThatWasKilledComesBackWithAllThatWasAcknowledged() {
    assertEquals(TWEETS, ingest(TWEETS));
    assertEquals(TWEETS, count());
    long expected =
        new TweetPredicate(TweetField.FOLLOWERS, 100, 4000).count(new TweetGenerator(SEED), TWEETS);
    assertTrue(expected > 0);
    assertEquals(
        expected,
        good("query --by user.followers_count --range 100:4000 --count").at("/count").asLong());

    readsAsAClusterElsewhere(expected);

    silent("cluster kill-node node-1");
    CommandRun status = CommandRun.of(words("cluster status"));
    assertEquals(1, status.exitCode());
    assertEquals(List.of("RUNNING", "RUNNING", "ENDED"), states(status.json()));
    CommandRun refused = CommandRun.of(words("query --range : --count"));
    assertEquals(1, refused.exitCode(), refused::toString);

    silent("cluster restart-node node-1");
    assertEquals(List.of("RUNNING", "RUNNING", "RUNNING"), states(good("cluster status")));
    assertEquals(TWEETS, count());
    // An ingest goes on above the highest id, on nodes of all ages.
    assertEquals(500, ingest(500));
    assertEquals(TWEETS + 500, count());
    assertTrue(good("verify").at("/clean").asBoolean());
    assertEquals(5, good("stats").at("/indexes").size());
    assertTrue(good("compact").at("/componentsAfter").asLong() > 0);

    CommandRun twice = CommandRun.of(words("cluster start"));
    assertEquals(1, twice.exitCode());
    assertTrue(twice.err().contains("runs already"), twice::err);
    assertEquals(2, CommandRun.of(words("cluster kill-node node-7")).exitCode());

    silent("cluster stop");
    assertNotEquals(0, CommandRun.of(words("cluster status")).exitCode());
    CommandRun other = CommandRun.of(words("cluster start --directories " + disk("9")));
    assertEquals(1, other.exitCode());
    assertTrue(other.err().contains("and not partitions in [" + disk("9")), other::err);
    for (String root : List.of("0/node-0/data", "1/node-1/data", "log/node-1/log")) {
      assertTrue(Files.isDirectory(disk(root)), root);
    }
    // The same store, in one process.
    assertEquals(TWEETS + 500, count());
    assertTrue(good("verify").at("/clean").asBoolean());
  }

  @Test
  void aThirdNodeTakesItsPartAlsoWhenTheRebalancingIsKilled() throws Exception {
    assertEquals(TWEETS, ingest(TWEETS));
    CommandRun running = CommandRun.of(words("cluster rebalance --nodes 3"));
    assertEquals(1, running.exitCode());
    assertTrue(running.err().contains("runs already"), running::err);
    silent("cluster stop");

    killInTheMiddle("cluster rebalance --nodes 3");
    CommandRun early = CommandRun.of(words("cluster start"));
    assertEquals(1, early.exitCode());
    assertTrue(early.err().contains("is being rebalanced to 3 nodes"), early::err);
    JsonNode done = good("cluster rebalance --nodes 3").at("/result");
    assertEquals(1, done.at("/partitions").asInt());

    assertEquals(4, good("cluster start --heap 192m").at("/processes").size());
    JsonNode nodes = good("stats").at("/nodes");
    assertEquals(3, nodes.size());
    assertTrue(nodes.at("/2/engine/log/endLsn").asLong() > 0, nodes::toString);
    assertEquals("tweets", nodes.at("/2/engine/datasets/0/name").asText());
    assertEquals("running", good("why").at("/nodes/2/report/source").asText());
    assertEquals(TWEETS, count());
    assertEquals(
        new TweetPredicate(TweetField.FOLLOWERS, 100, 4000).count(new TweetGenerator(SEED), TWEETS),
        good("query --by user.followers_count --range 100:4000 --count").at("/count").asLong());
    assertEquals(500, ingest(500));
    assertEquals(TWEETS + 500, count());
    assertTrue(good("verify").at("/clean").asBoolean());
  }

  /** Kills a command of its own process once the cluster's document says that it has begun. */
  private void killInTheMiddle(String line) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                VarveCommand.class.getName()));
    command.addAll(List.of(words(line)));
    Path document = Path.of(directory, "cluster.json");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(temporary.resolve("killed.log").toFile())
            .start();
    try {
      while (!Files.readString(document).contains("rebalance")) {
        assertTrue(process.isAlive(), () -> "it ended before it was killed");
        Thread.onSpinWait();
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertTrue(Files.readString(document).contains("rebalance"));
  }

  /** The same by the controller's address alone, with a dataset of inputs beside the tweets. */
  private void readsAsAClusterElsewhere(long expected) {
    String address = good("cluster status").at("/cluster").asText();
    Path rows = temporary.resolve("rows.csv");
    try {
      Files.writeString(rows, "id,kind\n1,a\n2,b\n3,a\n");
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
    assertEquals(
        3,
        at(address, "ingest --dataset rows --format csv --index kind --input " + rows)
            .at("/acknowledged")
            .asLong());
    assertEquals(
        expected,
        at(address, "query --by user.followers_count --range 100:4000 --count")
            .at("/count")
            .asLong());
    JsonNode groups = at(address, "query --dataset rows --range : --group kind").at("/found");
    assertEquals(
        "[{\"value\":\"a\",\"records\":2},{\"value\":\"b\",\"records\":1}]", groups.toString());
    assertTrue(at(address, "verify").at("/clean").asBoolean());
    Set<String> datasets = new TreeSet<>();
    JsonNode stats = at(address, "stats");
    stats.at("/indexes").forEach(each -> datasets.add(each.at("/dataset").asText()));
    assertEquals(Set.of("rows", "tweets"), datasets);
    for (String table : List.of("Indexes by partition", "Components, oldest first")) {
      assertTrue(CommandRun.good("stats", "--cluster", address).out().contains(table + "\n  node"));
    }
    assertEquals("running", at(address, "why").at("/nodes/1/report/source").asText());
    assertTrue(at(address, "compact").at("/componentsAfter").asLong() > 0);
    String[] both = words("verify --cluster " + address);
    assertEquals(2, CommandRun.of(both).exitCode(), "a directory and an address");
    assertEquals(2, CommandRun.of("verify", "--cluster", "nowhere").exitCode());
  }

  private static JsonNode at(String address, String line) {
    return CommandRun.good((line + " --json --cluster " + address).split(" ")).json();
  }

  private static List<String> states(JsonNode status) {
    List<String> states = new ArrayList<>();
    for (String name : List.of("controller", "node-0", "node-1")) {
      for (JsonNode process : status.at("/processes")) {
        if (process.at("/name").asText().equals(name)) {
          states.add(process.at("/state").asText());
        }
      }
    }
    return states;
  }
}
