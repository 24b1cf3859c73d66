package dev.varve.common.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.KeyHash;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryFilterTest {
  @Test
  void neverDeniesAKeyThatWasAdded() {
    for (int expected : new int[] {1, 3, 1_000, 1 << 16}) {
      MemoryFilter filter = new MemoryFilter(expected);
      for (long key = 0; key < 3L * expected; key++) {
        filter.add(KeyHash.mix(key));
      }
      for (long key = 0; key < 3L * expected; key++) {
        assertTrue(filter.mightContain(KeyHash.mix(key)), "key " + key + " of " + expected);
      }
    }
  }

  @Test
  void letsFewAbsentKeysThrough() {
    int keys = 100_000;
    MemoryFilter filter = new MemoryFilter(keys);
    for (long key = 0; key < keys; key++) {
      filter.add(KeyHash.mix(key));
    }
    int through = 0;
    for (long key = keys; key < 2L * keys; key++) {
      through += filter.mightContain(KeyHash.mix(key)) ? 1 : 0;
    }
    assertTrue(through < keys / 50, through + " of " + keys);
  }

  @Test
  void holdsNoMemoryBeforeTheFirstKey() {
    MemoryFilter filter = new MemoryFilter(1_000_000);
    assertFalse(filter.mightContain(17));
    assertEquals(0, filter.usedBytes());
    filter.add(17);
    assertTrue(filter.mightContain(17));
    assertEquals(1_500_000, filter.usedBytes());
  }

  @Test
  void losesNoKeyToAnotherWriterOfTheSameWord() throws InterruptedException {
    int writers = 4;
    int keysEach = 50_000;
    MemoryFilter filter = new MemoryFilter(64);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      long first = (long) i * keysEach;
      Thread thread =
          new Thread(
              () -> {
                for (long key = first; key < first + keysEach; key++) {
                  filter.add(KeyHash.mix(key));
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (long key = 0; key < (long) writers * keysEach; key++) {
      assertTrue(filter.mightContain(KeyHash.mix(key)), "key " + key);
    }
  }

  @Test
  void refusesToExpectNoKeys() {
    assertThrows(IllegalArgumentException.class, () -> new MemoryFilter(0));
  }
}
