package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.RegionQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Records change all the time, and match all the time: every search by every kind of index finds
 * each of them once, and every get finds a version that was committed, whatever commits, aborts, is
 * flushed or merged meanwhile.
 */
@Tag("slow")
class SteadySearchTest {
  private static final int RECORDS = 60;
  private static final int WRITERS = 3;
  private static final int ROUNDS = 700;

  private final AtomicBoolean writing = new AtomicBoolean(true);

  @Test
  void whatMatchesAllTheTimeIsNeverMissed() throws Exception {
    long seed = Seeds.one(17);
    try (StorageEngine engine =
        StorageEngine.open(
            TestStore.options().lockTimeoutMillis(20_000).build(),
            new EngineSeams(
                new MemoryFileSystem(),
                new SystemClock(),
                new ThreadTaskExecutor(),
                Seeds.random(1)))) {
      Dataset dataset = engine.createDataset(options());
      for (long id = 0; id < RECORDS; id++) {
        dataset.insert(record(id, Seeds.random(seed + id), "kept"));
      }
      ExecutorService threads = Executors.newCachedThreadPool();
      try {
        List<Future<Long>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          int writer = i;
          writers.add(threads.submit(() -> write(dataset, writer, Seeds.random(seed - writer))));
        }
        List<Future<Long>> others = new ArrayList<>();
        others.add(threads.submit(() -> search(dataset)));
        others.add(threads.submit(() -> search(dataset)));
        others.add(threads.submit(() -> maintain(dataset)));
        try {
          for (Future<Long> writer : writers) {
            assertTrue(writer.get() > 0);
          }
        } finally {
          writing.set(false);
        }
        for (Future<Long> other : others) {
          assertTrue(other.get() > 0);
        }
      } finally {
        threads.shutdownNow();
      }
      assertEquals(List.of(), dataset.verify().problems());
    }
  }

  private static DatasetOptions options() {
    return DatasetOptions.of("steady", "id")
        .withIndexes(
            List.of(
                IndexDefinition.on("n"),
                IndexDefinition.parse("rtree:at"),
                IndexDefinition.parse("rtree-deleted-keys:at"),
                IndexDefinition.parse("keyword:text"),
                IndexDefinition.parse("ngram3:text")))
        .withPartitions(2)
        .withMemoryBytes(1 << 20)
        .withMergePolicy(MergePolicyOptions.constant(3));
  }

  /** What each index is asked, and every record answers whatever it holds. */
  private static Map<String, IndexSearch> searches() {
    Rectangle all = new Rectangle(0, 0, 100, 100);
    Map<String, IndexSearch> searches = new LinkedHashMap<>();
    searches.put("n", new KeySearch(ValueRange.closed(Key.of(0), Key.of(100))));
    searches.put("rtree:at", new SpatialSearch(RegionQuery.intersecting(all)));
    searches.put("rtree-deleted-keys:at", new SpatialSearch(RegionQuery.containedIn(all)));
    searches.put("keyword:text", TextSearch.allWords("evergreen oak"));
    searches.put("ngram3:text", TextSearch.containing("evergreen"));
    return searches;
  }

  /**
   * A record that matches every search.
   *
   * @param fate whether it is committed
   */
  private static byte[] record(long id, RandomGenerator random, String fate) {
    return TestStore.bytes(
        "{\"id\":%d,\"n\":%d,\"at\":[%d,%d],\"text\":\"oak %d evergreen %s\"}"
            .formatted(
                id,
                random.nextInt(100),
                random.nextInt(100),
                random.nextInt(100),
                random.nextInt(100),
                fate));
  }

  private static long write(Dataset dataset, int writer, RandomGenerator random)
      throws StorageException {
    for (int round = 0; round < ROUNDS; round++) {
      long id = random.nextInt(RECORDS / WRITERS) * (long) WRITERS + writer;
      if (random.nextInt(4) > 0) {
        dataset.upsert(record(id, random, "kept"));
        continue;
      }
      int partition = dataset.partitionOf(Key.of(id));
      try (RecordTransaction scope = dataset.partition(partition).beginTransaction()) {
        boolean kept = random.nextBoolean();
        // Deleted and not: nobody may see it gone.
        scope.delete(Key.of(id));
        scope.upsert(new Slice(record(id, random, kept ? "kept" : "doomed")));
        if (kept) {
          scope.commit();
        }
      } catch (ConflictException e) {
        assertEquals(ConflictException.Reason.STALLED, e.reason());
      }
    }
    return ROUNDS;
  }

  private long search(Dataset dataset) throws StorageException {
    long searches = 0;
    List<Long> everyone = new ArrayList<>();
    for (long id = 0; id < RECORDS; id++) {
      everyone.add(id);
    }
    Map<String, IndexSearch> questions = searches();
    while (writing.get()) {
      for (Map.Entry<String, IndexSearch> question : questions.entrySet()) {
        try (RecordCursor cursor = dataset.search(question.getKey(), question.getValue())) {
          assertEquals(everyone, DatasetModel.sorted(cursor), question.getKey());
        }
        List<Key> keys = Counted.keys(dataset.searchKeys(question.getKey(), question.getValue()));
        assertEquals(everyone, keys.stream().map(SteadySearchTest::id).sorted().toList(), "keys");
        searches += 2;
      }
      for (String index : List.of("rtree:at", "rtree-deleted-keys:at")) {
        try (RecordCursor cursor = dataset.search(index, new NearestSearch(50, 50))) {
          assertEquals(everyone, DatasetModel.sorted(cursor), index + " nearest");
        }
        searches++;
      }
      for (long id : everyone) {
        String record = new String(dataset.get(Key.of(id)).orElseThrow(), StandardCharsets.UTF_8);
        assertTrue(record.contains("kept"), record);
      }
    }
    return searches;
  }

  private static long id(Key key) {
    return Long.parseLong(key.toString().replaceAll("[<>]", ""));
  }

  private long maintain(Dataset dataset) throws StorageException {
    long rounds = 0;
    while (writing.get()) {
      dataset.flush();
      if (rounds++ % 5 == 0) {
        dataset.compact();
      }
    }
    return rounds + 1;
  }
}
