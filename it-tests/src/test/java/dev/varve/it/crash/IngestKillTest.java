package dev.varve.it.crash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.DatasetPartition;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.it.cli.CommandRun;
import dev.varve.rtree.query.RegionQuery;
import dev.varve.tweets.TweetCondition;
import dev.varve.tweets.TweetField;
import dev.varve.tweets.TweetGenerator;
import dev.varve.tweets.TweetPredicate;
import dev.varve.tweets.TweetText;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: whatever moment a process is killed at, all that it acknowledged is there afterwards, in
 * indexes of every kind, nothing is broken, and the ingest can go on. Method: a child JVM ingests
 * with little memory, so that flushes and merges are always under way; it is killed with SIGKILL,
 * after a random number of acknowledgements or at a random moment of its start; twelve times over
 * one directory, and six times over one whose trees are cut by key range.
 */
@Tag("slow")
final class IngestKillTest {
  private static final int ROUNDS = 12;
  private static final int NODES = 2;
  private static final int PARTITIONS_PER_NODE = 2;
  private static final long TWEET_SEED = 3;

  /** A part of a name that is neither rare nor everywhere. */
  private static final String PART = "and";

  /** More than a line for each partition. */
  private static final int TAIL_BYTES = 512;

  /** How often it is looked for an acknowledgement, at the least: some three minutes. */
  private static final int MOST_LOOKS = 9_000;

  @TempDir Path temporary;

  private final TweetGenerator generator = new TweetGenerator(TWEET_SEED);
  private final String word = frequentWord();
  private final List<Probe> probes =
      List.of(
          new Probe("btree:user.followers_count", new KeySearch(ValueRange.all()), (g, id) -> true),
          new Probe("btree:send_time_millis", new KeySearch(ValueRange.all()), (g, id) -> true),
          new Probe(
              "rtree:sender_location",
              new SpatialSearch(RegionQuery.everything()),
              (g, id) -> true),
          new Probe(
              "rtree-deleted-keys:sender_location",
              new SpatialSearch(RegionQuery.everything()),
              (g, id) -> true),
          new Probe(
              "keyword:message_text",
              TextSearch.allWords(word),
              TweetCondition.allWords(TweetText.MESSAGE, word)),
          new Probe(
              "ngram3:user.name",
              TextSearch.containing(PART),
              TweetCondition.contains(TweetText.USER_NAME, PART)));
  private final PartitionTable routing = PartitionTable.of(NODES, PARTITIONS_PER_NODE);

  @Test
  void acknowledgedTweetsSurviveEveryKill() throws StorageException, IOException {
    killOverAndOver("prefix:4m:3", ROUNDS);
  }

  @Test
  void soTheyDoWhereTreesAreCutByKeyRange() throws StorageException, IOException {
    killOverAndOver("partitioned-leveling:4:2m:256k:2:concurrent", ROUNDS / 2);
  }

  private void killOverAndOver(String policy, int rounds) throws StorageException, IOException {
    long seed = 20_261_121L;
    System.out.println("seed " + seed + ", tweets " + TWEET_SEED);
    Random random = new Random(seed);
    long low = 0;
    long highest = 0;
    for (int round = 0; round < rounds; round++) {
      ingestAndKill(policy, round, low, random);
      CommandRun verified = CommandRun.of("verify", "--json", "--dir", directory());
      assertEquals(0, verified.exitCode(), "round " + round + ": " + verified);
      Content content = content();
      long[] acknowledged = acknowledged();
      checkAcknowledged(content, acknowledged);
      checkSecondaries(content);
      low = Arrays.stream(acknowledged).min().orElseThrow() + 1;
      highest = Math.max(highest, content.ids.length() - 1);
      System.out.printf(
          "round %d: acknowledged %s, %d tweets, highest %d%n",
          round, Arrays.toString(acknowledged), content.ids.cardinality(), highest);
    }
    assertTrue(highest > 0, "no round got as far as a tweet");
    fillGaps(low, highest);
  }

