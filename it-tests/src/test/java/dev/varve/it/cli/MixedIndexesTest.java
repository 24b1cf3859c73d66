package dev.varve.it.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.FormatMethod;
import dev.varve.tweets.TweetCondition;
import dev.varve.tweets.TweetField;
import dev.varve.tweets.TweetGenerator;
import dev.varve.tweets.TweetPredicate;
import dev.varve.tweets.TweetText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: all kinds of indexes work from the command line. Method: one directory with each kind,
 * filled first, that the tests look at in their order; counts are the generator's predictions.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class MixedIndexesTest {
  private static final long SEED = 20261121;
  private static final int TWEETS = 10_000;
  private static final String MIX =
      "btree:user.followers_count,rtree:sender_location,keyword:message_text,ngram3:user.name";

  private final TweetGenerator generator = new TweetGenerator(SEED);
  private final double longitude = generator.longitude(7);
  private final double latitude = generator.latitude(7);
  private final String[] message = words(generator.text(TweetText.MESSAGE, 7));
  private final String name = generator.text(TweetText.USER_NAME, 7);
  private String directory = "";

  @BeforeAll
  void ingest(@TempDir Path temporary) {
    System.out.println("seed " + SEED);
    directory = temporary.resolve("tweets").toString();
    JsonNode summary =
        CommandRun.good(
                line("ingest --tweets %d --seed %d --memory 2m --index %s", TWEETS, SEED, MIX))
            .json();
    assertEquals(TWEETS, summary.at("/feed/acknowledged").asLong());
    assertEquals(4, summary.at("/setup/shape/indexes").size());
  }

  /**
   * A command line on the directory, for JSON; values with blanks come as arguments of their own.
   */
  @FormatMethod
  private String[] line(String line, Object... values) {
    return (line.formatted(values) + " --json --dir " + directory).split(" ");
  }

  private CommandRun query(String... arguments) {
    List<String> all = new ArrayList<>(List.of("query", "--json", "--dir", directory));
    all.addAll(List.of(arguments));
    return CommandRun.of(all.toArray(new String[0]));
  }

  private static String[] words(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", " ").strip().split(" ");
  }

  private void assertCounts(TweetCondition condition, String... arguments) {
    long expected = condition.count(generator, TWEETS);
    assertTrue(expected > 0 && expected < TWEETS / 2, "expected " + expected);
    CommandRun run = query(arguments);
    assertEquals(0, run.exitCode(), run::toString);
    assertEquals(Math.min(expected, 100), run.json().path("count").asLong(), run::toString);
    assertEquals(Math.min(expected, 100), run.json().path("records").size());
    List<String> counting = new ArrayList<>(List.of(arguments));
    counting.add("--count");
    assertEquals(expected, query(counting.toArray(new String[0])).json().path("count").asLong());
  }

  @Test
  @Order(1)
  void everyQuestionFindsWhatTheGeneratorSays() {
    assertCounts(
        new TweetPredicate(TweetField.FOLLOWERS, 1_000, 1_999),
        "--by",
        "user.followers_count",
        "--range",
        "1000:1999");
    assertCounts(
        TweetCondition.near(longitude, latitude, 0.1),
        "--near",
        longitude + "," + latitude + ",0.1");
    assertCounts(
        TweetCondition.inWindow(-170, -60, longitude, 0),
        "--by",
        "sender_location",
        "--window",
        "-170,-60," + longitude + ",0");
    assertCounts(
        TweetCondition.allWords(TweetText.MESSAGE, message[2], message[9]),
        "--words",
        message[9] + " " + message[2]);
    assertCounts(
        TweetCondition.anyWord(TweetText.MESSAGE, message[2], message[9]),
        "--any-words",
        message[9] + " " + message[2]);
    assertCounts(
        TweetCondition.phrase(TweetText.MESSAGE, message[4], message[5]),
        "--by",
        "keyword:message_text",
        "--phrase",
        message[4] + " " + message[5]);
    String part = name.substring(1, name.length() - 1);
    assertCounts(TweetCondition.contains(TweetText.USER_NAME, part), "--contains", part);
  }

  @Test
  @Order(2)
  void nearestComeInTheirOrder() {
    double x = longitude + 1;
    List<Double> expected =
        LongStream.range(0, TWEETS)
            .mapToObj(id -> TweetCondition.distance(generator, id, x, latitude))
            .sorted()
            .limit(120)
            .toList();
    List<Double> distances = new ArrayList<>();
    CommandRun run = query("--nearest", x + "," + latitude + ",120");
    for (JsonNode record : run.json().path("records")) {
      distances.add(TweetCondition.distance(generator, record.path("id").asLong(), x, latitude));
    }
    assertEquals(expected, distances);
    assertEquals("rtree:sender_location", run.json().path("index").asText());
    assertEquals(5, query("--nearest", x + ",0,120", "--limit", "5").json().path("records").size());
  }

  @Test
  @Order(3)
  void similarTextsAreFound() {
    assertCounts(
        TweetCondition.similar(TweetText.USER_NAME, name, 0.41),
        "--by",
        "user.name",
        "--similar",
        name + ",0.41");
  }

  @Test
  @Order(4)
  void whatNoIndexAnswersIsRefusedWithWhatWouldDo() {
    assertRefused("UNSUPPORTED", "--by", "user.name", "--words", "blue");
    assertRefused("UNSUPPORTED", "--by", "sender_location", "--range", "1:2");
    assertRefused("UNKNOWN_INDEX", "--by", "place", "--near", "1,2,3");
    CommandRun several = query("--similar", "blue,0.5");
    assertEquals(2, several.exitCode(), several::toString);
    assertTrue(several.err().contains("ngram3:user.name"), several::err);
  }

  private void assertRefused(String reason, String... arguments) {
    CommandRun run = query(arguments);
    assertEquals(1, run.exitCode(), run::toString);
    assertEquals(reason, run.json().at("/error/reason").asText());
    assertTrue(run.err().contains("--index "), run::err);
    assertEquals(1, run.err().lines().count(), run::err);
  }

  @Test
  @Order(5)
  void needleThatIsTooShortIsRefused() {
    CommandRun run = query("--contains", "ab");
    assertEquals(1, run.exitCode(), run::toString);
    assertTrue(run.err().contains("3"), run::err);
    assertEquals(1, run.err().lines().count(), run::err);
  }

  @Test
  @Order(6)
  void otherKindsAreRefusedAndNoneMeansThoseThatAreThere() {
    CommandRun other = CommandRun.of(line("ingest --tweets 1 --index keyword:user.name"));
    assertEquals(1, other.exitCode());
    assertEquals("OPTIONS_MISMATCH", other.json().at("/error/reason").asText());
    JsonNode same = CommandRun.good(line("ingest --tweets 0 --index %s", MIX)).json();
    JsonNode silent = CommandRun.good(line("ingest --tweets 0")).json();
    assertEquals(4, same.at("/setup/shape/indexes").size());
    assertEquals(same.at("/setup/shape"), silent.at("/setup/shape"));
  }

  @Test
  @Order(7)
  void everyCommandShowsTheKinds() {
    List<String> kinds = List.of("btree", "btree", "rtree", "keyword", "ngram3");
    assertEquals(kinds, kinds(CommandRun.good(line("stats")).json()));
    JsonNode compacted = CommandRun.good(line("compact")).json();
    assertEquals(kinds, kinds(compacted));
    assertEquals(20, compacted.path("componentsAfter").asLong(), compacted::toString);
    JsonNode verified = CommandRun.good(line("verify")).json();
    assertEquals(kinds, kinds(verified));
    assertTrue(verified.path("clean").asBoolean());
    String text = CommandRun.good("stats", "--dir", directory).out();
    assertTrue(text.contains("keyword:message_text"), text);
  }

  private static List<String> kinds(JsonNode result) {
    List<String> kinds = new ArrayList<>();
    result.path("indexes").forEach(index -> kinds.add(index.path("kind").asText()));
    return kinds;
  }
}
