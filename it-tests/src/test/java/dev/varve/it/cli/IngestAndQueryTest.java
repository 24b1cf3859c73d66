package dev.varve.it.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.FormatMethod;
import dev.varve.tweets.TweetField;
import dev.varve.tweets.TweetGenerator;
import dev.varve.tweets.TweetPredicate;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what was ingested is found again, and every command says what is so. Method: one directory,
 * filled first, that the tests look at in their order; counts are the generator's predictions.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class IngestAndQueryTest {
  private static final long SEED = 20261121;
  private static final int TWEETS = 20_000;

  private final TweetGenerator generator = new TweetGenerator(SEED);
  private String directory = "";
  private Path acknowledgements = Path.of("");
  private JsonNode summary;

  @BeforeAll
  void ingest(@TempDir Path temporary) {
    System.out.println("seed " + SEED);
    directory = temporary.resolve("tweets").toString();
    acknowledgements = temporary.resolve("acks");
    summary =
        CommandRun.good(
                words(
                    "ingest --tweets %d --seed %d --memory 2m --policy prefix:8m:3 --acks %s",
                    TWEETS, SEED, acknowledgements))
            .json();
  }

  /** A command line on the directory, for JSON. */
  @FormatMethod
  private String[] words(String line, Object... values) {
    return (line.formatted(values) + " --json --dir " + directory).split(" ");
  }

  private long predicted(TweetField field, long low, long high) {
    return new TweetPredicate(field, low, high).count(generator, TWEETS);
  }

  private String tweet(long id) {
    int length = generator.generate(id);
    return new String(generator.bytes(), 0, length, StandardCharsets.UTF_8);
  }

  @Test
  @Order(1)
  void summarySaysWhatWasIngested() {
    assertEquals(TWEETS, summary.at("/feed/acknowledged").asLong());
    assertEquals(0, summary.at("/feed/refused").size());
    assertEquals(2, summary.at("/setup/shape/nodes").asInt());
    assertEquals(4, summary.at("/setup/shape/partitions").asInt());
    assertEquals(2, summary.at("/setup/shape/indexes").size());
    assertTrue(summary.at("/cost/seconds").asDouble() > 0);
    assertTrue(summary.at("/storage/flushes").asLong() > 0, summary::toString);
    assertTrue(summary.at("/storage/written/logBytes").asLong() > TWEETS * 1_000L);
    assertTrue(summary.at("/storage/written/flushedBytes").asLong() > 0);
  }

  @Test
  @Order(2)
  void acknowledgementsReachTheEnd() throws IOException {
    List<String> lines = Files.readAllLines(acknowledgements);
    long highest =
        lines.stream().mapToLong(line -> Long.parseLong(line.split(" ")[1])).max().orElseThrow();
    assertEquals(TWEETS - 1, highest);
    assertEquals(
        "0,1,2,3",
        lines.stream()
            .map(line -> line.split(" ")[0])
            .distinct()
            .sorted()
            .collect(Collectors.joining(",")));
  }

  @Test
  @Order(3)
  void countsAreThePredictedOnes() {
    assertEquals(500, count("--range 1000:1499"));
    assertEquals(TWEETS, count("--range :"));
    assertEquals(
        predicted(TweetField.FOLLOWERS, 1_000, 1_999),
        count("--by user.followers_count --range 1000:1999"));
    long from = generator.value(TweetField.SEND_TIME, 2_000);
    assertEquals(
        predicted(TweetField.SEND_TIME, from, Long.MAX_VALUE),
        count("--by send_time_millis --range " + from + ":"));
    assertEquals(0, count("--by user.followers_count --range 2000:1000"));
  }

  private long count(String query) {
    return CommandRun.good(words("query %s --count", query)).json().path("count").asLong();
  }

  @Test
  @Order(4)
  void recordComesBackAsItWasWritten() {
    JsonNode found = CommandRun.good(words("query --get 4711")).json();
    assertEquals(1, found.path("count").asLong());
    assertEquals(4711, found.at("/records/0/id").asLong());
    CommandRun plain = CommandRun.good("query", "--dir", directory, "--get", "4711");
    assertEquals(tweet(4711), plain.out().strip());
    assertEquals(0, CommandRun.good(words("query --get 99999999")).json().path("count").asLong());
    // At rest, without a cluster, whichever node has the key.
    for (String id : List.of("1", "2", "3", "4711")) {
      CommandRun resting =
          CommandRun.good("get", "--dir", directory, "--dataset", "tweets", "--json", id);
      assertEquals(1, resting.json().path("count").asLong(), id);
    }
  }

  @Test
  @Order(5)
  void rangeComesInOrderAndWithinItsLimit() {
    CommandRun run =
        CommandRun.good("query", "--dir", directory, "--range", "100:", "--limit", "5");
    String expected =
        Stream.of(100, 101, 102, 103, 104).map(this::tweet).collect(Collectors.joining("\n"));
    assertEquals(expected, run.out().lines().collect(Collectors.joining("\n")));
  }

  @Test
  @Order(6)
  void unknownIndexIsRefused() {
    CommandRun run = CommandRun.of(words("query --by lang --range en:en"));
    assertEquals(1, run.exitCode());
    assertEquals("UNKNOWN_INDEX", run.json().at("/error/reason").asText());
    assertEquals(1, run.err().lines().count(), run::err);
  }

  @Test
  @Order(7)
  void ingestGoesOnAfterTheHighestId() {
    JsonNode more =
        CommandRun.good(
                words("ingest --tweets 1000 --seed %d --tuner varve --gate controller", SEED))
            .json();
    assertEquals(TWEETS, more.at("/setup/tweets/firstId").asLong());
    assertEquals(1_000, more.at("/feed/acknowledged").asLong());
  }

  @Test
  @Order(8)
  void duplicatesAreRefusedAndReplacedWhenAsked() {
    JsonNode again =
        CommandRun.good(words("ingest --tweets 700 --start 500 --seed %d", SEED)).json();
    assertEquals(0, again.at("/feed/acknowledged").asLong());
    assertEquals(700, again.at("/feed/refused/DUPLICATE_KEY").asLong());

    JsonNode replaced =
        CommandRun.good(words("ingest --tweets 10 --start 500 --upsert --seed 7")).json();
    assertEquals(10, replaced.at("/feed/acknowledged").asLong());
    CommandRun changed = CommandRun.good("query", "--dir", directory, "--get", "505");
    TweetGenerator other = new TweetGenerator(7);
    int length = other.generate(505);
    assertEquals(
        new String(other.bytes(), 0, length, StandardCharsets.UTF_8), changed.out().strip());
  }

  @Test
  @Order(9)
  void otherShapeOrIndexesAreRefused() {
    CommandRun nodes = CommandRun.of(words("ingest --tweets 1 --nodes 3"));
    assertEquals(1, nodes.exitCode());
    assertEquals("OPTIONS_MISMATCH", nodes.json().at("/error/reason").asText());
    CommandRun indexes = CommandRun.of(words("ingest --tweets 1 --index lang"));
    assertEquals(1, indexes.exitCode());
    assertEquals("OPTIONS_MISMATCH", indexes.json().at("/error/reason").asText());
  }

  @Test
  @Order(10)
  void statsShowComponentsWithSizesAndLsns() {
    JsonNode stats = CommandRun.good(words("stats")).json();
    assertEquals(2, stats.path("nodes").size());
    JsonNode index = stats.at("/nodes/0/engine/datasets/0/partitions/0/indexes/0");
    assertEquals("primary", index.path("name").asText());
    assertTrue(index.at("/components/0/bytes").asLong() > 0, stats::toString);
    assertTrue(index.at("/components/0/componentLsn").asLong() > 0, stats::toString);
    String text = CommandRun.good("stats", "--dir", directory).out();
    assertTrue(text.contains("user.followers_count"), text);
    assertTrue(text.contains("component LSN"), text);
    assertTrue(text.contains("Waiting for merges") && text.contains("seal to flushed"), text);
    assertTrue(text.matches("(?s).*Tuner.*in force.*fixed.*2 merge threads.*"), text);
    assertEquals("fixed", stats.at("/nodes/0/engine/flow/tuner/tuner").asText());
  }

  @Test
  @Order(11)
  void nothingWouldWaitInADirectoryAtRest() {
    JsonNode why = CommandRun.good(words("why")).json();
    assertEquals(2, why.at("/nodes").size());
    for (JsonNode node : why.at("/nodes")) {
      assertEquals("stopped", node.at("/report/source").asText());
      assertEquals(0, node.at("/report/waits").size(), why::toString);
      assertEquals(6, node.at("/report/indexes").size(), why::toString);
    }
  }

  @Test
  @Order(12)
  void compactLeavesOneComponentPerIndex() {
    JsonNode compacted = CommandRun.good(words("compact")).json();
    // Four partitions, each with a primary and two secondaries.
    assertEquals(12, compacted.path("componentsAfter").asLong());
    assertEquals(TWEETS + 1_000, count("--range :"));
  }

  @Test
  @Order(13)
  void verifyIsClean() {
    JsonNode verified = CommandRun.good(words("verify")).json();
    assertTrue(verified.path("clean").asBoolean());
    long records = 0;
    for (JsonNode node : verified.path("nodes")) {
      records += node.at("/report/records").asLong();
    }
    assertEquals(TWEETS + 1_000, records);
  }

  @Test
  @Order(14)
  void verifyNamesTheDamagedPlace() throws IOException {
    Path victim;
    try (Stream<Path> files = Files.walk(Path.of(directory))) {
      victim = files.filter(file -> file.toString().endsWith(".lsm")).findFirst().orElseThrow();
    }
    try (RandomAccessFile file = new RandomAccessFile(victim.toFile(), "rw")) {
      long middle = file.length() / 2;
      file.seek(middle);
      int before = file.read();
      file.seek(middle);
      file.write(before ^ 0x40);
    }
    CommandRun run = CommandRun.of(words("verify"));
    assertEquals(1, run.exitCode(), run::toString);
    assertTrue(run.err().contains(victim.getFileName().toString()), run::toString);
    assertTrue(run.out().contains(victim.getFileName().toString()), run::toString);
    assertFalse(run.json().path("clean").asBoolean());
  }
}
