package dev.varve.dataset;

import static dev.varve.dataset.KeyValueModel.slice;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.KeyValueOptions.Operator;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The power fails, or the process dies, in every call that changes the disk, while sessions at all
 * levels of durability put and remove pairs, alone and in transactions: what is left opens, keeps
 * every rule, and is the state after some prefix of the commits, which includes what was
 * acknowledged at a level that survives this, and everything that the log said was durable.
 */
@Tag("slow")
class KeyValueCrashTest {
  private static final Durability[] LEVELS = Durability.values();

  @Test
  void everyCrashLeavesAPrefixOfTheCommitsWithAllThatItsLevelPromises() throws Exception {
    Seeds.run(5, seed -> new Run(seed, KeyValueModel.options()).run());
  }

  @Test
  void soItDoesWhereComponentsAreCutByKeyRange() throws Exception {
    KeyValueOptions options = KeyValueModel.options().withMergePolicy(KeyValueModel.CUT);
    Seeds.run(3, seed -> new Run(seed, options).run());
  }

  @Test
  void soItDoesWhereLargeValuesAreKeptApart() throws Exception {
    KeyValueOptions options = KeyValueModel.options().withLargeValueBytes(64);
    Seeds.run(3, seed -> new Run(seed, options).run());
  }

  @Test
  void soItDoesWithOperandsOfWhichNoneMayCountTwice() throws Exception {
    KeyValueOptions options = KeyValueModel.options().withOperator(Operator.ADD_LONG);
    Seeds.run(3, seed -> new Run(seed, options).run());
  }

  @Test
  void soItDoesUnderATunerThatChangesEverythingAllTheTime() throws Exception {
    KeyValueOptions options = KeyValueModel.options().withMergePolicy(KeyValueModel.CUT);
    Seeds.run(
        3,
        seed -> {
          ScriptedTuner restless = ScriptedTuner.restless(seed);
          new Run(seed, options, TestStore.options().tuner(restless).build()).run();
          assertTrue(restless.windows.size() > 4, restless.windows.size() + " windows");
        });
  }

  /** A state, and where the log ended when the commit that led to it had been appended. */
  private record Reached(KeyValueModel model, long endLsn) {}

  private static final class Run {
    private static final long NOT_YET = Long.MAX_VALUE;

    private final KeyValueOptions options;
    private final EngineOptions engineOptions;
    private final long seed;
    private final RandomGenerator random;
    private final RandomGenerator crashes;
    private final TestStore store;
    private StorageEngine engine;
    private KeyValueStore pairs;
    private boolean created;
    private int checked;
    private long written;
    private long redone;

    /** The state at the start, then the one after each commit. */
    private final List<Reached> states = new ArrayList<>();

    /** Index of the last state that survives the death of the process. */
    private int acknowledged;

    /** Index of the last state that survives a power loss. */
    private int durable;

    Run(long seed, KeyValueOptions options) {
      this(seed, options, TestStore.options().build());
    }

    Run(long seed, KeyValueOptions options, EngineOptions engineOptions) {
      this.engineOptions = engineOptions;
      this.options = options.withMemoryBytes(90 << 10);
      this.seed = seed;
      this.random = Seeds.random(seed);
      this.crashes = Seeds.random(~seed);
      this.store = TestStore.empty(seed);
      states.add(new Reached(new KeyValueModel(options), 0));
    }

    void run() throws StorageException {
      store.files.onOperation(this::checkCrash);
      engine = store.open(engineOptions);
      pairs = engine.createKeyValueStore(KeyValueModel.NAME, options);
      created = true;
      for (int i = 0; i < 26; i++) {
        step();
        if (i == 14) {
          engine.close();
          acknowledge(Durability.POWER_LOSS);
          engine = store.open(engineOptions);
          pairs = engine.keyValueStore(KeyValueModel.NAME);
        }
      }
      newest().check(pairs);
      engine.close();
      store.files.onOperation(null);
      System.out.println(checked + " crash points, " + redone + " operations redone");
      assertTrue(checked > 300, checked + " crash points");
      assertTrue(redone > 300, redone + " operations redone");
    }

    private KeyValueModel newest() {
      return states.get(states.size() - 1).model();
    }

