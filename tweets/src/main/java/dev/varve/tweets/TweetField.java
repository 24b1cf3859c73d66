package dev.varve.tweets;

import org.jspecify.annotations.Nullable;

/**
 * The whole-number fields of a tweet that queries range over, and whose values {@link
 * TweetGenerator#value} tells without writing the tweet.
 */
public enum TweetField {
  /** The primary key. */
  ID("id"),
  /** When it was sent, milliseconds since 1970. */
  SEND_TIME("send_time_millis"),
  /** The number of the sender. */
  USER_ID("user.id"),
  /** How many users follow the sender: heavy-tailed, between 4 and 131,067. */
  FOLLOWERS("user.followers_count"),
  /** How many the sender follows. */
  FRIENDS("user.friends_count"),
  /** How many tweets the sender wrote. */
  STATUSES("user.statuses_count"),
  /** How often it was passed on: heavy-tailed, mostly small. */
  RETWEETS("retweet_count"),
  /** How often it was liked. */
  FAVORITES("favorite_count");

  private final String path;

  TweetField(String path) {
    this.path = path;
  }

  /** The field's path in the record, its steps joined by dots. */
  public String path() {
    return path;
  }

  /** The field with a path; null when it is none of these. */
  public static @Nullable TweetField ofPath(String path) {
    for (TweetField field : values()) {
      if (field.path.equals(path)) {
        return field;
      }
    }
    return null;
  }
}
