package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.testkit.SortedRunFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: whatever the order of writes, flushes, merges and reopening, the index is a sorted map.
 * Method: seeded random operations against a {@link TreeMap}; the repetition is the seed. Operands
 * are put behind values, so that none may be left out, taken twice or out of turn.
 */
final class LsmIndexModelTest {
  private static final int OPERATIONS = 400;

  @TempDir Path directory;

  @RepeatedTest(20)
  void theIndexIsASortedMap(RepetitionInfo repetition) throws StorageException {
    run(repetition, new SortedRunFormat());
  }

  @RepeatedTest(20)
  void soItIsOneOfWhatOperandsHaveMade(RepetitionInfo repetition) throws StorageException {
    run(repetition, SortedRunFormat.withOperator(LsmIndexModelTest::append));
  }

  private static Slice append(Slice older, Slice newer) {
    return IndexFixture.slice(IndexFixture.text(older) + IndexFixture.text(newer));
  }

  private void run(RepetitionInfo repetition, SortedRunFormat format) throws StorageException {
    Random random = new Random(repetition.getCurrentRepetition());
    TreeMap<String, String> model = new TreeMap<>();
    List<String> history = new ArrayList<>();
    try (IndexFixture fixture = new IndexFixture(directory, new LocalFileSystem(), format)) {
      for (int i = 0; i < OPERATIONS; i++) {
        step(fixture, model, random, history);
      }
      check(fixture, model, history);
      fixture.index.compact();
      check(fixture, model, history);
    }
  }

  private static void step(
      IndexFixture fixture, Map<String, String> model, Random random, List<String> history)
      throws StorageException {
    String key = "k" + random.nextInt(60);
    int choice = random.nextInt(100);
    if (choice < 35 && fixture.format.mergeOperator() != null) {
      String operand = "o" + history.size();
      history.add("merge into " + key);
      fixture.mergeOperand(key, operand);
      model.merge(key, operand, String::concat);
    } else if (choice < 50) {
      String value = "v" + history.size();
      history.add("put " + key);
      fixture.put(key, value);
      model.put(key, value);
    } else if (choice < 80) {
      history.add("delete " + key);
      fixture.delete(key);
      model.remove(key);
    } else if (choice < 90) {
      history.add("flush");
      fixture.index.flush();
    } else if (choice < 95) {
      int count = fixture.components().size();
      if (count > 1) {
        int from = random.nextInt(count - 1);
        int to = from + 2 + random.nextInt(count - from - 1);
        history.add("merge " + from + " to " + to);
        fixture.merge(from, to);
      }
    } else if (choice < 97) {
      history.add("compact");
      fixture.index.compact();
    } else {
      history.add("flush and reopen");
      fixture.index.flush();
      fixture.reopen();
    }
    assertEquals(model.get(key), fixture.get(key), () -> key + " after " + history);
    if (random.nextInt(10) == 0) {
      checkBatch(fixture, model, random);
    }
  }

  /** Looks up some keys at once, of which no component has some and others are deleted. */
  private static void checkBatch(IndexFixture fixture, Map<String, String> model, Random random)
      throws StorageException {
    LookupBatch batch = new LookupBatch();
    TreeSet<String> keys = new TreeSet<>();
    for (int i = random.nextInt(40); i >= 0; i--) {
      keys.add("k" + random.nextInt(70));
    }
    keys.forEach(key -> batch.add(IndexFixture.slice(key)));
    if (random.nextBoolean()) {
      batch.expectAll();
    }
    fixture.index.findAll(batch);
    assertEquals(keys.size(), batch.to());
    Entry found = new Entry();
    Entry single = new Entry();
    int position = 0;
    for (String key : keys) {
      Origin origin = fixture.index.find(IndexFixture.slice(key), single);
      assertEquals(origin != Origin.NOWHERE, batch.isFound(position));
      assertEquals(origin == Origin.MEMORY, batch.isFoundInMemory(position));
      String value = null;
      if (batch.isFound(position)) {
        batch.view(position, found);
        value = found.antimatter() ? null : IndexFixture.text(found.value());
      }
      assertEquals(model.get(key), value);
      position++;
    }
  }

  private static void check(IndexFixture fixture, Map<String, String> model, List<String> history)
      throws StorageException {
    List<String> expected =
        model.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
    assertEquals(expected, fixture.scan(), history::toString);
  }
}
