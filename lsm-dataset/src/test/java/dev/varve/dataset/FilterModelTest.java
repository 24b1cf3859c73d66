package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.rtree.query.RegionQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: reads for a range of the filter field find exactly the records in it, in every index,
 * whatever components are left out.
 *
 * <p>Method: seeded upserts, deletes, transactions that commit or abort, flushes, merges, crashes
 * and reopening of a dataset with an index of each kind, kept by each of the strategies and by one
 * after the other, held against a map. Values mostly grow; some records keep theirs, get an old
 * one, or lose it. {@code verify} checks every component's bounds.
 */
class FilterModelTest {
  private static final int SEEDS = 8;
  private static final int STEPS = 150;
  private static final int KEYS = 40;
  private static final String NAME = "timed";
  private static final List<String> INDEXES =
      List.of("n", "rtree:at", "rtree-deleted-keys:at", "keyword:text", "ngram3:text");

  /** A record: its indexed number, which its place and text follow, and its time, if it has one. */
  private record Timed(int n, Optional<Integer> time) {
    byte[] json(int id) {
      String filter = time.map(value -> ",\"when\":{\"t\":" + value + "}").orElse("");
      return TestStore.bytes(
          "{\"id\":%d,\"n\":%d,\"at\":[%d,1],\"text\":\"%s tree\"%s}"
              .formatted(id, n, n, "word" + n, filter));
    }
  }

  static DatasetOptions options() {
    return DatasetOptions.of(NAME, "id")
        .withPartitions(2)
        .withIndexes(INDEXES.stream().map(IndexDefinition::parse).toList())
        .withFilterField(Optional.of(FieldPath.parse("when.t")))
        .withMemoryBytes(1 << 20)
        .withMergePolicy(MergePolicyOptions.constant(4));
  }

  @Test
  void readsOfARangeFindTheRecordsInIt() throws Exception {
    long[] skips = new long[INDEXES.size() + 1];
    Seeds.run(SEEDS, seed -> new Run(seed, skips, null).run());
    Seeds.run(SEEDS, seed -> new Run(seed, skips, IndexMaintenance.MUTABLE_BITMAP).run());
    for (int position = 0; position < skips.length; position++) {
      assertTrue(skips[position] > 0, "index " + position + " left nothing out");
    }
  }

  /** One seed. */
  private static final class Run {
    private final RandomGenerator random;
    private final TreeMap<Integer, Timed> model = new TreeMap<>();
    private final List<String> history = new ArrayList<>();
    private final long[] skips;
    private final @Nullable IndexMaintenance only;
    private TestStore store;
    private StorageEngine engine;
    private Dataset dataset;
    private final boolean keyed;
    private int time = 1000;

    /**
     * One run.
     *
     * @param only how it is kept all the time; null for one strategy after the other
     */
    Run(long seed, long[] skips, @Nullable IndexMaintenance only) throws StorageException {
      this.random = Seeds.random(seed);
      this.skips = skips;
      this.only = only;
      this.store = TestStore.empty(seed);
      this.engine = open();
      DatasetOptions plain = seed % 3 == 0 ? DatasetModel.mortal(options()) : options();
      boolean cut = only != null && random.nextInt(3) == 0;
      DatasetOptions made = cut ? plain.withMergePolicy(KeyValueModel.CUT) : plain;
      // Behind the others, so that it has no place in the counts.
      keyed = random.nextInt(3) > 0 || only != null;
      this.dataset =
          engine.createDataset(
              (keyed ? made.withPrimaryKeyIndex() : made).withMaintenance(anyMaintenance()));
    }

    private IndexMaintenance anyMaintenance() {
      IndexMaintenance[] all = IndexMaintenance.values();
      IndexMaintenance any = only == null ? all[random.nextInt(all.length)] : only;
      return any.needsPrimaryKeyIndex() && !keyed ? IndexMaintenance.LAZY : any;
    }

    private StorageEngine open() throws StorageException {
      return store.open(
          TestStore.options().recordLimits(new RecordLimits(32 << 10, 32, 32, 512)).build());
    }

    void run() throws StorageException {
      if (random.nextBoolean()) {
        load();
      }
      for (int i = 0; i < STEPS; i++) {
        step();
        if (i % 3 == 0) {
          check();
        }
        if (i % 40 == 39) {
          verify();
        }
      }
      dataset.flush();
      check();
      verify();
      count();
      engine.close();
    }

    private void verify() throws StorageException {
      assertEquals(List.of(), engine.verify().problems(), history::toString);
    }

    private void count() throws StorageException {
      for (PartitionStats partition : dataset.stats().partitions()) {
        for (int position = 0; position < skips.length; position++) {
          IndexStats index = partition.indexes().get(position);
          skips[position] += index.rangeSkips();
        }
      }
    }

    private void load() throws StorageException {
      history.add("load");
      try (RecordLoader loader = dataset.bulkLoad()) {
        for (int partition = 0; partition < 2; partition++) {
          for (int id = 0; id < KEYS; id += 2) {
            if (dataset.partitionOf(Key.of(id)) == partition) {
              Timed record = next(null);
              loader.add(record.json(id));
              model.put(id, record);
            }
          }
        }
        loader.finish();
      }
    }

