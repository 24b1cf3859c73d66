package dev.varve.invertedindex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.BulkLoad;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SimulatedCrash;
import dev.varve.common.testkit.SteppedIndex;
import dev.varve.invertedindex.query.TextQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: wherever the machine stops, an inverted index comes back as it was after some flush, and
 * not before the last one that was reported done. Method: one script of a bulk load, flushes and
 * merges, crashed at every call that changes the disk, some disks each; without a log, so that only
 * components can bring anything back.
 */
class InvertedIndexCrashTest {
  private static final long SEED = 20261122;
  private static final Path ROOT = Path.of("/node");
  private static final int IMAGES = 3;
  private static final int DOCUMENTS = 150;
  private static final TextData DATA = TextData.FEW_WORDS;

  /** What searches find in the states that the script passes, and which is durable. */
  private static final class Progress {
    final List<List<String>> states = new ArrayList<>(List.of(List.of()));
    int durable;
  }

  @Test
  void everyCrashLeavesAStateThatAFlushReported() throws StorageException {
    long seed = Seeds.one(SEED);
    MemoryFileSystem whole = newDisk();
    run(whole, new Progress(), seed);
    long operations = whole.operationCount();
    assertTrue(operations > 30, "the script does " + operations + " operations");
    for (long crashAt = 1; crashAt <= operations; crashAt++) {
      MemoryFileSystem disk = newDisk();
      disk.crashAt(crashAt);
      Progress progress = new Progress();
      try {
        run(disk, progress, seed);
      } catch (SimulatedCrash expected) {
        // The script stops inside this call.
      }
      for (int image = 0; image < IMAGES; image++) {
        String where = "crash at " + crashAt + ", image " + image;
        check(disk.crash(image, new Random(crashAt * IMAGES + image)), progress, where);
      }
    }
  }

  private static MemoryFileSystem newDisk() throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    disk.createDirectories(ROOT);
    disk.forceDirectory(Path.of("/"));
    return disk;
  }

  private static SteppedIndex<TextQuery> open(MemoryFileSystem disk) throws StorageException {
    return new SteppedIndex<>(
        ROOT, disk, new PageCache(1 << 20), new InvertedFormat(DATA.tokenizer()));
  }

  /** What each word finds. */
  private static List<String> answers(SteppedIndex<TextQuery> fixture) throws StorageException {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String word = Integer.toString(i, 36);
      TextQuery query = TextQuery.allWords(DATA.tokenizer(), word);
      for (String primaryKey : TextModel.primaryKeys(fixture.index().search(query))) {
        answers.add(word + " in " + primaryKey);
      }
    }
    return answers;
  }

  private static void run(MemoryFileSystem disk, Progress progress, long seed)
      throws StorageException {
    RandomGenerator random = Seeds.random(seed);
    TextModel model = new TextModel(DATA.tokenizer());
    SteppedIndex<TextQuery> fixture = open(disk);
    for (int id = 0; id < DOCUMENTS; id++) {
      model.put("k" + id, DATA.next(random));
    }
    List<String> loaded = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String word = Integer.toString(i, 36);
      model.atLeast(word, 1).forEach(primaryKey -> loaded.add(word + " in " + primaryKey));
    }
    try (BulkLoad<TextQuery> load = fixture.index().newBulkLoad()) {
      for (Entry entry : model.entries()) {
        load.add(entry);
      }
      progress.states.add(loaded);
      load.finish(-1);
    }
    progress.durable = progress.states.size() - 1;
    for (int round = 1; round <= 3; round++) {
      for (int i = 0; i < DOCUMENTS; i++) {
        String primaryKey = "k" + random.nextInt(2 * DOCUMENTS);
        fixture.write(model.put(primaryKey, null));
        if (i % 3 > 0) {
          fixture.write(model.put(primaryKey, DATA.next(random)));
        }
      }
      progress.states.add(answers(fixture));
      fixture.index().flush();
      progress.durable = progress.states.size() - 1;
      if (round == 2) {
        fixture.merge(1, 3);
      }
    }
    fixture.index().compact();
    fixture.index().close();
  }

  private static void check(MemoryFileSystem disk, Progress progress, String where)
      throws StorageException {
    if (!disk.exists(ROOT)) {
      assertEquals(0, progress.durable, where);
      return;
    }
    try (SteppedIndex<TextQuery> fixture = open(disk)) {
      List<String> found = answers(fixture);
      List<List<String>> allowed =
          progress.states.subList(progress.durable, progress.states.size());
      assertTrue(allowed.contains(found), () -> where + ": " + found.size() + " answers");
      fixture.index().contents().verify();
      fixture.write(TextModel.entry("k-new", "0"));
      fixture.index().compact();
      assertTrue(answers(fixture).contains("0 in k-new"), where);
    }
  }
}
