package dev.varve.examples.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.Signal;
import dev.varve.common.env.StorageFile;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmIndexStats;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SimulatedCrash;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.scheduling.SchedulerText;
import dev.varve.scheduler.service.MaintenanceContext;
import dev.varve.scheduler.service.MaintenanceListener;
import dev.varve.scheduler.service.MaintenanceOptions;
import dev.varve.scheduler.service.MaintenanceService;
import dev.varve.scheduler.service.TaskReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: an index kind of the length of a page or two gets from the wrapper what the others have:
 * flushes, merges by any policy under any scheduler, recovery after a crash anywhere, verify.
 * Method: seeded changes of records against a map, on the stock maintenance service; a script that
 * is crashed at every operation of the disk; a byte that is changed.
 */
final class HashIndexTest {
  private static final Path ROOT = Path.of("/node");
  private static final int SEEDS = 2;
  private static final int COLOURS = 30;
  private static final int RECORDS = 1000;
  private static final int CHANGES = 20_000;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no-merge|single",
        "constant(3)|fair",
        "prefix(128k, 3)|greedy(1)",
        "tiering(3)|greedy(2)",
        "leveling(4)|fair",
        "size-tiered(1.2, 2, 10)|single",
        "binomial(4)|arrival(2)"
      })
  void theStockPoliciesAndSchedulersDriveIt(String policy, String scheduler) throws Exception {
    Seeds.run(
        SEEDS, seed -> change(PolicyText.parse(policy), scheduler, Seeds.random(seed), policy));
  }

  private static void change(
      MergePolicy policy, String scheduler, RandomGenerator random, String name)
      throws StorageException {
    MemoryFileSystem files = newDisk();
    MaintenanceOptions options =
        MaintenanceOptions.DEFAULTS
            .withMergeThreads(2)
            .withBatchBytes(4096)
            .withScheduler(SchedulerText.parse(scheduler));
    List<String> problems = new ArrayList<>();
    MaintenanceContext context =
        new MaintenanceContext(
            new SystemClock(), new ThreadTaskExecutor(), IoBudget.unlimited(), listener(problems));
    try (MaintenanceService service = MaintenanceService.start(options, context);
        HashIndexFixture fixture = new HashIndexFixture(ROOT, files, service, policy)) {
      for (int i = 0; i < CHANGES; i++) {
        int record = random.nextInt(RECORDS);
        fixture.set(record, random.nextInt(4) == 0 ? null : colour(random));
        if (i % 2500 == 0) {
          String asked = colour(random);
          assertEquals(fixture.expected(COLOURS).get(asked), fixture.find(asked), asked);
          String own = fixture.model.getOrDefault(record, "none");
          assertEquals(fixture.model.containsKey(record), fixture.has(own, record));
        }
      }
      fixture.index.flush();
      assertEquals(Signal.Outcome.DONE, service.awaitQuiet(Signal.FOREVER));
      fixture.index.contents().verify();
      assertEquals(fixture.expected(COLOURS), fixture.findAll(COLOURS));
      LsmIndexStats stats = fixture.index.stats();
      assertTrue(stats.flushes() > 3, "flushes: " + stats);
      assertTrue(stats.merges() > 0 || name.equals("no-merge"), "merges: " + stats);
    }
    assertEquals(List.of(), problems);
    try (HashIndexFixture again =
        new HashIndexFixture(ROOT, files, HashIndexTest::runAtOnce, PolicyText.parse("none"))) {
      Map<String, Set<Integer>> found = again.findAll(COLOURS);
      again.index.compact();
      assertEquals(found, again.findAll(COLOURS));
      long live = found.values().stream().mapToLong(Set::size).sum();
      assertEquals(live, again.index.contents().verify(), "only what is valid is left");
    }
  }

  private static MaintenanceListener listener(List<String> problems) {
    return new MaintenanceListener() {
      @Override
      public void finished(TaskReport task) {}

      @Override
      public void failed(TaskReport task, StorageException cause) {
        problems.add(task + ": " + cause);
      }

      @Override
      public void poisoned(Throwable cause) {
        problems.add("poisoned: " + cause);
      }
    };
  }

  @Test
  void itComesBackFromACrashAtAnyOperationOfTheDisk() throws StorageException {
    long seed = Seeds.one(11);
    MemoryFileSystem whole = newDisk();
    script(whole, seed, new ArrayList<>());
    long operations = whole.operationCount();
    assertTrue(operations > 30, "operations: " + operations);
    for (long at = 1; at <= operations; at++) {
      MemoryFileSystem disk = newDisk();
      disk.crashAt(at);
      List<Map<String, Set<Integer>>> states = new ArrayList<>();
      try {
        script(disk, seed, states);
      } catch (SimulatedCrash expected) {
        // The script stops inside this call.
      }
      MemoryFileSystem after = disk.crash(Seeds.random(seed + at));
      try (HashIndexFixture fixture =
          new HashIndexFixture(ROOT, after, HashIndexTest::runAtOnce, PolicyText.parse("none"))) {
        fixture.index.contents().verify();
        Map<String, Set<Integer>> found = fixture.findAll(COLOURS);
        // What the last flush that returned left, or what the one under way was to leave.
        int known = Math.max(0, states.size() - 2);
        assertTrue(
            states.isEmpty() || states.subList(known, states.size()).contains(found), "" + at);
      }
    }
  }

  /** Notes before each flush what it is to leave. */
  private static void script(
      MemoryFileSystem disk, long seed, List<Map<String, Set<Integer>>> states)
      throws StorageException {
    RandomGenerator random = Seeds.random(seed);
    try (HashIndexFixture fixture =
        new HashIndexFixture(
            ROOT, disk, HashIndexTest::runAtOnce, PolicyText.parse("tiering(3)"))) {
      states.add(fixture.expected(COLOURS));
      for (int flush = 0; flush < 4; flush++) {
        for (int i = 0; i < 60; i++) {
          fixture.set(random.nextInt(80), random.nextInt(3) == 0 ? null : colour(random));
        }
        states.add(fixture.expected(COLOURS));
        fixture.index.flush();
      }
    }
  }

  @Test
  void aChangedByteIsFound() throws StorageException {
    MemoryFileSystem disk = newDisk();
    script(disk, 5, new ArrayList<>());
    Path component = disk.list(ROOT.resolve("hash")).get(0);
    try (StorageFile file = disk.open(component, OpenMode.READ_WRITE)) {
      file.write(4096 + 100, new byte[] {77}, 0, 1);
    }
    assertThrows(CorruptionException.class, () -> openAndVerify(disk));
  }

  private static void openAndVerify(MemoryFileSystem disk) throws StorageException {
    try (HashIndexFixture fixture =
        new HashIndexFixture(ROOT, disk, HashIndexTest::runAtOnce, PolicyText.parse("none"))) {
      fixture.index.contents().verify();
    }
  }

  private static MemoryFileSystem newDisk() throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    disk.createDirectories(ROOT);
    disk.forceDirectory(Path.of("/"));
    return disk;
  }

  private static void runAtOnce(MaintenanceTask task) {
    try {
      while (!task.done()) {
        task.step(4096);
      }
    } catch (StorageException e) {
      throw new AssertionError(e);
    }
  }

  private static String colour(RandomGenerator random) {
    return "colour " + random.nextInt(COLOURS);
  }
}
