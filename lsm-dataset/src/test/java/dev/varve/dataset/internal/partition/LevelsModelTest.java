package dev.varve.dataset.internal.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: an index that is cut by key range is a sorted map, whatever the order of writes, searches,
 * flushes, merges and moves, and whichever policies it has had. Method: seeded random operations
 * against a {@link TreeMap}, tasks stepped in a seeded order, several under way at once; components
 * so small that there are up to five levels.
 */
final class LevelsModelTest {
  private static final List<String> POLICIES =
      List.of(
          LevelsFixture.CUT,
          "partitioned-leveling(2, 16k, 4k, 2, best)",
          "partitioned-leveling(2, 16k, 4k, 2, exact)",
          "partitioned-leveling(2, 16k, 8k, 3, concurrent)",
          "partitioned-leveling(3, 8k, 4k, 1, best, concurrent)");

  /** Among them those of whole components. */
  private static final List<String> ALL_POLICIES = new ArrayList<>(POLICIES);

  static {
    ALL_POLICIES.addAll(List.of("none", "tiering(2)", "leveling(2)", "constant(3)"));
  }

  private int deepest;
  private int switches;
  private int moves;
  private int together;

  @Test
  void theIndexIsASortedMap() throws Exception {
    Seeds.run(60, seed -> new Run(seed).run());
    System.out.printf(
        "up to %d levels, %d moves, %d tasks at once, %d policies changed%n",
        deepest, moves, together, switches);
    if (System.getProperty(Seeds.PROPERTY) == null) {
      assertTrue(deepest >= 4, "no more levels than " + deepest);
      assertTrue(moves > 0, "nothing was moved");
      assertTrue(together > 1, "no two merges at once");
      assertTrue(switches > 0, "no policy was changed");
    }
  }

  /** One seed. */
  private final class Run {
    private final RandomGenerator random;
    private final SortedMap<String, String> model = new TreeMap<>();
    private final LevelsFixture fixture;
    private final boolean switching;
    private int written;

    Run(long seed) throws StorageException {
      random = Seeds.random(seed);
      switching = seed % 2 == 0;
      fixture = new LevelsFixture(new MemoryFileSystem(), any(switching ? ALL_POLICIES : POLICIES));
      fixture.queue.leave();
    }

    void run() throws StorageException {
      try (fixture) {
        for (int i = 0; i < 150; i++) {
          write();
          for (int j = random.nextInt(6); j > 0; j--) {
            stepSome();
          }
          sometimes();
          search();
        }
        fixture.queue.runAll();
        requireSame(LevelsFixture.entries(model), fixture.scan(KeyRange.all()));
      }
    }

    private String any(List<String> choices) {
      return choices.get(random.nextInt(choices.size()));
    }

    private String key() {
      return String.format("k%03d", random.nextInt(400));
    }

    /** Some of one neighbourhood, so that components do not all reach over everything. */
    private void write() {
      int from = random.nextInt(400);
      int width = random.nextBoolean() ? 400 : 30;
      for (int i = random.nextInt(30); i > 0; i--) {
        String key = String.format("k%03d", (from + random.nextInt(width)) % 400);
        if (random.nextInt(4) == 0) {
          fixture.delete(key);
          model.remove(key);
        } else {
          String value = "v" + written++ + "x".repeat(random.nextInt(400));
          fixture.put(key, value);
          model.put(key, value);
        }
      }
      if (random.nextInt(3) > 0) {
        fixture.index.seal();
      }
    }

    private void stepSome() throws StorageException {
      List<MaintenanceTask> tasks = fixture.queue.tasks();
      together =
          Math.max(
              together,
              (int)
                  tasks.stream().filter(task -> task.kind() == MaintenanceTask.Kind.MERGE).count());
      if (tasks.isEmpty()) {
        return;
      }
      MaintenanceTask task = tasks.get(random.nextInt(tasks.size()));
      if (random.nextInt(30) == 0 && task.kind() == MaintenanceTask.Kind.MERGE) {
        tasks.remove(task);
        task.cancel();
        fixture.index.scheduleMerges();
        return;
      }
      task.step(1 + random.nextInt(20_000));
      if (task.done()) {
        moves += task.describe().startsWith("move") ? 1 : 0;
        tasks.remove(task);
      }
    }

    private void sometimes() throws StorageException {
      deepest = Math.max(deepest, fixture.levels().size());
      int choice = random.nextInt(100);
      if (choice < 4) {
        fixture.queue.runAll();
        fixture.index.seal();
        fixture.queue.runAll();
        fixture.reopen();
      } else if (choice < 6) {
        fixture.queue.runAll();
        fixture.queue.runAtOnce();
        fixture.index.compact();
        fixture.queue.leave();
      } else if (choice < 12 && switching) {
        fixture.setPolicy(any(ALL_POLICIES));
        switches++;
      } else if (choice < 18) {
        fixture.index.contents().verify();
      }
    }

    private void search() throws StorageException {
      for (int i = 0; i < 10; i++) {
        String key = key();
        assertEquals(model.get(key), fixture.get(key), key);
      }
      String from = key();
      String to = key();
      KeyRange range = KeyRange.closedOpen(LevelsFixture.bytes(from), LevelsFixture.bytes(to));
      List<String> expected =
          from.compareTo(to) < 0 ? LevelsFixture.entries(model.subMap(from, to)) : List.of();
      requireSame(expected, fixture.scan(range));
      List<String> backwards = new ArrayList<>(expected);
      Collections.reverse(backwards);
      requireSame(backwards, fixture.scan(range.descending()));
      if (random.nextInt(10) == 0) {
        requireSame(LevelsFixture.entries(model), fixture.scan(KeyRange.all()));
      }
    }

    /** Says where the two differ first, and not all that they hold. */
    private static void requireSame(List<String> expected, List<String> found) {
      for (int i = 0; i < Math.min(expected.size(), found.size()); i++) {
        assertEquals(shortened(expected.get(i)), shortened(found.get(i)), "entry " + i);
      }
      assertEquals(expected.size(), found.size());
    }

    private static String shortened(String entry) {
      return entry.length() > 20 ? entry.substring(0, 20) + entry.length() : entry;
    }
  }
}
