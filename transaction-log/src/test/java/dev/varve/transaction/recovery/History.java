package dev.varve.transaction.recovery;

import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * What a test did to an engine, and what it may therefore find after a crash: the state after some
 * prefix of the commits, which includes everything that was acknowledged. Lives outside the
 * simulated disk.
 */
final class History {
  private static final Durability[] LEVELS = Durability.values();

  /** States after each commit, the state at the last opening first. */
  private final List<Map<String, String>> states = new ArrayList<>();

  private final List<Long> commitLsns = new ArrayList<>();

  /** Index of the last state that must survive a power loss. */
  private int durable;

  /** Index of the last state that must survive the death of the process. */
  private int acknowledged;

  History(Map<String, String> first) {
    states.add(new TreeMap<>(first));
  }

  /** Runs random operations until one throws, or all are done. */
  void run(TinyEngine engine, long seed, int operations) throws StorageException {
    RandomGenerator random = Seeds.random(seed);
    for (int i = 0; i < operations; i++) {
      int kind = random.nextInt(28);
      String key = "k" + random.nextInt(6);
      String value = random.nextInt(4) == 0 ? "" : "v".repeat(random.nextInt(60)) + i;
      Durability durability = LEVELS[kind % 3];
      TinyEngine.Entry entry = new TinyEngine.Entry(key, value);
      if (kind < 10) {
        entry.applyTo(issue());
        acknowledge(engine.write(key, value, durability), durability);
      } else if (kind < 21) {
        int index = random.nextInt(TinyEngine.INDEXES);
        TinyEngine.Between between = between(engine, random);
        entry.applyTo(issue(), index);
        acknowledge(engine.writeAlone(index, entry, durability, between), durability);
      } else if (kind < 23) {
        engine.writeAndAbort(key, value);
      } else if (kind < 26) {
        engine.flush(random.nextInt(TinyEngine.INDEXES));
      } else {
        engine.checkpoint(Checkpoint.Kind.RUNNING);
      }
      learnDurable(engine);
    }
  }

  /** What the log says is durable must survive, whoever asked for it. */
  private void learnDurable(TinyEngine engine) {
    long durableLsn = engine.log.durableLsn();
    for (int i = 0; i < commitLsns.size(); i++) {
      if (commitLsns.get(i) < durableLsn) {
        durable = Math.max(durable, i + 1);
      }
    }
  }

  /** The state that the next commit leads to, to be filled; possible from this moment on. */
  private Map<String, String> issue() {
    TreeMap<String, String> next = new TreeMap<>(states.get(states.size() - 1));
    states.add(next);
    return next;
  }

  private void acknowledge(long lsn, Durability durability) {
    commitLsns.add(lsn);
    acknowledged = states.size() - 1;
    if (durability == Durability.POWER_LOSS) {
      durable = states.size() - 1;
    }
  }

  /** Others flush and write checkpoints while a lone update is on its way into the memory. */
  private static TinyEngine.Between between(TinyEngine engine, RandomGenerator random) {
    int flushed = random.nextInt(2 * TinyEngine.INDEXES);
    boolean checkpoint = random.nextInt(4) == 0;
    return () -> {
      if (flushed < TinyEngine.INDEXES) {
        engine.flush(flushed);
      }
      if (checkpoint) {
        engine.checkpoint(Checkpoint.Kind.RUNNING);
      }
    };
  }

  /**
   * After a disk that lied: each index is as it was after some prefix of the commits, though not
   * all after the same; the loss of the last force before the crash leaves no trace.
   */
  void checkEachIndexIsAnyState(Map<String, String> found) {
    for (int index = 0; index < TinyEngine.INDEXES; index++) {
      Map<String, String> part = partOf(found, index);
      int number = index;
      if (states.stream().noneMatch(state -> partOf(state, number).equals(part))) {
        throw new AssertionError("index " + index + " holds " + part + ", which it never did");
      }
    }
  }

  private static Map<String, String> partOf(Map<String, String> state, int index) {
    TreeMap<String, String> part = new TreeMap<>(state);
    part.keySet().removeIf(name -> !name.startsWith(index + "/"));
    return part;
  }

  void checkAfterPowerLoss(Map<String, String> found) {
    check(found, durable, "durable");
  }

  void checkAfterProcessCrash(Map<String, String> found) {
    check(found, acknowledged, "acknowledged");
  }

  private void check(Map<String, String> found, int least, String what) {
    for (int i = least; i < states.size(); i++) {
      if (states.get(i).equals(found)) {
        return;
      }
    }
    throw new AssertionError(
        "found "
            + found
            + ", which is none of the states from the last "
            + what
            + " one on: "
            + states.subList(least, states.size()));
  }

  int commits() {
    return states.size() - 1;
  }
}