  /** An index, a search of it, and the ids that the search must find if they are there. */
  private final class Probe {
    private final IndexDefinition index;
    private final IndexSearch search;
    private final TweetCondition condition;
    private final BitSet matching = new BitSet();
    private int known;

    Probe(String index, IndexSearch search, TweetCondition condition) {
      this.index = IndexDefinition.parse(index);
      this.search = search;
      this.condition = condition;
    }

    /** Which of some ids it must find. */
    BitSet among(BitSet ids) {
      for (; known < ids.length(); known++) {
        matching.set(known, condition.matches(generator, known));
      }
      BitSet expected = (BitSet) ids.clone();
      expected.and(matching);
      return expected;
    }
  }

  /** A word that many messages have and many have not. */
  private String frequentWord() {
    Map<String, Integer> counts = new TreeMap<>();
    for (long id = 0; id < 100; id++) {
      String message = generator.text(TweetText.MESSAGE, id).toLowerCase(Locale.ROOT);
      for (String found : new TreeSet<>(List.of(message.split("[^\\p{L}]+")))) {
        counts.merge(found, 1, Integer::sum);
      }
    }
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() < 50 && !entry.getKey().isEmpty())
        .max(Map.Entry.comparingByValue())
        .orElseThrow()
        .getKey();
  }

  private String directory() {
    return temporary.resolve("tweets").toString();
  }

  private Path acknowledgementFile() {
    return temporary.resolve("acks");
  }

  private void ingestAndKill(String policy, int round, long low, Random random) throws IOException {
    List<String> arguments =
        List.of(
            "--dir",
            directory(),
            "--tweets",
            "100000000",
            "--seed",
            "" + TWEET_SEED,
            "--start",
            "" + low,
            "--acks",
            acknowledgementFile().toString(),
            "--index",
            probes.stream().map(probe -> probe.index.text()).collect(Collectors.joining(",")),
            "--memory",
            "1m",
            "--policy",
            policy);
    try (ChildIngest child = ChildIngest.start(temporary.resolve("log-" + round), arguments)) {
      boolean early = round > 0 && random.nextInt(4) == 0;
      if (early) {
        // Somewhere in the start: before, during or just after recovery.
        boolean runs = child.runs(300 + random.nextInt(3_000));
        assertTrue(runs, child::output);
      } else {
        awaitAcknowledged(child, highestAcknowledged() + 50 + random.nextInt(8_000), random);
      }
      child.kill();
    }
  }

  /** Waits for as long as there are acknowledgements; a child that stands still has failed. */
  private void awaitAcknowledged(ChildIngest child, long wanted, Random random) throws IOException {
    long size = 0;
    int looks = 0;
    while (highestAcknowledged() < wanted) {
      boolean runs = child.runs(10 + random.nextInt(20));
      assertTrue(runs, child::output);
      long before = size;
      size = Files.exists(acknowledgementFile()) ? Files.size(acknowledgementFile()) : 0;
      looks = size == before ? looks + 1 : 0;
      assertTrue(looks < MOST_LOOKS, () -> "no acknowledgement any more\n" + child.threads());
    }
  }

  /** The highest id in the last lines, without reading the whole file again and again. */
  private long highestAcknowledged() throws IOException {
    if (!Files.exists(acknowledgementFile())) {
      return -1;
    }
    byte[] tail = new byte[TAIL_BYTES];
    int length;
    try (RandomAccessFile file = new RandomAccessFile(acknowledgementFile().toFile(), "r")) {
      file.seek(Math.max(0, file.length() - tail.length));
      length = file.read(tail);
    }
    String text = new String(tail, 0, Math.max(0, length), StandardCharsets.US_ASCII);
    long highest = -1;
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().skip(1).toList()) {
      highest = Math.max(highest, Long.parseLong(line.substring(line.indexOf(' ') + 1)));
    }
    return highest;
  }

  /** The highest acknowledged id by partition, -1 for none; a torn last line counts for nothing. */
  private long[] acknowledged() throws IOException {
    long[] highest = new long[routing.partitions()];
    Arrays.fill(highest, -1);
    if (Files.exists(acknowledgementFile())) {
      String text = Files.readString(acknowledgementFile());
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        int partition = Integer.parseInt(line.split(" ")[0]);
        highest[partition] = Math.max(highest[partition], Long.parseLong(line.split(" ")[1]));
      }
    }
    return highest;
  }

  /** The ids in each index of all partitions. */
  private record Content(BitSet ids, List<BitSet> byIndex) {}

  private Content content() throws StorageException {
    BitSet ids = new BitSet();
    List<BitSet> byIndex = probes.stream().map(probe -> new BitSet()).toList();
    for (int node = 0; node < NODES; node++) {
      Path store = Path.of(directory(), "node-" + node, "store");
      EngineOptions options = EngineOptions.of(store);
      try (StorageEngine engine = StorageEngine.open(options)) {
        if (!engine.names().contains("tweets")) {
          continue;
        }
        Dataset tweets = engine.dataset("tweets");
        for (int number = 0; number < tweets.partitionCount(); number++) {
          DatasetPartition partition = tweets.partition(number);
          try (RecordCursor records = partition.scan(ValueRange.all())) {
            addIds(records, ids);
          }
          for (int index = 0; index < probes.size(); index++) {
            Probe probe = probes.get(index);
            try (RecordCursor records = partition.search(probe.index.name(), probe.search)) {
              addIds(records, byIndex.get(index));
            }
          }
        }
      }
    }
    return new Content(ids, byIndex);
  }

  /** Adds the ids of records, each of which must be the generator's, and come once. */
  private void addIds(RecordCursor records, BitSet ids) throws StorageException {
    KeyDecoder decoder = new KeyDecoder();
    while (records.next()) {
      decoder.reset(records.key());
      int id = Math.toIntExact(decoder.readLong());
      assertTrue(!ids.get(id), () -> "twice: " + id);
      ids.set(id);
      int length = generator.generate(id);
      assertArrayEquals(
          Arrays.copyOf(generator.bytes(), length),
          records.value().toByteArray(),
          () -> "tweet " + id);
    }
  }

  private void checkAcknowledged(Content content, long[] acknowledged) {
    long end = Arrays.stream(acknowledged).max().orElseThrow();
    for (long id = 0; id <= end; id++) {
      int partition = routing.partition(Key.of(id).toSlice());
      if (id <= acknowledged[partition]) {
        assertTrue(content.ids.get((int) id), "acknowledged and lost: " + id);
      }
    }
  }

  private void checkSecondaries(Content content) {
    for (int index = 0; index < probes.size(); index++) {
      Probe probe = probes.get(index);
      assertEquals(probe.among(content.ids), content.byIndex.get(index), probe.index.text());
    }
  }

  /** Ingests what no round acknowledged; then every count is the generator's. */
  private void fillGaps(long low, long highest) {
    CommandRun.good(
        "ingest",
        "--json",
        "--dir",
        directory(),
        "--seed",
        "" + TWEET_SEED,
        "--start",
        "" + low,
        "--tweets",
        "" + (highest + 1 - low));
    assertEquals(highest + 1, count("--range", ":"));
    assertEquals(
        new TweetPredicate(TweetField.FOLLOWERS, 500, 999).count(generator, highest + 1),
        count("--by", "user.followers_count", "--range", "500:999"));
    double x = generator.longitude(0);
    double y = generator.latitude(0);
    assertEquals(
        TweetCondition.near(x, y, 0.1).count(generator, highest + 1),
        count("--by", "rtree:sender_location", "--near", x + "," + y + ",0.1"));
    assertEquals(
        TweetCondition.allWords(TweetText.MESSAGE, word).count(generator, highest + 1),
        count("--words", word));
    assertEquals(
        TweetCondition.contains(TweetText.USER_NAME, PART).count(generator, highest + 1),
        count("--contains", PART));
    CommandRun.good("verify", "--dir", directory());
  }

  private long count(String... query) {
    List<String> arguments = new ArrayList<>(List.of("query", "--count", "--json"));
    arguments.addAll(List.of("--dir", directory()));
    arguments.addAll(List.of(query));
    return CommandRun.good(arguments.toArray(new String[0])).json().path("count").asLong();
  }
}
