package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.testkit.Seeds;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One filter speaks for some memory components in turn, and for what is flushed from them. Method:
 * an optimistic read reads no page, so it can tell of a component that was just flushed only by a
 * filter in memory.
 */
class SharedFiltersTest {
  /** Enough for the next component to have a filter. */
  private static final int ROUND = 5_000;

  @TempDir Path directory;
  private final Map<String, String> model = new HashMap<>();
  private IndexFixture fixture;

  @BeforeEach
  void open() throws StorageException {
    fixture = new IndexFixture(directory);
    fixture.memoryComponentBytes = 64 << 20;
    fixture.reopen();
  }

  @AfterEach
  void everyKeyIsFound() throws StorageException {
    for (Map.Entry<String, String> pair : model.entrySet()) {
      assertEquals(pair.getValue(), fixture.get(pair.getKey()), pair.getKey());
    }
    fixture.close();
  }

  @Test
  void aFilterSpeaksForWhatIsFlushedFromItsComponents() throws StorageException {
    fill(0);
    fixture.index.flush();
    askOwnFilters();
    for (int round = 1; round < 5; round++) {
      fill(round);
      fixture.index.flush();
      assertTrue(absentAtAGlance() > 90, "round " + round);
    }
    assertEquals(5, fixture.components().size());
  }

  @Test
  void aMergedComponentIsAskedItself() throws StorageException {
    fill(0);
    fixture.index.flush();
    for (int round = 1; round < 4; round++) {
      fill(round);
      fixture.index.flush();
    }
    fixture.merge(0, 4);
    assertEquals(0, absentAtAGlance());
    askOwnFilters();
    assertTrue(absentAtAGlance() > 90);
  }

  @Test
  void aBulkLoadIsNotSpokenFor() throws StorageException {
    fill(0);
    fixture.index.flush();
    fill(1);
    fixture.index.flush();
    try (BulkLoad<Slice> load = fixture.index.newBulkLoad()) {
      for (int i = 1_000; i < 2_000; i++) {
        load.add(IndexFixture.entry("bulk " + i, "loaded", false));
        model.put("bulk " + i, "loaded");
      }
      load.finish(-1);
    }
    fill(2);
  }

  @Test
  void anIndexThatNeverMergesKeepsTheNewestFiltersOnly() throws StorageException {
    fill(0);
    fixture.index.flush();
    askOwnFilters();
    // One of the four filters still serves the component that takes writers.
    int rounds = 4 * 4;
    for (int round = 1; round < rounds; round++) {
      fill(round);
      fixture.index.flush();
    }
    assertTrue(absentAtAGlance() > 90);
    for (int round = rounds; round < rounds + 4; round++) {
      fill(round);
      fixture.index.flush();
    }
    // With a fifth filter, what the first one spoke for is asked itself, and was not read yet.
    assertEquals(0, absentAtAGlance());
    askOwnFilters();
    assertTrue(absentAtAGlance() > 90);
  }

  @Test
  void findsWhatAModelFindsWhateverIsFlushedAndMerged() throws StorageException {
    RandomGenerator random = Seeds.random(23);
    for (int step = 0; step < 15; step++) {
      change(random);
      switch (random.nextInt(6)) {
        case 0 -> fixture.index.seal();
        case 1, 2, 3 -> fixture.index.flush();
        case 4 -> mergeSome(random);
        default -> {
          fixture.index.flush();
          fixture.reopen();
        }
      }
      for (int key = 0; key < 2 * ROUND; key++) {
        assertEquals(model.get("key " + key), fixture.get("key " + key), "key " + key);
      }
    }
  }

  private void change(RandomGenerator random) {
    for (int i = 0; i < ROUND; i++) {
      String key = "key " + random.nextInt(2 * ROUND);
      if (random.nextInt(4) == 0) {
        fixture.delete(key);
        model.remove(key);
      } else {
        String value = "value " + random.nextInt();
        fixture.put(key, value);
        model.put(key, value);
      }
    }
  }

  private void mergeSome(RandomGenerator random) {
    int components = fixture.components().size();
    if (components > 1) {
      int from = random.nextInt(components - 1);
      fixture.merge(from, from + 2 + random.nextInt(components - from - 1));
    }
  }

  /** Puts the keys of a round, and asks for as many, so that the next component has a filter. */
  private void fill(int round) throws StorageException {
    for (int i = 0; i < ROUND; i++) {
      fixture.put("round " + round + " " + i, "value " + i);
      model.put("round " + round + " " + i, "value " + i);
    }
    for (int i = 0; i < ROUND; i++) {
      assertEquals("value " + i, fixture.get("round " + round + " " + i));
    }
  }

  /** Has the components' own filters read. */
  private void askOwnFilters() throws StorageException {
    for (int i = 0; i < 1_000; i++) {
      assertNull(fixture.get("not there " + i));
    }
  }

  /** Of how many keys in a hundred that are absent an optimistic read says so. */
  private int absentAtAGlance() {
    int absent = 0;
    for (int i = 0; i < 100; i++) {
      Origin origin = fixture.findOptimistically(IndexFixture.slice("absent " + i), new Entry());
      absent += origin == Origin.NOWHERE ? 1 : 0;
    }
    return absent;
  }
}
