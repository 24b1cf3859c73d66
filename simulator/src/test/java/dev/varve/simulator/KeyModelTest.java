package dev.varve.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Goal: components have the size that drawing keys one by one would give them. */
final class KeyModelTest {
  private static final int KEYS = 20_000;

  @Test
  void uniformUpdatesHitAsManyKeysAsDrawing() {
    RandomGenerator random = Seeds.random(Seeds.one(11));
    for (int updates : List.of(100, 20_000, 60_000)) {
      BitSet hit = new BitSet();
      for (int i = 0; i < updates; i++) {
        hit.set(random.nextInt(KEYS));
      }
      double expected = new UniformKeys(KEYS).entries(0, updates);
      assertEquals(hit.cardinality(), expected, 0.02 * expected);
    }
  }

  @Test
  void zipfUpdatesHitAsManyKeysAsDrawing() {
    RandomGenerator random = Seeds.random(Seeds.one(12));
    double[] below = new double[KEYS];
    double sum = 0;
    for (int i = 0; i < KEYS; i++) {
      sum += Math.pow(i + 1, -ZipfKeys.YCSB_SKEW);
      below[i] = sum;
    }
    for (int updates : List.of(100, 20_000, 60_000)) {
      BitSet hit = new BitSet();
      for (int i = 0; i < updates; i++) {
        int found = java.util.Arrays.binarySearch(below, random.nextDouble() * sum);
        hit.set(found < 0 ? -found - 1 : found);
      }
      double expected = new ZipfKeys(KEYS, ZipfKeys.YCSB_SKEW).entries(0, updates);
      assertEquals(hit.cardinality(), expected, 0.04 * expected);
    }
  }

  @Test
  void noModelEverHoldsMoreThanAllKeysOrFewerThanWereLoaded() {
    for (KeyModel model : List.of(new UniformKeys(KEYS), new ZipfKeys(KEYS, 0.99))) {
      assertEquals(KEYS, model.entries(KEYS, 1e9), 1e-6, model.describe());
      assertEquals(5000, model.entries(5000, 0), 1e-6, model.describe());
      assertTrue(model.entries(5000, 100) < 5100, model.describe());
      assertTrue(model.entries(5000, 100) > 5000, model.describe());
      assertTrue(model.entries(0, 1e12) <= KEYS + 1e-6, model.describe());
    }
  }

  @Test
  void oneUpdateIsOneEntry() {
    assertEquals(1, new UniformKeys(KEYS).entries(0, 1), 0.01);
    assertEquals(1, new DistinctKeys().entries(0, 1));
    assertEquals(12, new DistinctKeys().entries(5, 7));
  }

  @Test
  void modelsWithoutKeysAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new UniformKeys(0));
    assertThrows(IllegalArgumentException.class, () -> new ZipfKeys(0, 1));
    assertThrows(IllegalArgumentException.class, () -> new ZipfKeys(10, 0));
  }

  @Test
  void anEagerSecondaryKeepsOneEntryForEachRecordOnceAllIsMerged() {
    EagerSecondaryKeys keys = new EagerSecondaryKeys(1000);
    assertEquals(1000, keys.entries(1000, 0), 1e-9);
    assertEquals(1000, keys.entries(1000, 5000), 1e-9);
    // One update is an entry and antimatter; the second one of a record takes the first back.
    assertEquals(2, keys.entries(0, 1), 2e-3);
    assertEquals(2000, keys.entries(0, 1e9), 1e-6);
    // Half of the antimatter meets its entry in a component that has half of what was loaded.
    assertEquals(500 - 0.5 + 1 + 0.5, keys.entries(500, 1), 2e-3);
    assertThrows(IllegalArgumentException.class, () -> new EagerSecondaryKeys(0));
  }
}
