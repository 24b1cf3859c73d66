package dev.varve.tweets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Goal: tweets are well-formed, deterministic, of the paper's size, and what the generator predicts
 * about them is what stands in them. Method: parse them with Jackson and compare.
 */
final class TweetGeneratorTest {
  private static final JsonFactory JSON = new JsonFactory();

  private static byte[] tweet(TweetGenerator generator, long id) {
    int length = generator.generate(id);
    return Arrays.copyOf(generator.bytes(), length);
  }

  /** The scalar values of a record by path; array elements have their number as a step. */
  private static Map<String, String> flatten(byte[] json) throws IOException {
    Map<String, String> values = new HashMap<>();
    try (JsonParser parser = JSON.createParser(json)) {
      assertEquals(JsonToken.START_OBJECT, parser.nextToken());
      int depth = 1;
      while (depth > 0) {
        JsonToken token = parser.nextToken();
        if (token.isStructStart()) {
          depth++;
        } else if (token.isStructEnd()) {
          depth--;
        } else if (token.isScalarValue()) {
          String path = parser.getParsingContext().pathAsPointer().toString();
          assertNull(values.put(path.substring(1).replace('/', '.'), parser.getText()), path);
        }
      }
      assertNull(parser.nextToken());
    }
    return values;
  }

  @Test
  void averageTweetHasAboutOneKilobyte() {
    TweetGenerator generator = new TweetGenerator(1);
    long bytes = 0;
    int largest = 0;
    for (int id = 0; id < 10_000; id++) {
      int length = generator.generate(id);
      bytes += length;
      largest = Math.max(largest, length);
    }
    double mean = bytes / 10_000.0;
    assertTrue(mean >= 950 && mean <= 1100, "mean " + mean);
    assertTrue(largest < 2_600, "largest " + largest);
  }

  @Test
  void tweetDependsOnSeedAndIdOnly() {
    TweetGenerator forward = new TweetGenerator(7);
    TweetGenerator backward = new TweetGenerator(7);
    List<byte[]> tweets = new ArrayList<>();
    for (long id = 0; id < 500; id++) {
      tweets.add(tweet(forward, id * 5_003));
    }
    for (int i = 499; i >= 0; i--) {
      assertArrayEquals(tweets.get(i), tweet(backward, i * 5_003L));
    }
    assertFalse(Arrays.equals(tweets.get(3), tweet(new TweetGenerator(8), 3 * 5_003L)));
  }

  @Test
  void tweetIsStableAcrossVersions() {
    // Counts in the documentation and directories that are ingested further lean on this.
    TweetGenerator generator = new TweetGenerator(42);
    long hash = 0;
    for (long id = 0; id < 1_000; id++) {
      hash = 31 * hash + Arrays.hashCode(tweet(generator, id));
    }
    assertEquals(GOLDEN_HASH, hash);
  }

  private static final long GOLDEN_HASH = 6_742_081_234_850_314_798L;

