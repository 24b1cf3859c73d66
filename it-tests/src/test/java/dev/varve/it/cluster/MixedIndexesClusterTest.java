package dev.varve.it.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterOptions;
import dev.varve.hyracks.node.ClusterShape;
import dev.varve.hyracks.node.IngestRequest;
import dev.varve.hyracks.node.Ingestion;
import dev.varve.hyracks.node.QueryResult;
import dev.varve.hyracks.operator.ReadRequest;
import dev.varve.hyracks.operator.SearchTerms;
import dev.varve.hyracks.operator.WriteMode;
import dev.varve.tweets.TweetCondition;
import dev.varve.tweets.TweetField;
import dev.varve.tweets.TweetGenerator;
import dev.varve.tweets.TweetPredicate;
import dev.varve.tweets.TweetSource;
import dev.varve.tweets.TweetText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: whatever happened to the records, every kind of index finds those that its question is
 * about, and no other. Method: tweets in a cluster of two nodes, a map of which tweet is there
 * under which id, and the generator's word on what each of them holds.
 */
final class MixedIndexesClusterTest {
  private static final String DATASET = "tweets";
  private static final String FOLLOWERS = "user.followers_count";
  private static final String PLACE = "rtree:sender_location";
  private static final String PLACE_TOO = "rtree-deleted-keys:sender_location";
  private static final String MESSAGE = "keyword:message_text";
  private static final String NAME = "ngram3:user.name";
  private static final long FIRST_SEED = 20261121;
  private static final long SECOND_SEED = 7;
  private static final int TWEETS = 4_000;
  private static final DatasetOptions OPTIONS =
      DatasetOptions.of(DATASET, "id")
          .withIndexes(
              Stream.of(FOLLOWERS, PLACE, PLACE_TOO, MESSAGE, NAME)
                  .map(IndexDefinition::parse)
                  .toList())
          .withMemoryBytes(2 << 20);

  /** A search of an index, and what a tweet must be to be found. */
  private record Question(String index, SearchTerms terms, TweetCondition condition) {}

  @TempDir private Path directory;
  private Cluster cluster;

  private final TweetGenerator first = new TweetGenerator(FIRST_SEED);
  private final TweetGenerator second = new TweetGenerator(SECOND_SEED);

  /** Which generator made the tweet that is stored under an id. */
  private final Map<Long, TweetGenerator> stored = new TreeMap<>();

