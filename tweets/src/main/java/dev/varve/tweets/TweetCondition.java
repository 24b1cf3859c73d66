package dev.varve.tweets;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A question about a tweet that is answered without the tweet being written: what a query over
 * ingested tweets must find. Shares no code with the indexes, which are tested against it.
 */
@FunctionalInterface
public interface TweetCondition {
  /** Path of the field with the point that the sender was at. */
  String LOCATION = "sender_location";

  /** Whether a tweet is what is looked for. */
  boolean matches(TweetGenerator generator, long id);

  /** How many of the tweets 0 to {@code tweets - 1} are. */
  default long count(TweetGenerator generator, long tweets) {
    long count = 0;
    for (long id = 0; id < tweets; id++) {
      if (matches(generator, id)) {
        count++;
      }
    }
    return count;
  }

  /** Sent from at most so many degrees away from a point, in the plane. */
  static TweetCondition near(double longitude, double latitude, double degrees) {
    return (generator, id) -> distance(generator, id, longitude, latitude) <= degrees;
  }

  /** How many degrees, in the plane, a tweet was sent from a point. */
  static double distance(TweetGenerator generator, long id, double longitude, double latitude) {
    double dx = generator.longitude(id) - longitude;
    double dy = generator.latitude(id) - latitude;
    return Math.sqrt(dx * dx + dy * dy);
  }

  /** Sent from a window, borders included. */
  static TweetCondition inWindow(double west, double south, double east, double north) {
    return (generator, id) -> {
      double longitude = generator.longitude(id);
      double latitude = generator.latitude(id);
      return longitude >= west && longitude <= east && latitude >= south && latitude <= north;
    };
  }

  /** A text has all of the words, in any order; upper case counts as lower case. */
  static TweetCondition allWords(TweetText field, String... words) {
    List<String> wanted = List.of(words);
    return (generator, id) -> words(generator.text(field, id)).containsAll(wanted);
  }

  /** A text has one of the words. */
  static TweetCondition anyWord(TweetText field, String... words) {
    List<String> wanted = List.of(words);
    return (generator, id) -> words(generator.text(field, id)).stream().anyMatch(wanted::contains);
  }

  /** A text has the words one behind the other, with nothing but other characters between them. */
  static TweetCondition phrase(TweetText field, String... words) {
    String wanted = " " + String.join(" ", words) + " ";
    return (generator, id) ->
        (" " + String.join(" ", words(generator.text(field, id))) + " ").contains(wanted);
  }

  /** A text has a text in it; upper case counts as lower case. */
  static TweetCondition contains(TweetText field, String part) {
    String wanted = part.toLowerCase(Locale.ROOT);
    return (generator, id) -> generator.text(field, id).toLowerCase(Locale.ROOT).contains(wanted);
  }

  /**
   * Of the different runs of three characters that a text and another one have, at least this share
   * is in both; upper case counts as lower case.
   */
  static TweetCondition similar(TweetText field, String other, double share) {
    Set<String> wanted = runsOfThree(other);
    return (generator, id) -> {
      Set<String> all = runsOfThree(generator.text(field, id));
      int own = all.size();
      all.addAll(wanted);
      int common = own + wanted.size() - all.size();
      return common >= share * all.size();
    };
  }

  private static Set<String> runsOfThree(String text) {
    String folded = text.toLowerCase(Locale.ROOT);
    Set<String> runs = new HashSet<>();
    for (int i = 0; i + 3 <= folded.length(); i++) {
      runs.add(folded.substring(i, i + 3));
    }
    return runs;
  }

  /** The words of a text in lower case, in its order. */
  private static List<String> words(String text) {
    String words = text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", " ").strip();
    return List.of(words.split(" "));
  }
}
