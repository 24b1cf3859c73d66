package dev.varve.tweets;

/**
 * The texts of a tweet that queries search, and that {@link TweetGenerator#text} tells without
 * writing the tweet.
 */
public enum TweetText {
  /** What was sent: 20 to 75 words with Zipf's frequencies, one in sixteen after a quoted word. */
  MESSAGE("message_text"),
  /** Name of the sender: two words of the same vocabulary. */
  USER_NAME("user.name");

  private final String path;

  TweetText(String path) {
    this.path = path;
  }

  /** The field's path in the record, its steps joined by dots. */
  public String path() {
    return path;
  }
}