  @BeforeEach
  void start() throws Exception {
    System.out.println("seeds " + FIRST_SEED + " and " + SECOND_SEED);
    cluster = open();
    cluster.createOrOpenDataset(OPTIONS);
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private Cluster open() throws Exception {
    return Cluster.start(ClusterOptions.of(directory, new ClusterShape(2, 2)));
  }

  private void write(WriteMode mode, TweetGenerator generator, long from, long count)
      throws Exception {
    long seed = generator == first ? FIRST_SEED : SECOND_SEED;
    IngestRequest request = new IngestRequest(DATASET, new TweetSource(seed, from, count), mode, 2);
    try (Ingestion feed = cluster.ingest(request)) {
      assertEquals(count, feed.result().stored());
    }
    for (long id = from; id < from + count; id++) {
      if (mode == WriteMode.DELETE) {
        stored.remove(id);
      } else {
        stored.put(id, generator);
      }
    }
  }

  @Test
  void everyIndexFindsWhatTheGeneratorSaysWhateverHappened() throws Exception {
    write(WriteMode.INSERT, first, 0, TWEETS);
    check("in memory");
    cluster.flush(DATASET);
    check("on disk");
    write(WriteMode.UPSERT, second, 1_000, 1_500);
    write(WriteMode.DELETE, first, 2_200, 500);
    write(WriteMode.INSERT, second, 2_300, 100);
    check("after changes and deletes");
    cluster.close();
    cluster = open();
    check("after a restart");
    cluster.compact(DATASET);
    check("in one component");
    assertEquals(List.of(), cluster.verify(DATASET));
  }

  @Test
  void everyIndexIsLoadedWithItsDataset() throws Exception {
    write(WriteMode.LOAD, first, 0, TWEETS);
    check("loaded");
    write(WriteMode.UPSERT, second, 500, 200);
    check("changed");
    assertEquals(List.of(), cluster.verify(DATASET));
  }

  private void check(String when) throws Exception {
    assertEquals(stored.size(), cluster.countScan(DATASET, KeyRange.all()), when);
    KeyRange followers = ValueRange.closed(Key.of(1_000L), Key.of(1_999L));
    assertEquals(
        ids(new TweetPredicate(TweetField.FOLLOWERS, 1_000, 1_999)).size(),
        cluster.count(ReadRequest.search(DATASET, FOLLOWERS, followers)),
        when);
    for (Question question : questions()) {
      Set<Long> expected = ids(question.condition);
      String what = when + ": " + question;
      assertFalse(expected.isEmpty(), what);
      assertTrue(expected.size() < stored.size() / 2, what);
      assertEquals(expected, found(question), what);
      assertEquals(
          expected.size(),
          cluster.count(ReadRequest.search(DATASET, question.index, question.terms)),
          what);
    }
    checkNearest(when, PLACE);
    checkNearest(when, PLACE_TOO);
  }

  /** Questions about the tweet with an id that no test changes, so that each finds something. */
  private List<Question> questions() {
    long id = 7;
    double x = first.longitude(id);
    double y = first.latitude(id);
    String[] message = words(first.text(TweetText.MESSAGE, id));
    String name = first.text(TweetText.USER_NAME, id);
    String part = name.substring(1, name.length() - 1).toUpperCase(Locale.ROOT);
    List<Question> questions = new ArrayList<>();
    for (String index : List.of(PLACE, PLACE_TOO)) {
      questions.add(
          new Question(index, new SearchTerms.Near(x, y, 0.1), TweetCondition.near(x, y, 0.1)));
      questions.add(
          new Question(
              index,
              new SearchTerms.Window(x - 0.2, y - 0.05, x, y + 9),
              TweetCondition.inWindow(x - 0.2, y - 0.05, x, y + 9)));
    }
    String few = message[3] + " " + message[10];
    questions.add(
        text(MESSAGE, TextSearch.Match.ALL_WORDS, few)
            .when(TweetCondition.allWords(TweetText.MESSAGE, message[3], message[10])));
    questions.add(
        text(MESSAGE, TextSearch.Match.ANY_WORD, few + " missing")
            .when(TweetCondition.anyWord(TweetText.MESSAGE, message[3], message[10])));
    questions.add(
        text(MESSAGE, TextSearch.Match.PHRASE, message[5] + ", " + message[6])
            .when(TweetCondition.phrase(TweetText.MESSAGE, message[5], message[6])));
    questions.add(
        text(NAME, TextSearch.Match.SUBSTRING, part)
            .when(TweetCondition.contains(TweetText.USER_NAME, part)));
    questions.add(
        new Question(
            NAME,
            new SearchTerms.Text(TextSearch.Match.SIMILAR, name, 0.41),
            TweetCondition.similar(TweetText.USER_NAME, name, 0.41)));
    return questions;
  }

  /** A question about a text that lacks what a tweet must be. */
  private record Asked(String index, SearchTerms terms) {
    Question when(TweetCondition condition) {
      return new Question(index, terms, condition);
    }
  }

  private static Asked text(String index, TextSearch.Match match, String text) {
    return new Asked(index, new SearchTerms.Text(match, text));
  }

  private static String[] words(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", " ").strip().split(" ");
  }

  private Set<Long> ids(TweetCondition condition) {
    Set<Long> ids = new TreeSet<>();
    stored.forEach(
        (id, generator) -> {
          if (condition.matches(generator, id)) {
            ids.add(id);
          }
        });
    return ids;
  }

  private Set<Long> found(Question question) throws Exception {
    Set<Long> ids = new TreeSet<>();
    try (QueryResult result =
        cluster.read(ReadRequest.search(DATASET, question.index, question.terms))) {
      while (result.next()) {
        assertTrue(ids.add(id(result)), "twice: " + ids);
      }
    }
    return ids;
  }

  /** The id of the current record, which must be the tweet that is stored under it. */
  private long id(QueryResult result) {
    long id = new KeyDecoder().reset(result.key()).readLong();
    TweetGenerator generator = stored.get(id);
    int length = generator.generate(id);
    assertArrayEquals(
        Arrays.copyOf(generator.bytes(), length), result.record().toByteArray(), "tweet " + id);
    return id;
  }

  private void checkNearest(String when, String index) throws Exception {
    double x = first.longitude(3) + 0.5;
    double y = first.latitude(3);
    List<Double> expected = new ArrayList<>();
    stored.forEach((id, generator) -> expected.add(TweetCondition.distance(generator, id, x, y)));
    expected.sort(null);
    SearchTerms terms = new SearchTerms.Nearest(x, y, 50);
    List<Double> distances = new ArrayList<>();
    try (QueryResult result = cluster.read(ReadRequest.search(DATASET, index, terms))) {
      while (result.next()) {
        long id = id(result);
        distances.add(TweetCondition.distance(stored.get(id), id, x, y));
      }
    }
    assertEquals(expected.subList(0, 50), distances, when);
    assertEquals(50, cluster.count(ReadRequest.search(DATASET, index, terms)), when);
    try (QueryResult result = cluster.read(ReadRequest.search(DATASET, index, terms).first(3))) {
      for (int i = 0; i < 3; i++) {
        assertTrue(result.next());
      }
      assertFalse(result.next());
    }
    SearchTerms all = new SearchTerms.Nearest(x, y, 1_000_000);
    assertEquals(stored.size(), cluster.count(ReadRequest.search(DATASET, index, all)), when);
  }

  @Test
  void questionsToAnotherKindOfIndexAreRefused() throws Exception {
    write(WriteMode.INSERT, first, 0, 10);
    SearchTerms near = new SearchTerms.Near(1, 2, 3);
    SearchTerms words = new SearchTerms.Text(TextSearch.Match.ALL_WORDS, "word");
    SearchTerms part = new SearchTerms.Text(TextSearch.Match.SUBSTRING, "word");
    assertRefused(RequestException.Reason.UNSUPPORTED, FOLLOWERS, near);
    assertRefused(RequestException.Reason.UNSUPPORTED, MESSAGE, near);
    assertRefused(RequestException.Reason.UNSUPPORTED, PLACE, words);
    assertRefused(RequestException.Reason.UNSUPPORTED, MESSAGE, part);
    assertRefused(RequestException.Reason.UNSUPPORTED, NAME, words);
    assertRefused(RequestException.Reason.UNKNOWN_INDEX, "rtree:elsewhere", near);
    RequestException range =
        assertThrows(
            RequestException.class,
            () -> cluster.count(ReadRequest.search(DATASET, PLACE, KeyRange.all())));
    assertEquals(RequestException.Reason.UNSUPPORTED, range.reason());
  }

  private void assertRefused(RequestException.Reason reason, String index, SearchTerms terms) {
    RequestException refused =
        assertThrows(
            RequestException.class,
            () -> cluster.count(ReadRequest.search(DATASET, index, terms)),
            index);
    assertEquals(reason, refused.reason(), index);
    boolean unknown = reason == RequestException.Reason.UNKNOWN_INDEX;
    assertTrue(
        refused.getMessage().contains(unknown ? index : "does not answer"), refused.getMessage());
  }

  @Test
  void aDatasetWithOtherKindsIsRefused() throws Exception {
    for (String other :
        List.of("rtree:user.followers_count", "keyword:user.followers_count", "send_time_millis")) {
      DatasetOptions options =
          OPTIONS.withIndexes(
              Stream.concat(
                      Stream.of(IndexDefinition.parse(other)), OPTIONS.indexes().stream().skip(1))
                  .toList());
      ConflictException refused =
          assertThrows(ConflictException.class, () -> cluster.createOrOpenDataset(options));
      assertEquals(ConflictException.Reason.OPTIONS_MISMATCH, refused.reason());
    }
    cluster.createOrOpenDataset(OPTIONS);
  }
}
