package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.KeyRanges;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.Observation;
import dev.varve.common.testkit.SortedRunFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: components of level 0 that share no key are read by one cursor, and everything is found as
 * if each had its own. Method: components with chosen keys, their cursors counted; random ones,
 * held against a map.
 */
final class FlushedRunsTest {
  @TempDir Path directory;
  private IndexFixture fixture;

  @BeforeEach
  void open() throws StorageException {
    fixture = new IndexFixture(directory);
  }

  @AfterEach
  void verifyAndClose() throws StorageException {
    fixture.queue.runAll();
    fixture.close();
  }

  private void flush(String... keys) throws StorageException {
    for (String key : keys) {
      fixture.put(key, "of " + keys[0]);
    }
    fixture.index.flush();
  }

  /** What each cursor of a search of level 0 has. */
  private List<String> found(String from, KeyRanges<Slice> ranges) throws StorageException {
    ComponentList<Slice> list = fixture.index.components();
    List<EntryCursor> cursors = new ArrayList<>();
    new FlushedRuns<>(list.disk().flushed(), ranges)
        .addSearch(ComponentSelection.of(list.disk()), IndexFixture.slice(from), false, cursors);
    List<String> found = new ArrayList<>();
    for (EntryCursor cursor : cursors) {
      StringBuilder keys = new StringBuilder();
      while (cursor.next()) {
        keys.append(IndexFixture.text(cursor.entry().key()));
      }
      found.add(keys.toString());
      cursor.close();
    }
    return found;
  }

  private List<String> found(String from) throws StorageException {
    return found(from, fixture.format.keyRanges());
  }

  @Test
  void componentsOfGrowingKeysAreReadByOneCursor() throws StorageException {
    flush("a", "b");
    flush("c", "d");
    flush("e");
    assertEquals(List.of("abcde"), found(""));
    assertEquals(List.of("de"), found("d"));
    assertEquals(List.of(), found("f"));
  }

  @Test
  void soAreThoseThatComeInAnyOtherOrder() throws StorageException {
    flush("c", "d");
    flush("e");
    flush("a", "b");
    assertEquals(List.of("abcde"), found(""));
  }

  @Test
  void oneThatSharesAKeyWithANewerOneBeginsARunOfItsOwn() throws StorageException {
    flush("a", "b");
    flush("b", "f");
    flush("c", "d");
    flush("f", "g");
    assertEquals(List.of("cdfg", "bf", "ab"), found(""));
    assertEquals(
        List.of("a=of a", "b=of b", "c=of c", "d=of c", "f=of f", "g=of f"), fixture.scan());
  }

  @Test
  void oneThatLiesAroundANewerOneIsReadBesideIt() throws StorageException {
    flush("a", "z");
    flush("m");
    assertEquals(List.of("m", "az"), found(""));
  }

  @Test
  void oneWhoseKeysCannotBeReadIsReadByACursorOfItsOwn() throws StorageException {
    flush("a");
    flush("b");
    flush("c");
    KeyRanges<Slice> ranges =
        new KeyRanges<>() {
          @Override
          public KeyInterval keys(DiskIndex<Slice> index) throws StorageException {
            KeyInterval keys = new SortedRunFormat().keyRanges().keys(index);
            if (IndexFixture.text(keys.smallest()).equals("b")) {
              throw new CorruptionException("b", 0, "the test's damage");
            }
            return keys;
          }

          @Override
          public int position(KeyInterval keys, Slice lowest) {
            return new SortedRunFormat().keyRanges().position(keys, lowest);
          }
        };
    assertEquals(List.of("c", "b", "a"), found("", ranges));
  }

  @Test
  void onlySearchesOfSeveralAtOnceAskForAMerge() throws StorageException {
    flush("a", "b");
    flush("c");
    fixture.scan();
    assertEquals(0, searchesThatCount());
    flush("b");
    fixture.scan();
    fixture.scan();
    assertEquals(2, searchesThatCount());
  }

  /** What a policy is told. */
  private long searchesThatCount() {
    AtomicLong told = new AtomicLong(-1);
    fixture.policy =
        IndexFixture.policy(
            "listens",
            shape -> {
              told.set(shape.observation().searches());
              return new MergeDecision.Wait();
            });
    fixture.index.see(Observation.NONE);
    fixture.index.scheduleMerges();
    fixture.policy = IndexFixture.NEVER;
    return told.get();
  }

  @RepeatedTest(40)
  void aScanFindsTheNewestOfEachKey(RepetitionInfo repetition) throws StorageException {
    Random random = new Random(repetition.getCurrentRepetition());
    Map<String, String> model = new TreeMap<>();
    int flushes = 1 + random.nextInt(8);
    for (int flush = 0; flush < flushes; flush++) {
      int first = random.nextInt(3) == 0 ? random.nextInt(80) : 10 * flush;
      for (int i = 0; i <= random.nextInt(10); i++) {
        String key = "%03d".formatted(first + random.nextInt(1 + random.nextInt(10)));
        if (random.nextInt(5) == 0) {
          fixture.delete(key);
          model.remove(key);
        } else {
          fixture.put(key, "" + flush);
          model.put(key, "" + flush);
        }
      }
      fixture.index.flush();
    }
    List<String> expected = model.entrySet().stream().map(Object::toString).toList();
    assertEquals(expected, fixture.scan(), "seed " + repetition.getCurrentRepetition());
  }
}