  @Test
  void tweetsAreWellFormedAndHoldThePredictedValues() throws IOException {
    long seed = 20261121;
    System.out.println("seed " + seed);
    TweetGenerator generator = new TweetGenerator(seed);
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      long id = i < 1_000 ? i : random.nextLong() & (TweetGenerator.MAX_TWEETS - 1);
      Map<String, String> values = flatten(tweet(generator, id));
      for (TweetField field : TweetField.values()) {
        assertEquals(
            Long.toString(generator.value(field, id)), values.get(field.path()), field + " " + id);
      }
      assertEquals(
          generator.value(TweetField.SEND_TIME, id),
          Instant.parse(values.get("send_time")).toEpochMilli());
      for (TweetText field : TweetText.values()) {
        assertEquals(generator.text(field, id), values.get(field.path()), field + " " + id);
      }
      double longitude = Double.parseDouble(values.get(TweetCondition.LOCATION + ".0"));
      double latitude = Double.parseDouble(values.get(TweetCondition.LOCATION + ".1"));
      assertEquals(longitude, generator.longitude(id));
      assertEquals(latitude, generator.latitude(id));
      assertTrue(Math.abs(longitude) <= 180, values::toString);
      assertTrue(Math.abs(latitude) <= 90, values::toString);
      assertTrue(values.get("message_text").length() > 20);
    }
  }

  @Test
  void sendTimesIncreaseWithIds() {
    TweetGenerator generator = new TweetGenerator(3);
    long before = Long.MIN_VALUE;
    for (long id = 0; id < 100_000; id++) {
      long time = generator.value(TweetField.SEND_TIME, id);
      assertTrue(time >= before, "id " + id);
      before = time;
    }
  }

  @Test
  void userKeepsItsNameAndFollowers() throws IOException {
    TweetGenerator generator = new TweetGenerator(5);
    Map<String, String> seen = new HashMap<>();
    int again = 0;
    for (long id = 0; id < 20_000; id++) {
      Map<String, String> values = flatten(tweet(generator, id));
      String user = values.get("user.screen_name") + " " + values.get("user.followers_count");
      String before = seen.put(values.get("user.id"), user);
      if (before != null) {
        assertEquals(before, user);
        again++;
      }
    }
    assertTrue(again > 1_000, "users seen again: " + again);
  }

  @Test
  void wordsFollowZipf() throws IOException {
    TweetGenerator generator = new TweetGenerator(9);
    Map<String, Integer> counts = new HashMap<>();
    int words = 0;
    for (long id = 0; id < 5_000; id++) {
      for (String word : flatten(tweet(generator, id)).get("message_text").split(" ")) {
        counts.merge(word, 1, Integer::sum);
        words++;
      }
    }
    List<Integer> sorted = new ArrayList<>(counts.values());
    sorted.sort((a, b) -> b - a);
    double first = sorted.get(0) / (double) words;
    double hundredth = sorted.get(99) / (double) words;
    assertTrue(first > 0.02 && first < 0.08, "first " + first);
    assertTrue(first / hundredth > 15, "first to hundredth " + first / hundredth);
  }

  @Test
  void predicateCountsWhatAScanWouldFind() throws IOException {
    TweetGenerator generator = new TweetGenerator(11);
    TweetPredicate predicate = new TweetPredicate(TweetField.FOLLOWERS, 1_000, 2_000);
    long found = 0;
    for (long id = 0; id < 3_000; id++) {
      long followers = Long.parseLong(flatten(tweet(generator, id)).get("user.followers_count"));
      found += followers >= 1_000 && followers <= 2_000 ? 1 : 0;
    }
    assertEquals(found, predicate.count(generator, 3_000));
    assertTrue(found > 100 && found < 1_500, "found " + found);
  }

  @Test
  void textsAndPlacesAreToldWithoutTouchingTheLastTweet() {
    TweetGenerator generator = new TweetGenerator(13);
    byte[] before = tweet(generator, 5);
    for (long id = 0; id < 50; id++) {
      assertEquals(
          generator.text(TweetText.MESSAGE, id),
          new TweetGenerator(13).text(TweetText.MESSAGE, id),
          "id " + id);
      assertTrue(generator.longitude(id) + generator.latitude(id) < 300);
    }
    assertArrayEquals(before, Arrays.copyOf(generator.bytes(), before.length));
  }

  @Test
  void conditionsTellWhatIsInTheTexts() {
    TweetGenerator generator = new TweetGenerator(17);
    long id = 0;
    while (generator.text(TweetText.MESSAGE, id).charAt(0) != '"') {
      id++;
    }
    String message = generator.text(TweetText.MESSAGE, id);
    String[] words = message.substring(1, message.length() - 1).split("\"? ");
    String first = words[0].toLowerCase(Locale.ROOT);
    String last = words[words.length - 1];
    TweetText field = TweetText.MESSAGE;
    assertTrue(TweetCondition.allWords(field, last, first).matches(generator, id));
    assertFalse(TweetCondition.allWords(field, last, "xyz").matches(generator, id));
    assertTrue(TweetCondition.anyWord(field, "xyz", last).matches(generator, id));
    assertFalse(TweetCondition.anyWord(field, "xyz", "zyx").matches(generator, id));
    assertTrue(TweetCondition.phrase(field, first, words[1]).matches(generator, id));
    assertFalse(TweetCondition.phrase(field, words[1], first).matches(generator, id));
    assertTrue(TweetCondition.contains(field, first + "\" " + words[1]).matches(generator, id));
    assertFalse(TweetCondition.contains(field, "xyz").matches(generator, id));
    String name = generator.text(TweetText.USER_NAME, id);
    assertTrue(TweetCondition.similar(TweetText.USER_NAME, name, 1).matches(generator, id));
    assertTrue(TweetCondition.similar(TweetText.USER_NAME, name + "x", 0.6).matches(generator, id));
    assertFalse(TweetCondition.similar(TweetText.USER_NAME, name + "x", 1).matches(generator, id));
    double x = generator.longitude(id);
    double y = generator.latitude(id);
    assertTrue(TweetCondition.near(x + 3, y - 4, 5.001).matches(generator, id));
    assertFalse(TweetCondition.near(x + 3, y - 4, 4.999).matches(generator, id));
    assertTrue(TweetCondition.inWindow(x, y - 1, x + 1, y).matches(generator, id));
    assertFalse(TweetCondition.inWindow(x - 1, y - 1, x + 1, y - 0.001).matches(generator, id));
  }

  @Test
  void placesAreClustered() {
    TweetGenerator generator = new TweetGenerator(42);
    long city =
        TweetCondition.near(generator.longitude(0), generator.latitude(0), 1)
            .count(generator, 10_000);
    assertTrue(city > 100 && city < 5_000, "tweets around the first one: " + city);
  }

  @Test
  void idOutOfBoundsIsRefused() {
    TweetGenerator generator = new TweetGenerator(1);
    assertThrows(IllegalArgumentException.class, () -> generator.generate(-1));
    assertThrows(
        IllegalArgumentException.class, () -> generator.generate(TweetGenerator.MAX_TWEETS));
  }

  @Test
  void arrayIsReused() {
    TweetGenerator generator = new TweetGenerator(1);
    byte[] bytes = generator.bytes();
    for (long id = 0; id < 100; id++) {
      generator.generate(id);
      assertSame(bytes, generator.bytes());
    }
  }

  @Test
  void fieldIsFoundByItsPath() {
    assertEquals(TweetField.FOLLOWERS, TweetField.ofPath("user.followers_count"));
    assertNull(TweetField.ofPath("user.unknown"));
  }
}
