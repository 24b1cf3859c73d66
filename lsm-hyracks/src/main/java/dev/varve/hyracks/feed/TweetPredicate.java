package dev.varve.hyracks.feed;

/**
 * A closed range of one field, and how many tweets are in it: what a query over ingested tweets
 * must answer.
 *
 * @param field the field that is looked at
 * @param low smallest value that matches
 * @param high largest value that matches
 */
public record TweetPredicate(TweetField field, long low, long high) {
  /** Whether a tweet is in the range. */
  public boolean matches(TweetGenerator generator, long id) {
    long value = generator.value(field, id);
    return value >= low && value <= high;
  }

  /** How many of the tweets 0 to {@code tweets - 1} are in the range. */
  public long count(TweetGenerator generator, long tweets) {
    long count = 0;
    for (long id = 0; id < tweets; id++) {
      if (matches(generator, id)) {
        count++;
      }
    }
    return count;
  }
}
