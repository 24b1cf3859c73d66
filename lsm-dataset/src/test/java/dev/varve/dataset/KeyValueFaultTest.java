package dev.varve.dataset;

import static dev.varve.dataset.KeyValueModel.slice;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.EngineOptions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Disks that fail under a key-value store: what was acknowledged stays as it was last, what was
 * refused left nothing, what is unknown is there whole or not, and all is closed.
 */
class KeyValueFaultTest {
  private static final int KEYS = 20;

  /** What each key may hold once the disk is well again; null stands for absence. */
  private static final class Possible {
    private final Map<String, Set<String>> values = new HashMap<>();
    private final Map<String, Set<String>> unacknowledged = new HashMap<>();

    Set<String> of(String key) {
      return values.computeIfAbsent(key, absent -> setOf(null));
    }

    private static Set<String> setOf(String value) {
      Set<String> set = new HashSet<>();
      set.add(value);
      return set;
    }

    /** A call that will end in a commit or in doubt, unless it is refused. */
    void written(String key, String value) {
      unacknowledged.computeIfAbsent(key, absent -> new HashSet<>()).add(value);
      last.put(key, value);
    }

    private final Map<String, String> last = new HashMap<>();

    void acknowledged() {
      last.forEach((key, value) -> values.put(key, setOf(value)));
      last.clear();
      unacknowledged.clear();
    }

    void unknown() {
      unacknowledged.forEach((key, set) -> of(key).addAll(set));
      last.clear();
      unacknowledged.clear();
    }
  }

  /** One call after the other fails; each run goes as far as it comes, then the disk is well. */
  @Test
  @Tag("slow")
  void anyCallMayFailOnce() throws Exception {
    Seeds.run(
        2,
        seed -> {
          for (int call = 1 + (int) seed; call < 3_000; call += 3) {
            if (!failAt(seed, call, "EIO")) {
              System.out.println("all well from call " + call + " on");
              assertTrue(call > 100);
              return;
            }
          }
        });
  }

  @Test
  @Tag("slow")
  void theDiskMayBeFullFromAnyCallOn() throws Exception {
    Seeds.run(
        1,
        seed -> {
          for (int call = 3; call < 3_000; call += 7) {
            if (!failAt(seed, call, "ENOSPC persistent")) {
              return;
            }
          }
        });
  }

  /** Returns whether the fault came up. */
  private static boolean failAt(long seed, int call, String fault) {
    TestStore store = TestStore.empty(seed);
    Possible possible = new Possible();
    store.faults.setPlan("any * " + call + " " + fault);
    try {
      workload(store, possible);
    } catch (StorageException expected) {
      // The engine could not be opened, or not be closed in order.
    }
    boolean failed = store.faults.faultCount() > 0;
    String where = "seed " + seed + ", " + fault + " at call " + call;
    store.faults.setPlan("");
    store.faults.assertNothingOpen();
    try (StorageEngine engine = store.open()) {
      if (engine.names().isEmpty()) {
        assertEquals(Map.of(), possible.values, where);
        return failed;
      }
      assertEquals(java.util.List.of(), engine.verify().problems(), where);
      KeyValueStore pairs = engine.keyValueStore(KeyValueModel.NAME);
      for (int i = 0; i < KEYS; i++) {
        String found = KeyValueModel.get(pairs, "k" + i);
        Set<String> allowed = possible.of("k" + i);
        assertTrue(
            allowed.stream().anyMatch(value -> Objects.equals(value, found)),
            where + ": k" + i + " is " + found + ", not one of " + allowed);
      }
    } catch (StorageException e) {
      throw new AssertionError(where, e);
    }
    return failed;
  }

