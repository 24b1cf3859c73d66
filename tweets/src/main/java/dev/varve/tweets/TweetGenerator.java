package dev.varve.tweets;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/**
 * Synthetic tweets as in section 6.1 of the paper: user, message, sending time, sender location and
 * other fields, about 1 KB of JSON on average, under increasing 64-bit ids.
 *
 * <p>Everything about a tweet is a function of the seed and its id, so any number of sources can
 * share the ids between them, and a test can tell what is in the dataset without having kept it.
 * The same user (a function of the id, few users sending much) always has the same name, followers
 * and friends. Texts are drawn from a vocabulary with Zipf's frequencies, locations from clusters.
 *
 * <p>Writes bytes into one array that is reused: no allocation per tweet. Confined to one thread;
 * as many generators as wanted may have the same seed.
 *
 * <p><b>Randomness.</b> The k-th draw of a tweet is {@code mix(base(id) + k * GOLDEN)}: the
 * SplitMix64 sequence read at an index, so that a field can be computed alone.
 */
public final class TweetGenerator {
  /** One above the largest id: the time stamps stay below the year 10,000. */
  public static final long MAX_TWEETS = 1L << 40;

  /** 2014-06-27T00:00:00Z, when the tweet with id 0 is sent. */
  static final long FIRST_SEND_TIME = 1_403_827_200_000L;

  /** Time from one tweet to the next; each is off by less than this, so the order stays. */
  static final int MILLIS_PER_TWEET = 100;

  static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private static final int CLUSTERS = 64;
  private static final long DAY_MILLIS = 86_400_000L;

  // Draws of a tweet. Each text has its own range, so that lengths never shift another field.
  private static final int DRAW_USER = 1;
  private static final int DRAW_TIME = 2;
  private static final int DRAW_PLACE = 3;
  private static final int DRAW_POSITION = 4;
  private static final int DRAW_COUNTS = 5;
  private static final int DRAW_SHAPE = 6;
  private static final int DRAW_TEXT = 16;
  // Draws of a user.
  private static final int DRAW_FOLLOWERS = 1;
  private static final int DRAW_FRIENDS = 2;
  private static final int DRAW_STATUSES = 3;
  private static final int DRAW_NAME = 4;
  private static final int DRAW_DESCRIPTION = 16;

  private static final byte[][] LANGUAGES =
      all("en", "en", "en", "en", "en", "ja", "es", "es", "pt", "ar", "fr", "tr", "id", "ko", "ru");
  private static final byte[][] SOURCES =
      all("web", "Android", "iPhone", "iPad", "BlackBerry", "API", "TweetDeck", "Mobile Web");

  private static final byte[] ID = ascii("{\"id\":");
  private static final byte[] SEND_TIME = ascii(",\"send_time\":\"");
  private static final byte[] SEND_TIME_MILLIS = ascii("Z\",\"send_time_millis\":");
  private static final byte[] USER_ID = ascii(",\"user\":{\"id\":");
  private static final byte[] NAME = ascii(",\"name\":\"");
  private static final byte[] SCREEN_NAME = ascii("\",\"screen_name\":\"");
  private static final byte[] USER_LANG = ascii("\",\"lang\":\"");
  private static final byte[] DESCRIPTION = ascii("\",\"description\":\"");
  private static final byte[] FOLLOWERS = ascii("\",\"followers_count\":");
  private static final byte[] FRIENDS = ascii(",\"friends_count\":");
  private static final byte[] STATUSES = ascii(",\"statuses_count\":");
  private static final byte[] VERIFIED = ascii(",\"verified\":");
  private static final byte[] IMAGE = ascii(",\"profile_image_url\":\"https://images.example/p/");
  private static final byte[] MESSAGE = ascii(".png\"},\"message_text\":\"");
  private static final byte[] LOCATION = ascii("\",\"sender_location\":[");
  private static final byte[] PLACE = ascii("],\"place\":{\"name\":\"");
  private static final byte[] CLUSTER = ascii("\",\"cluster\":");
  private static final byte[] HASHTAGS = ascii("},\"hashtags\":[");
  private static final byte[] MENTIONS = ascii("],\"user_mentions\":[");
  private static final byte[] REPLY = ascii("],\"in_reply_to_id\":");
  private static final byte[] RETWEETED = ascii(",\"retweeted\":");
  private static final byte[] RETWEETS = ascii(",\"retweet_count\":");
  private static final byte[] FAVORITES = ascii(",\"favorite_count\":");
  private static final byte[] LANG = ascii(",\"lang\":\"");
  private static final byte[] SOURCE = ascii("\",\"source\":\"");
  private static final byte[] END = ascii("\"}");
  private static final byte[] TRUE = ascii("true");
  private static final byte[] FALSE = ascii("false");
  private static final byte[] NULL = ascii("null");
  private static final byte[] ESCAPED_QUOTE = ascii("\\\"");
  private static final byte[] QUOTE = ascii("\"");

