package dev.varve.transaction.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.error.ConflictException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SteppedExecutor;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: the striped table with its inflating slots grants exactly what a map of maps would. Method:
 * random requests that never wait, on few resources that share slots and on many that make tables
 * grow and shrink.
 */
final class LockTableModelTest {
  @Test
  void grantsAreThoseOfTheModel() throws Exception {
    Seeds.run(
        12,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          LockTable table = new LockTable(new SteppedExecutor(new ManualClock(), seed));
          LockOwner[] owners = new LockOwner[5];
          for (int i = 0; i < owners.length; i++) {
            owners[i] = table.newOwner();
          }
          Map<Long, Map<LockOwner, LockMode>> model = new TreeMap<>();
          int resources = random.nextBoolean() ? 5 : 3_000;
          for (int i = 0; i < 10_000; i++) {
            LockOwner owner = owners[random.nextInt(owners.length)];
            long resource = random.nextInt(resources) * (seed % 3 == 0 ? 1L : 1L << 40);
            switch (random.nextInt(20)) {
              case 0 -> {
                table.releaseAll(owner);
                model.values().forEach(holders -> holders.remove(owner));
              }
              case 1, 2, 3, 4 -> {
                if (holders(model, resource).remove(owner) != null) {
                  table.release(owner, resource);
                }
              }
              default -> {
                LockMode mode = random.nextInt(3) == 0 ? LockMode.EXCLUSIVE : LockMode.SHARED;
                assertEquals(
                    expected(holders(model, resource), owner, mode),
                    granted(table, owner, resource, mode));
              }
            }
            checkReaders(table, model, owners, resource);
          }
          model.values().removeIf(Map::isEmpty);
          assertEquals(model.size(), table.stats().locked());
          for (LockOwner owner : owners) {
            table.releaseAll(owner);
          }
          assertEquals(0, table.stats().locked());
        });
  }

  private static Map<LockOwner, LockMode> holders(
      Map<Long, Map<LockOwner, LockMode>> model, long resource) {
    return model.computeIfAbsent(resource, absent -> new HashMap<>());
  }

  private static String granted(LockTable table, LockOwner owner, long resource, LockMode mode) {
    try {
      return table.lock(owner, resource, mode, 0).toString();
    } catch (ConflictException e) {
      return e.reason().toString();
    }
  }

  private static String expected(Map<LockOwner, LockMode> holders, LockOwner owner, LockMode mode) {
    LockMode mine = holders.get(owner);
    if (mine == LockMode.EXCLUSIVE || mine == mode) {
      return "HELD";
    }
    for (Map.Entry<LockOwner, LockMode> other : holders.entrySet()) {
      if (other.getKey() != owner
          && (mode == LockMode.EXCLUSIVE || other.getValue() == LockMode.EXCLUSIVE)) {
        return "LOCK_TIMEOUT";
      }
    }
    holders.put(owner, mode);
    return mine == null ? "ACQUIRED" : "UPGRADED";
  }

  private static void checkReaders(
      LockTable table,
      Map<Long, Map<LockOwner, LockMode>> model,
      LockOwner[] owners,
      long resource) {
    for (LockOwner owner : owners) {
      boolean other =
          holders(model, resource).entrySet().stream()
              .anyMatch(e -> e.getKey() != owner && e.getValue() == LockMode.EXCLUSIVE);
      assertEquals(other, table.exclusivelyLockedByOther(resource, owner));
    }
  }
}