  private static void workload(TestStore store, Possible possible) throws StorageException {
    EngineOptions options = TestStore.options().stallTimeoutMillis(1_000).build();
    RandomGenerator random = Seeds.random(store.seed);
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore pairs = engine.createKeyValueStore(KeyValueModel.NAME, KeyValueModel.options());
      boolean doubtful = false;
      for (int round = 0; round < 25; round++) {
        try (KeyValueSession session = pairs.openSession()) {
          for (int i = random.nextInt(4); i >= 0; i--) {
            doubtful |= write(session, random, round, possible);
          }
          session.force();
          assertTrue(!doubtful, "acknowledged after a commit of unknown outcome");
          possible.acknowledged();
        } catch (OutcomeUnknownException e) {
          doubtful = true;
          possible.unknown();
        } catch (DiskException | ConflictException refused) {
          // Left nothing behind; what the session had committed before is in doubt at worst.
          possible.unknown();
        }
        if (round % 6 == 5) {
          doubtful |= deleteRange(pairs, random, possible);
        }
        if (round % 8 == 7) {
          try {
            pairs.flush();
          } catch (StorageException e) {
            // Stays in memory and in the log.
          }
        }
      }
    }
  }

  /** Deletes a range of the keys; returns as {@link #write}. */
  private static boolean deleteRange(
      KeyValueStore pairs, RandomGenerator random, Possible possible) {
    String low = "k" + random.nextInt(KEYS);
    try {
      pairs.deleteRange(KeyRange.atLeast(slice(low).toByteArray()));
      for (int i = 0; i < KEYS; i++) {
        if (low.compareTo("k" + i) <= 0) {
          possible.written("k" + i, null);
        }
      }
      possible.acknowledged();
      return false;
    } catch (OutcomeUnknownException e) {
      for (int i = 0; i < KEYS; i++) {
        if (low.compareTo("k" + i) <= 0) {
          possible.written("k" + i, null);
        }
      }
      possible.unknown();
      return true;
    } catch (StorageException refused) {
      return false;
    }
  }

  /** Returns whether the outcome is unknown; one that is refused changes nothing. */
  private static boolean write(
      KeyValueSession session, RandomGenerator random, int round, Possible possible)
      throws StorageException {
    String key = "k" + random.nextInt(KEYS);
    String value = random.nextInt(3) == 0 ? null : KeyValueModel.value(random, round);
    try {
      if (value == null) {
        session.remove(slice(key));
      } else {
        session.put(slice(key), slice(value));
      }
      possible.written(key, value);
      return false;
    } catch (OutcomeUnknownException e) {
      possible.written(key, value);
      throw e;
    }
  }

  @Test
  void afterAFailedForceAPutIsOfUnknownOutcomeAndItsKeyStaysLocked() throws StorageException {
    TestStore store = TestStore.empty(3);
    StorageEngine engine = store.open();
    KeyValueStore pairs = engine.createKeyValueStore(KeyValueModel.NAME, KeyValueModel.options());
    try (KeyValueSession session = pairs.openSession()) {
      session.put(slice("a"), slice("1"));
    }
    KeyValueSession session = pairs.openSession();
    session.put(slice("a"), slice("2"));
    store.faults.setPlan("sync * 1 EIO");
    assertThrows(OutcomeUnknownException.class, session::force);
    assertThrows(DiskException.class, () -> session.put(slice("b"), slice("1")));
    assertThrows(DiskException.class, () -> pairs.openSession());
    assertThrows(OutcomeUnknownException.class, () -> KeyValueModel.get(pairs, "a"));
    assertEquals(null, KeyValueModel.get(pairs, "b"));
    assertThrows(OutcomeUnknownException.class, session::close);
    // Closing the session gives nothing away.
    assertThrows(OutcomeUnknownException.class, () -> KeyValueModel.get(pairs, "a"));
    store.faults.setPlan("");
    engine.close();
    store.faults.assertNothingOpen();
    try (StorageEngine again = store.open()) {
      String found = KeyValueModel.get(again.keyValueStore(KeyValueModel.NAME), "a");
      assertTrue("1".equals(found) || "2".equals(found), found);
    }
  }
}