    private void step() throws StorageException {
      store.clock.advanceNanos(1_100_000_000L);
      switch (random.nextInt(9)) {
        case 0 -> pairs.flush();
        case 1 -> pairs.compact();
        case 2 -> transaction();
        case 3 -> store.executor.runUntilIdle();
        case 4 -> deleteRange();
        default -> session();
      }
    }

    /** Deletes a range where components are whole; one that hides much, or little. */
    private void deleteRange() throws StorageException {
      if (options.mergePolicy().equals(KeyValueModel.CUT)) {
        return;
      }
      String low = KeyValueModel.key(random);
      KeyRange range =
          random.nextBoolean()
              ? KeyRange.atLeast(slice(low).toByteArray())
              : KeyRange.prefix(slice(low).toByteArray());
      issue().pairs.keySet().removeIf(key -> range.contains(slice(key)));
      pairs.deleteRange(range);
      committed();
      acknowledge(Durability.POWER_LOSS);
    }

    /** The state that the next commit leads to, possible from now on. */
    private KeyValueModel issue() {
      KeyValueModel next = new KeyValueModel(newest());
      states.add(new Reached(next, NOT_YET));
      return next;
    }

    private void committed() {
      long endLsn = engine.parts().node().log().endLsn();
      states.set(states.size() - 1, new Reached(newest(), endLsn));
    }

    private void acknowledge(Durability level) {
      if (level == Durability.NONE) {
        return;
      }
      acknowledged = states.size() - 1;
      if (level == Durability.POWER_LOSS) {
        durable = states.size() - 1;
      }
    }

    private void session() throws StorageException {
      Durability level = LEVELS[random.nextInt(LEVELS.length)];
      try (KeyValueSession session = pairs.openSession(level)) {
        for (int i = random.nextInt(7); i >= 0; i--) {
          write(session);
          committed();
          if (random.nextInt(5) == 0) {
            session.force();
            acknowledge(level);
          }
        }
      }
      acknowledge(level);
    }

    private void write(KeyValueSession session) throws StorageException {
      String key = KeyValueModel.key(random);
      KeyValueModel after = issue();
      if (random.nextInt(5) == 0) {
        session.write(after.batch(random, () -> ++written));
        return;
      }
      String value = after.newValue(random, ++written);
      if (after.hasOperator() && random.nextInt(3) > 0) {
        after.merge(key, value);
        session.merge(slice(key), slice(value));
        return;
      }
      switch (random.nextInt(5)) {
        case 0 -> {
          after.pairs.remove(key);
          session.remove(slice(key));
        }
        case 1 -> {
          after.pairs.remove(key);
          session.delete(slice(key));
        }
        case 2 -> {
          after.pairs.put(key, value);
          session.upsert(slice(key), slice(value));
        }
        default -> {
          after.pairs.put(key, value);
          session.put(slice(key), slice(value));
        }
      }
    }

    private void transaction() throws StorageException {
      KeyValueModel after = new KeyValueModel(newest());
      try (KeyValueTransaction scope = pairs.beginTransaction()) {
        RandomSavepoints<KeyValueModel> savepoints =
            new RandomSavepoints<>(scope, KeyValueModel::new, random);
        for (int i = random.nextInt(5); i >= 0; i--) {
          after = savepoints.next(after);
          String key = KeyValueModel.key(random);
          String value = after.newValue(random, ++written);
          scope.upsert(slice(key), slice(value));
          after.pairs.put(key, value);
        }
        if (random.nextInt(3) > 0) {
          states.add(new Reached(after, NOT_YET));
          scope.commit();
          committed();
          acknowledge(Durability.POWER_LOSS);
        }
      } catch (ConflictException tooLarge) {
        // The memory is small enough for this to happen; the transaction was aborted.
        assertEquals(ConflictException.Reason.STALLED, tooLarge.reason());
      }
    }

    private void checkCrash(MemoryFileSystem.Operation operation) {
      checked++;
      String where = "seed " + seed + ", operation " + operation;
      // Image 1 is what the kernel has: the process dies, the machine does not.
      MemoryFileSystem killed = store.files.crash(1, crashes);
      checkLeft(new TestStore(killed, seed), acknowledged, where + ", killed");
      MemoryFileSystem powerless = store.files.crash(crashes);
      checkLeft(new TestStore(powerless, seed), leastAfterPowerLoss(), where + ", power loss");
    }