    private void step() throws StorageException {
      int choice = random.nextInt(100);
      if (choice < 3) {
        IndexMaintenance next = anyMaintenance();
        history.add(next.toString());
        dataset.setMaintenance(next);
      } else if (choice < 55) {
        change(random.nextInt(KEYS));
      } else if (choice < 70) {
        transaction();
      } else if (choice < 90) {
        history.add("flush");
        dataset.flush();
        store.executor.runUntilIdle();
      } else if (choice < 92) {
        history.add("compact");
        dataset.compact();
      } else if (choice < 96) {
        crash();
      } else {
        history.add("reopen");
        count();
        engine.close();
        engine = open();
        dataset = engine.dataset(NAME);
      }
    }

    private void crash() throws StorageException {
      history.add("crash");
      count();
      TestStore left = new TestStore(store.files.crash(random), store.seed);
      engine.close();
      store = left;
      engine = open();
      dataset = engine.dataset(NAME);
    }

    private void change(int id) throws StorageException {
      if (random.nextInt(4) == 0) {
        history.add("delete " + id);
        dataset.delete(Key.of(id));
        model.remove(id);
      } else {
        Timed record = next(model.get(id));
        history.add(id + " to " + record);
        dataset.upsert(record.json(id));
        model.put(id, record);
      }
    }

    /** Mostly later than all others; else with the time of the old record, or without one. */
    private Timed next(Timed old) {
      int n = old != null && random.nextBoolean() ? old.n() : random.nextInt(6);
      time += random.nextInt(5);
      Optional<Integer> when =
          switch (random.nextInt(10)) {
            case 0 -> Optional.empty();
            case 1, 2 -> old == null ? Optional.of(time) : old.time();
            case 3 -> Optional.of(1000 + random.nextInt(time - 999));
            default -> Optional.of(time);
          };
      return new Timed(n, when);
    }

    /** Some of its components may be sealed, and others begun, before it ends. */
    private void transaction() throws StorageException {
      int number = random.nextInt(2);
      TreeMap<Integer, Timed> after = new TreeMap<>(model);
      boolean commits = random.nextBoolean();
      history.add(commits ? "transaction" : "transaction that aborts");
      try (RecordTransaction transaction = dataset.partition(number).beginTransaction()) {
        RandomSavepoints<TreeMap<Integer, Timed>> savepoints =
            new RandomSavepoints<>(transaction, TreeMap::new, random);
        for (int i = random.nextInt(5); i >= 0; i--) {
          after = savepoints.next(after);
          int id = random.nextInt(KEYS);
          if (dataset.partitionOf(Key.of(id)) != number) {
            continue;
          }
          if (random.nextInt(4) == 0) {
            transaction.delete(Key.of(id));
            after.remove(id);
          } else {
            Timed record = next(after.get(id));
            transaction.upsert(new Slice(record.json(id)));
            after.put(id, record);
          }
          history.add(id + " to " + after.get(id));
          if (random.nextInt(3) == 0) {
            history.add("sealed");
            dataset.managed.writeBuffer().seal();
          }
        }
        check();
        if (commits) {
          transaction.commit();
          model.clear();
          model.putAll(after);
        }
      }
      store.executor.runUntilIdle();
    }

    private void check() throws StorageException {
      int from = 1000 + random.nextInt(time - 999);
      int to = from + random.nextInt(30);
      KeyRange times = ValueRange.closed(Key.of(from), Key.of(to));
      FilterRange filter = FilterRange.of(times);
      Predicate<Timed> inTime =
          record -> record.time().filter(value -> value >= from && value <= to).isPresent();
      String where = from + " to " + to + " after ";
      List<Integer> all = ids(inTime);
      assertEquals(
          all,
          SearchModelTest.found(dataset.scan(ValueRange.all(), filter)),
          () -> where + history);
      assertEquals(all.size(), dataset.count(ValueRange.all(), filter), () -> where + history);
      int n = random.nextInt(6);
      List<Integer> some = ids(inTime.and(record -> record.n() == n));
      checkSearch("n", new KeySearch(ValueRange.exactly(Key.of(n))), filter, some);
      SpatialSearch place = new SpatialSearch(RegionQuery.within(0.5, n, 1));
      checkSearch("rtree:at", place, filter, some);
      checkSearch("rtree-deleted-keys:at", place, filter, some);
      checkSearch("keyword:text", TextSearch.allWords("tree word" + n), filter, some);
      checkSearch("keyword:text", TextSearch.phrase("tree"), filter, all);
      checkSearch("ngram3:text", TextSearch.containing("word" + n), filter, some);
      checkSearch("rtree:at", new NearestSearch(n, 0), filter, all);
      checkSearch("rtree-deleted-keys:at", new NearestSearch(n, 0), filter, all);
    }

    private void checkSearch(
        String index, IndexSearch search, FilterRange filter, List<Integer> expected)
        throws StorageException {
      String where = index + " " + search + " " + filter + " after ";
      assertEquals(
          expected,
          SearchModelTest.found(dataset.search(index, search, filter)),
          () -> where + history);
      assertEquals(expected.size(), dataset.countBy(index, search, filter), () -> where + history);
    }

    private List<Integer> ids(Predicate<Timed> wanted) {
      return model.entrySet().stream()
          .filter(record -> wanted.test(record.getValue()))
          .map(Map.Entry::getKey)
          .toList();
    }
  }
}