  private final long seed;
  private final TweetBuffer buffer;

  /** For texts alone, so that the last tweet written stays. */
  private final TweetBuffer scratch;

  private final TweetVocabulary vocabulary;
  private final int[] clusterLongitudes = new int[CLUSTERS];
  private final int[] clusterLatitudes = new int[CLUSTERS];
  private final byte[] day = new byte["2014-06-27T".length()];
  private long dayNumber = -1;

  /** A generator of the tweets that a seed stands for. */
  public TweetGenerator(long seed) {
    this.seed = mix(seed ^ GOLDEN);
    this.vocabulary = new TweetVocabulary(this.seed);
    this.buffer = new TweetBuffer(vocabulary);
    this.scratch = new TweetBuffer(vocabulary);
    for (int i = 0; i < CLUSTERS; i++) {
      long bits = mix(this.seed - (i + 1) * GOLDEN);
      clusterLongitudes[i] = (int) (((bits & 0xFFFFFF) * 340_000_000L) >>> 24) - 170_000_000;
      clusterLatitudes[i] = (int) ((((bits >>> 24) & 0xFFFFFF) * 120_000_000L) >>> 24) - 55_000_000;
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[][] all(String... texts) {
    byte[][] all = new byte[texts.length][];
    for (int i = 0; i < texts.length; i++) {
      all[i] = ascii(texts[i]);
    }
    return all;
  }

  /** Spreads the bits of a number: the finalizer of SplitMix64. */
  static long mix(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /**
   * Writes a tweet to the start of {@link #bytes}, over the one before it.
   *
   * @param id the tweet's number, 0 to {@link #MAX_TWEETS} - 1
   * @return the number of bytes
   */
  public int generate(long id) {
    checkId(id);
    long base = base(id);
    buffer.clear();
    buffer.put(ID);
    buffer.put(id);
    putTime(sendTime(base, id));
    putUser(base, id);
    buffer.put(MESSAGE);
    putMessage(buffer, base, ESCAPED_QUOTE);
    putPlace(base);
    putEntities(base, id);
    putCounts(base);
    return buffer.length();
  }

  /** Where {@link #generate} writes to: always the same array, read only for the caller. */
  public byte[] bytes() {
    return buffer.bytes();
  }

  /** The value that a field has in the tweet with an id. */
  public long value(TweetField field, long id) {
    checkId(id);
    long base = base(id);
    return switch (field) {
      case ID -> id;
      case SEND_TIME -> sendTime(base, id);
      case USER_ID -> userId(userNumber(base));
      case FOLLOWERS -> followers(userBase(userNumber(base)));
      case FRIENDS -> friends(userBase(userNumber(base)));
      case STATUSES -> statuses(userBase(userNumber(base)), id);
      case RETWEETS -> retweets(base);
      case FAVORITES -> favorites(base);
    };
  }

  /** The text that a field has in the tweet with an id. Not for hot paths: makes a string. */
  public String text(TweetText field, long id) {
    checkId(id);
    long base = base(id);
    scratch.clear();
    switch (field) {
      case MESSAGE -> putMessage(scratch, base, QUOTE);
      case USER_NAME -> putName(scratch, name(userBase(userNumber(base))));
    }
    return new String(scratch.bytes(), 0, scratch.length(), StandardCharsets.UTF_8);
  }

  /** Where the tweet with an id was sent from, in degrees: the double that its digits stand for. */
  public double longitude(long id) {
    checkId(id);
    long base = base(id);
    return longitude(base, cluster(base)) / 1e6;
  }

  /** The same, to the north. */
  public double latitude(long id) {
    checkId(id);
    long base = base(id);
    return latitude(base, cluster(base)) / 1e6;
  }

  private static void checkId(long id) {
    if (id < 0 || id >= MAX_TWEETS) {
      throw new IllegalArgumentException("tweet id: " + id + ", 0 to " + (MAX_TWEETS - 1));
    }
  }

  private long base(long id) {
    return mix(seed + (id + 1) * GOLDEN);
  }

  private static long draw(long base, int index) {
    return mix(base + index * GOLDEN);
  }

  /** A whole number with 2^(e) <= value + offset < 2^(e+1), e from a bell of 15 exponents. */
  private static long heavyTailed(long bits, int smallestExponent) {
    int exponent = smallestExponent + (int) (bits & 7) + (int) ((bits >>> 3) & 7);
    long power = 1L << exponent;
    return power + ((bits >>> 8) & (power - 1));
  }

  private static long sendTime(long base, long id) {
    long jitter = ((draw(base, DRAW_TIME) >>> 32) * MILLIS_PER_TWEET) >>> 32;
    return FIRST_SEND_TIME + id * MILLIS_PER_TWEET + jitter;
  }

  /** One of a million users; each halving of the number doubles how much a user sends. */
  private static long userNumber(long base) {
    long bits = draw(base, DRAW_USER);
    return (bits & 0xFFFFF) >>> ((bits >>> 20) & 7);
  }

  private long userBase(long userNumber) {
    return mix(seed ^ (userNumber + 1) * 0xD1B54A32D192ED03L);
  }

  private static long userId(long userNumber) {
    return 10_000_000 + userNumber * 37;
  }

  private static long followers(long userBase) {
    return heavyTailed(draw(userBase, DRAW_FOLLOWERS), 2);
  }

  private static long friends(long userBase) {
    return heavyTailed(draw(userBase, DRAW_FRIENDS), 1);
  }

  private static long statuses(long userBase, long id) {
    return heavyTailed(draw(userBase, DRAW_STATUSES), 3) + (id >>> 12);
  }

  private static long retweets(long base) {
    return heavyTailed(draw(base, DRAW_COUNTS), 0) - 1;
  }

  private static long favorites(long base) {
    return heavyTailed(draw(base, DRAW_COUNTS) >>> 23, 0) - 1;
  }

  private void putTime(long millis) {
    long number = millis / DAY_MILLIS;
    if (number != dayNumber) {
      // Once in 864,000 tweets of one source.
      byte[] text = ascii(LocalDate.ofEpochDay(number) + "T");
      System.arraycopy(text, 0, day, 0, day.length);
      dayNumber = number;
    }
    int ofDay = (int) (millis - number * DAY_MILLIS);
    buffer.put(SEND_TIME);
    buffer.put(day);
    buffer.putDigits(ofDay / 3_600_000, 2);
    buffer.put(':');
    buffer.putDigits(ofDay / 60_000 % 60, 2);
    buffer.put(':');
    buffer.putDigits(ofDay / 1_000 % 60, 2);
    buffer.put('.');
    buffer.putDigits(ofDay % 1_000, 3);
    buffer.put(SEND_TIME_MILLIS);
    buffer.put(millis);
  }

  private void putUser(long base, long id) {
    long number = userNumber(base);
    long userBase = userBase(number);
    long name = name(userBase);
    buffer.put(USER_ID);
    buffer.put(userId(number));
    buffer.put(NAME);
    putName(buffer, name);
    buffer.put(SCREEN_NAME);
    buffer.putWord((int) (name & (TweetVocabulary.WORDS - 1)));
    buffer.dropLast();
    buffer.put('_');
    buffer.put(number);
    buffer.put(USER_LANG);
    buffer.put(LANGUAGES[(int) ((name >>> 24) & 0xFF) % LANGUAGES.length]);
    buffer.put(DESCRIPTION);
    putWords(buffer, userBase, DRAW_DESCRIPTION, 10 + (int) ((name >>> 32) & 15));
    buffer.put(FOLLOWERS);
    buffer.put(followers(userBase));
    buffer.put(FRIENDS);
    buffer.put(friends(userBase));
    buffer.put(STATUSES);
    buffer.put(statuses(userBase, id));
    buffer.put(VERIFIED);
    buffer.put(((name >>> 36) & 31) == 0 ? TRUE : FALSE);
    buffer.put(IMAGE);
    buffer.putDigits(name >>> 40, 8);
  }

  /** The bits that a user's names are made of. */
  private static long name(long userBase) {
    return draw(userBase, DRAW_NAME);
  }

  private static void putName(TweetBuffer target, long name) {
    target.putCapitalised((int) (name & (TweetVocabulary.WORDS - 1)));
    target.putCapitalised((int) ((name >>> 12) & (TweetVocabulary.WORDS - 1)));
    target.dropLast();
  }

  /** Words with single blanks between them; a text has at least one. */
  private void putWords(TweetBuffer target, long base, int firstDraw, int words) {
    long bits = 0;
    for (int i = 0; i < words; i++) {
      if ((i & 3) == 0) {
        bits = draw(base, firstDraw + (i >>> 2));
      }
      target.putWord(vocabulary.draw((int) bits));
      bits >>>= 16;
    }
    target.dropLast();
  }

  private void putMessage(TweetBuffer target, long base, byte[] quote) {
    long shape = draw(base, DRAW_SHAPE);
    if ((shape & 15) == 0) {
      // One in sixteen begins with a quotation, so that readers meet escapes.
      target.put(quote);
      target.putCapitalised(vocabulary.draw((int) (shape >>> 4)));
      target.dropLast();
      target.put(quote);
      target.put(' ');
    }
    putWords(target, base, DRAW_TEXT, 20 + (int) ((((shape >>> 20) & 0xFF) * 56) >>> 8));
    target.put('.');
  }

  private void putPlace(long base) {
    int cluster = cluster(base);
    buffer.put(LOCATION);
    buffer.putMillionths(longitude(base, cluster));
    buffer.put(',');
    buffer.putMillionths(latitude(base, cluster));
    buffer.put(PLACE);
    buffer.putCapitalised(cluster * 61 + 17);
    buffer.dropLast();
    buffer.put(CLUSTER);
    buffer.put((long) cluster);
  }

  /** In millionths of a degree. */
  private int longitude(long base, int cluster) {
    return clusterLongitudes[cluster] + bell(draw(base, DRAW_POSITION));
  }

  /** In millionths of a degree. */
  private int latitude(long base, int cluster) {
    return clusterLatitudes[cluster] + bell(mix(draw(base, DRAW_POSITION)));
  }

  /** A place for a tweet: low numbers are large cities. */
  private static int cluster(long base) {
    long bits = draw(base, DRAW_PLACE);
    return (int) ((bits & (CLUSTERS - 1)) >>> ((bits >>> 6) & 3));
  }

  /** A distance from a centre, in millionths of a degree: the sum of four uniform ones. */
  private static int bell(long bits) {
    int sum = (int) (bits & 0xFFFF) + (int) ((bits >>> 16) & 0xFFFF);
    sum += (int) ((bits >>> 32) & 0xFFFF) + (int) ((bits >>> 48) & 0xFFFF);
    return (sum - 2 * 0xFFFF) * 4;
  }

  private void putEntities(long base, long id) {
    long shape = draw(base, DRAW_SHAPE) >>> 28;
    buffer.put(HASHTAGS);
    long text = draw(base, DRAW_SHAPE + 1);
    for (int i = 0; i < (int) (shape & 3); i++) {
      buffer.put(i == 0 ? '"' : ',');
      if (i > 0) {
        buffer.put('"');
      }
      buffer.putWord(vocabulary.draw((int) (text >>> (16 * i))));
      buffer.dropLast();
      buffer.put('"');
    }
    buffer.put(MENTIONS);
    long mentioned = draw(base, DRAW_SHAPE + 2);
    for (int i = 0; i < (int) ((shape >>> 2) & 1) + (int) ((shape >>> 3) & 1); i++) {
      if (i > 0) {
        buffer.put(',');
      }
      buffer.put(userId((mentioned >>> (20 * i)) & 0xFFFFF));
    }
    buffer.put(REPLY);
    if (((shape >>> 4) & 3) == 0 && id > 0) {
      buffer.put(Math.max(0, id - 1 - ((shape >>> 6) & 0xFFFF)));
    } else {
      buffer.put(NULL);
    }
  }

  private void putCounts(long base) {
    long shape = draw(base, DRAW_SHAPE + 3);
    buffer.put(RETWEETED);
    buffer.put((shape & 7) == 0 ? TRUE : FALSE);
    buffer.put(RETWEETS);
    buffer.put(retweets(base));
    buffer.put(FAVORITES);
    buffer.put(favorites(base));
    buffer.put(LANG);
    buffer.put(LANGUAGES[(int) ((shape >>> 8) & 0xFF) % LANGUAGES.length]);
    buffer.put(SOURCE);
    buffer.put(SOURCES[(int) ((shape >>> 16) & 7)]);
    buffer.put(END);
  }
}
