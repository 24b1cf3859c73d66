package dev.varve.scheduler.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.TextCases;
import dev.varve.scheduler.admission.DatasetMemory.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: a dataset's memory never holds more than its budget, is sealed where it is said to be, and
 * nobody waits for a flush that is not there. Method: cases, and random runs of a model.
 */
final class DatasetMemoryTest {
  @Test
  void takesWritesOrSaysWhatComesFirst() throws Exception {
    TextCases.run(DatasetMemoryTest.class, "dataset-memory.txt", (name, input) -> decide(input));
  }

  private static String decide(List<String> input) {
    long writable = 0;
    long sealed = 0;
    boolean pending = false;
    boolean atLimit = false;
    long sealAt = 0;
    long budget = 0;
    for (String line : input) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "seal" -> {
          sealAt = Long.parseLong(words[2]);
          budget = Long.parseLong(words[4]);
        }
        case "written" -> writable = Long.parseLong(words[1]);
        case "flushing" -> {
          sealed = Long.parseLong(words[1]);
          pending = true;
        }
        default -> atLimit = true;
      }
    }
    boolean limited = atLimit;
    return new DatasetMemory(writable, sealed, pending, sealAt, budget)
        .decide(() -> limited)
        .toString();
  }

  @Test
  void aSealBeyondTheBudgetIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new DatasetMemory(0, 0, false, 1001, 1000));
  }

  @Test
  void everyRunStaysBelowTheBudgetAndEndsEveryWait() throws Exception {
    Seeds.run(200, seed -> new Run(Seeds.random(seed)).go());
  }

  /** Some indexes that are written at random and flushed one by one. */
  private static final class Run {
    private static final long BUDGET = 1000;

    private final RandomGenerator random;
    private final long[] writable;
    private final List<Long> flushes = new ArrayList<>();
    private final long sealAt;
    private final long largestWrite;

    Run(RandomGenerator random) {
      this.random = random;
      this.writable = new long[1 + random.nextInt(4)];
      this.sealAt = Math.round(BUDGET * (0.5 + 0.45 * random.nextDouble()));
      this.largestWrite = 1 + random.nextLong(400);
    }

    void go() {
      int written = 0;
      int waits = 0;
      for (int step = 0; step < 2000; step++) {
        boolean atLimit = random.nextInt(4) == 0;
        Decision decision = memory().decide(() -> atLimit);
        switch (decision) {
          case ROOM -> {
            writable[random.nextInt(writable.length)] += 1 + random.nextLong(largestWrite);
            written++;
            waits = 0;
          }
          case SEAL -> seal();
          case WAIT_FOR_FLUSH -> {
            assertTrue(!flushes.isEmpty(), "no flush to wait for");
            assertTrue(memory().bytes() >= BUDGET);
            flushes.remove(random.nextInt(flushes.size()));
            waits++;
          }
          case WAIT_FOR_MERGES -> assertTrue(atLimit && flushes.isEmpty());
        }
        // Every flush that ends brings the end of a wait nearer; what was written is sealed once.
        assertTrue(waits <= 2 * writable.length, "waits on after all flushes have ended");
        assertTrue(memory().bytes() < BUDGET + largestWrite, memory().toString());
        if (!flushes.isEmpty() && random.nextInt(8) == 0) {
          flushes.remove(0);
        }
      }
      assertTrue(written > 100, written + " writes");
    }

    private void seal() {
      assertTrue(flushes.isEmpty() && memory().bytes() >= sealAt, memory().toString());
      for (int i = 0; i < writable.length; i++) {
        if (writable[i] > 0) {
          flushes.add(writable[i]);
          writable[i] = 0;
        }
      }
    }

    private DatasetMemory memory() {
      long taken = 0;
      for (long bytes : writable) {
        taken += bytes;
      }
      long sealed = flushes.stream().mapToLong(Long::longValue).sum();
      return new DatasetMemory(taken, sealed, !flushes.isEmpty(), sealAt, BUDGET);
    }
  }

  @Test
  void halfOfItIsTwoComponents() {
    // The other half is written while the first is flushed, and is sealed when that has ended.
    assertEquals(Decision.ROOM, new DatasetMemory(499, 500, true, 500, 1000).decide(() -> false));
    assertEquals(
        Decision.WAIT_FOR_FLUSH, new DatasetMemory(500, 500, true, 500, 1000).decide(() -> false));
    assertEquals(Decision.SEAL, new DatasetMemory(500, 0, false, 500, 1000).decide(() -> false));
  }
}
