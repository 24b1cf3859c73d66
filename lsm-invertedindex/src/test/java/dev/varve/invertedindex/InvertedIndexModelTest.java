package dev.varve.invertedindex;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.index.Origin;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SteppedIndex;
import dev.varve.invertedindex.query.TextQuery;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: whatever was inserted, replaced, deleted and inserted again, and however it is spread over
 * memory and disk components, every search finds what looking at all texts finds, before, during
 * and after flushes and merges. Method: seeded operations on an index and on a model, with flushes,
 * merges of any run, whose steps are stopped at to search, and openings in between.
 */
class InvertedIndexModelTest {
  private static final int SEEDS = 6;
  private static final int OPERATIONS = 2500;
  private static final int DOCUMENTS = 400;
  private static final Path ROOT = Path.of("/node");

  private final MemoryFileSystem files = new MemoryFileSystem();

  @ParameterizedTest
  @EnumSource(TextData.class)
  void everySearchFindsWhatLookingAtAllFinds(TextData data) throws Exception {
    Seeds.run(SEEDS, seed -> new InvertedIndexModelTest().run(data, Seeds.random(seed)));
  }

  private void run(TextData data, RandomGenerator random) throws StorageException {
    files.createDirectories(ROOT);
    TextModel model = new TextModel(data.tokenizer());
    SteppedIndex<TextQuery> fixture = open(data);
    try {
      for (int i = 0; i < OPERATIONS; i++) {
        change(data, model, fixture, random);
        if (random.nextInt(300) == 0) {
          maintain(data, model, fixture, random);
        }
        if (random.nextInt(60) == 0) {
          check(data, model, fixture, random);
        }
        if (random.nextInt(1000) == 0) {
          fixture.index().flush();
          fixture.close();
          fixture = open(data);
        }
      }
      fixture.index().compact();
      assertEquals(model.entries().size(), fixture.index().contents().verify());
      check(data, model, fixture, random);
    } finally {
      fixture.close();
    }
  }

  /** Flushes, and perhaps merges: a search that was opened before goes on, others begin. */
  @SuppressWarnings("MustBeClosedChecker") // the model closes it
  private static void maintain(
      TextData data, TextModel model, SteppedIndex<TextQuery> fixture, RandomGenerator random)
      throws StorageException {
    String text = model.anyText(random);
    TextQuery query = data.query(text, random);
    EntryCursor opened = query == null ? null : fixture.index().search(query);
    fixture.maintain(random, () -> check(data, model, fixture, random));
    if (opened != null) {
      model.assertFinds(text, query, opened);
    }
  }

  private SteppedIndex<TextQuery> open(TextData data) throws StorageException {
    // A cache much smaller than the index, so that pages come and go.
    return new SteppedIndex<>(
        ROOT, files, new PageCache(1 << 16), new InvertedFormat(data.tokenizer()));
  }

  private static void change(
      TextData data, TextModel model, SteppedIndex<TextQuery> fixture, RandomGenerator random)
      throws StorageException {
    String primaryKey = primaryKey(random);
    boolean known = model.has(primaryKey);
    if (known || random.nextInt(8) == 0) {
      // Also what is not there: an undone insert looks like this.
      fixture.write(model.put(primaryKey, null));
    }
    if (!known || random.nextInt(3) > 0) {
      fixture.write(model.put(primaryKey, data.next(random)));
    }
  }

  private static String primaryKey(RandomGenerator random) {
    int id = random.nextInt(DOCUMENTS);
    return id % 5 == 0 ? "long-" + id * 1_000_003L : "k" + id;
  }

  private static void check(
      TextData data, TextModel model, SteppedIndex<TextQuery> fixture, RandomGenerator random)
      throws StorageException {
    String text = random.nextInt(3) == 0 ? data.next(random) : model.anyText(random);
    TextQuery query = data.query(text, random);
    if (query != null) {
      model.assertFinds(text, query, fixture.index().search(query));
    }
    String primaryKey = primaryKey(random);
    Entry found = new Entry();
    Origin origin = fixture.index().find(TextModel.entry(primaryKey, "").key(), found);
    assertEquals(
        model.has(primaryKey), origin != Origin.NOWHERE && !found.antimatter(), primaryKey);
  }
}