    /** What the log says is durable survives, whoever asked for it. */
    private int leastAfterPowerLoss() {
      int least = durable;
      if (engine != null) {
        long durableLsn = engine.parts().node().log().durableLsn();
        for (int i = least + 1; i < states.size(); i++) {
          least = states.get(i).endLsn() <= durableLsn ? i : least;
        }
      }
      return least;
    }

    private void checkLeft(TestStore left, int least, String where) {
      try {
        check(left, least);
      } catch (StorageException | AssertionError e) {
        throw new AssertionError(where + ": " + e.getMessage(), e);
      }
    }

    private void check(TestStore left, int least) throws StorageException {
      try (StorageEngine opened = left.open()) {
        if (opened.names().isEmpty()) {
          assertTrue(!created, "the store is gone");
          return;
        }
        redone += opened.stats().recovery().redoneOperations();
        KeyValueStore there = opened.keyValueStore(KeyValueModel.NAME);
        List<String> found = KeyValueModel.texts(there.scan(KeyRange.all()));
        KeyValueModel state =
            states.subList(least, states.size()).stream()
                .map(Reached::model)
                .filter(model -> KeyValueModel.texts(model.pairs).equals(found))
                .findFirst()
                .orElseThrow(() -> new AssertionError(difference(least, found)));
        state.check(there);
        try (KeyValueSession session = there.openSession()) {
          session.put(slice("zz"), slice("is there"));
        }
      }
      try (StorageEngine opened = left.open()) {
        KeyValueStore there = opened.keyValueStore(KeyValueModel.NAME);
        assertEquals("is there", KeyValueModel.get(there, "zz"));
      }
    }

    /** How the pairs differ from the state that must be there at least. */
    private String difference(int least, List<String> found) {
      List<String> missing = KeyValueModel.texts(states.get(least).model().pairs);
      missing.removeAll(found);
      List<String> superfluous = new ArrayList<>(found);
      superfluous.removeAll(KeyValueModel.texts(states.get(least).model().pairs));
      return "none of the last "
          + (states.size() - least)
          + " states: lacks "
          + heads(missing)
          + " and has "
          + heads(superfluous);
    }

    private static List<String> heads(List<String> pairs) {
      return pairs.stream().map(pair -> pair.substring(0, Math.min(40, pair.length()))).toList();
    }
  }

  @Test
  void aCrashInARecoveryOfLoneUpdatesIsRecoveredFrom() throws Exception {
    Seeds.run(
        4,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          TestStore store = TestStore.empty(seed);
          KeyValueModel model = new KeyValueModel();
          StorageEngine lost = store.open();
          KeyValueStore pairs =
              lost.createKeyValueStore(KeyValueModel.NAME, KeyValueModel.options());
          for (int i = 0; i < 60; i++) {
            String key = KeyValueModel.key(random);
            String value = KeyValueModel.value(random, i);
            try (KeyValueSession session = pairs.openSession()) {
              if (random.nextInt(4) == 0) {
                session.remove(slice(key));
                model.pairs.remove(key);
              } else {
                session.put(slice(key), slice(value));
                model.pairs.put(key, value);
              }
            }
            if (i == 25) {
              pairs.flush();
            }
          }
          TestStore crashed = new TestStore(store.files.crash(0, random), seed);
          crashed.files.onOperation(
              operation -> {
                TestStore again = new TestStore(crashed.files.crash(random), seed);
                try (StorageEngine engine = again.open()) {
                  model.check(engine.keyValueStore(KeyValueModel.NAME));
                } catch (StorageException e) {
                  throw new AssertionError("seed " + seed + ", crash in " + operation, e);
                }
              });
          try (StorageEngine engine = crashed.open()) {
            crashed.files.onOperation(null);
            assertTrue(engine.stats().recovery().redoneOperations() > 0);
            model.check(engine.keyValueStore(KeyValueModel.NAME));
          }
          lost.close();
        });
  }
}
