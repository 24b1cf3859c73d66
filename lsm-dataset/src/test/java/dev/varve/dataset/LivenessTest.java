package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.scheduler.admission.StallCause;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.scheduling.SchedulerText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: if writers wait, some flush or merge that they wait for is running or runnable, and every
 * wait ends. Method: many trees with random policies, a random part of their memory at which they
 * are sealed and a random I/O budget, writers and maintenance as stepped workers in a seeded order
 * and in virtual time; an observer that looks at all waits while they last; schedulers and gates
 * that change on the way.
 */
class LivenessTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int WRITERS = 5;
  private static final int BATCH = 25;

  /** Sessions may take a chunk of memory between two looks, and a filter. */
  private static final long SLACK_BYTES = 1 << 20;

  private static final List<String> POLICIES =
      List.of(
          "constant(3) limit 4",
          "prefix(1m, 3)",
          "tiering(2) limit 4",
          "tiering(3) limit local",
          "leveling(3)",
          "size-tiered(1.2, 2, 4) limit 5",
          "binomial(3)",
          "blsm(3)",
          "constant(4) limit 2");
  private static final List<String> SCHEDULERS =
      List.of("fair", "single", "greedy(1)", "greedy(2)", "bounded-greedy(4)", "gear(500000)");
  private static final List<String> GATES =
      List.of(
          "stop",
          "slow(0.5, 2m)",
          "spring(0.6, 2m)",
          "cap(1m)",
          "controller(2, 3, 200k, 300k, 1m)",
          "controller(4, 5, 1m, 2m, 500k)");

  /** Each tree has memory of its own. */
  private static final long OWN = 0;

  @Test
  void noWriterOfAFewTreesWaitsForNothing() throws Exception {
    Set<String> causes = check(6, new Load(12, 100_000, OWN));
    assertTrue(
        causes.containsAll(Set.of("COMPONENT_LIMIT", "MEMORY_FULL", "PACE")), causes.toString());
  }

  @Test
  void noWriterOfAFewTreesThatShareMemoryWaitsForNothing() throws Exception {
    Set<String> causes = check(3, new Load(12, 100_000, 2 << 20));
    assertTrue(
        causes.containsAll(Set.of("COMPONENT_LIMIT", "MEMORY_BUDGET", "PACE")), causes.toString());
  }

  private static Set<String> check(int seeds, Load load) throws Exception {
    Set<String> causes = new TreeSet<>();
    Seeds.run(seeds, seed -> causes.addAll(new Run(seed, load).go()));
    return causes;
  }

  @Test
  @Tag("slow")
  void noWriterOfAThousandTreesWaitsForNothing() throws Exception {
    // Hundreds of merges wait for the budget at once, each with its buffers in a heap of a
    // gigabyte.
    Set<String> causes = check(1, new Load(1000, 1_000_000, OWN));
    assertTrue(
        causes.containsAll(Set.of("COMPONENT_LIMIT", "MEMORY_FULL", "PACE")), causes.toString());
  }

  @Test
  @Tag("slow")
  void noWriterOfAThousandTreesThatShareLittleMemoryWaitsForNothing() throws Exception {
    // A tree that holds anything holds 64 KiB: a hundred of them fill the memory.
    Set<String> causes = check(1, new Load(1000, 50_000, 6 << 20));
    assertTrue(causes.contains("MEMORY_BUDGET"), causes.toString());
  }

  /**
   * What is done.
   *
   * @param trees how many
   * @param operations of all writers together
   * @param sharedBytes memory that all trees share, or {@link #OWN}
   */
  private record Load(int trees, int operations, long sharedBytes) {}

  /** One engine and all who use it. Confined to the test's thread. */
  private static final class Run {
    private final RandomGenerator random;
    private final TestStore store;
    private final int trees;
    private final int operations;
    private final long sharedBytes;
    private final List<KeyValueSession> sessions = new ArrayList<>();
    private final Set<String> causes = new TreeSet<>();
    private int written;
    private int ended;
    private int looks;
    private long mostShared;

    Run(long seed, Load load) {
      this.random = Seeds.random(seed);
      this.store = TestStore.empty(seed);
      this.trees = load.trees();
      this.operations = load.operations();
      this.sharedBytes = load.sharedBytes();
    }

    /** Returns the causes of all waits. */
    Set<String> go() throws StorageException {
      EngineOptions options =
          TestStore.options()
              .cacheBytes(4 << 20)
              .activeDatasetBytes(1L << 40)
              .sharedMemoryBytes(sharedBytes)
              .sealAtFraction(0.5 + 0.45 * random.nextDouble())
              .logSegmentBytes(1 << 20)
              .logRetentionBytes(16 << 20)
              .ioBytesPerSecond(500_000 + random.nextLong(4_000_000))
              .stallTimeoutMillis(3_600_000)
              .build();
      try (StorageEngine engine = store.open(options)) {
        for (int i = 0; i < trees; i++) {
          String policy = POLICIES.get(random.nextInt(POLICIES.size()));
          sessions.add(
              engine
                  .createKeyValueStore(
                      "t" + i,
                      KeyValueOptions.DEFAULTS
                          .withMemoryBytes(192 << 10)
                          .withMergePolicy(new MergePolicyOptions(policy)))
                  .openSession());
        }
        TaskExecutor.Handle observer = store.executor.start(new Observer(engine));
        for (int i = 0; i < WRITERS; i++) {
          store.executor.start(new Writer(engine));
        }
        while (ended < WRITERS) {
          store.executor.runForNanos(SECOND);
        }
        for (KeyValueSession session : sessions) {
          session.close();
        }
        assertTrue(engine.awaitQuiet(360_000_000));
        observer.close();
        EngineStats stats = engine.stats();
        assertEquals(List.of(), stats.scheduling().broken());
        assertTrue(
            sharedBytes == OWN || mostShared <= sharedBytes + SLACK_BYTES,
            mostShared + " of " + sharedBytes + " bytes");
        assertTrue(looks > 0, "looked " + looks + " times at somebody who waits");
        System.out.println(
            written
                + " puts, "
                + looks
                + " looks at waits for "
                + causes
                + ", waits "
                + stats.stalls());
        return causes;
      }
    }

    private final class Writer implements Worker {
      private final StorageEngine engine;
      private final byte[] value = new byte[300];
      private boolean done;

      Writer(StorageEngine engine) {
        this.engine = engine;
      }

      @Override
      public String name() {
        return "writer";
      }

      @Override
      public int doWork() {
        if (done || written >= operations) {
          ended += done ? 0 : 1;
          done = true;
          return 0;
        }
        if (random.nextInt(2000) == 0) {
          engine.setScheduler(
              SchedulerText.parse(SCHEDULERS.get(random.nextInt(SCHEDULERS.size()))));
          engine.setGate(WriteGates.parse(GATES.get(random.nextInt(GATES.size()))));
        }
        // Few trees have most of the writes. A session is one writer's: it is taken meanwhile.
        int tree = (int) (trees * Math.pow(random.nextDouble(), 3));
        KeyValueSession session = sessions.set(tree, null);
        if (session == null) {
          return 1;
        }
        try {
          for (int i = 0; i < BATCH; i++) {
            byte[] key = ByteBuffer.allocate(8).putLong(random.nextLong(1 << 11)).array();
            written++;
            session.put(new Slice(key), new Slice(value, 0, 20 + random.nextInt(100)));
          }
          session.force();
        } catch (StorageException e) {
          throw new AssertionError("a wait did not end", e);
        }
        sessions.set(tree, session);
        return 1;
      }

      @Override
      public void failed(Throwable cause) {
        throw new AssertionError(cause);
      }
    }

    /** Looks at who waits, in the middle of it. */
    private final class Observer implements Worker {
      private final StorageEngine engine;

      Observer(StorageEngine engine) {
        this.engine = engine;
      }

      @Override
      public String name() {
        return "observer";
      }

      @Override
      public int doWork() {
        mostShared = Math.max(mostShared, engine.parts().node().admission().pool().takenBytes());
        WaitReport report = engine.waits();
        for (WaitReport.Wait wait : report.waits()) {
          looks++;
          causes.add(wait.cause());
          if (!StallCause.valueOf(wait.cause()).paces()) {
            assertFalse(
                wait.tasks().isEmpty() && wait.occupied().isEmpty(), "for nobody: " + report);
            assertTrue(
                report.tasks().stream()
                    .anyMatch(
                        task ->
                            wait.tasks().contains(task.number())
                                && (task.kind().equals("FLUSH") || task.state().equals("RUNNING"))),
                () -> "for nobody who may go on: " + report);
          }
        }
        return 0;
      }

      @Override
      public long napNanos() {
        return SECOND / 3;
      }

      @Override
      public void failed(Throwable cause) {
        throw new AssertionError(cause);
      }
    }
  }
}
