package dev.varve.invertedindex.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.testkit.HeapPages;
import dev.varve.common.testkit.Seeds;
import dev.varve.invertedindex.InvertedFormat;
import dev.varve.invertedindex.TextData;
import dev.varve.invertedindex.TextModel;
import dev.varve.invertedindex.memory.MemoryInvertedIndex;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.KeywordTokenizer;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Indexes on pages answer as what they were built of. */
class DiskInvertedIndexTest {
  private static final int PAGE_SIZE = 4096;
  private static final int SEEDS = 4;
  private static final KeywordTokenizer WORDS = new KeywordTokenizer();

  private final HeapPages pages = new HeapPages(PAGE_SIZE, InvertedBuilder::new);

  private static Entry key(String hexadecimal) {
    byte[] bytes = HexFormat.of().parseHex(hexadecimal);
    Entry entry = new Entry();
    entry.key().set(bytes, 0, bytes.length);
    return entry;
  }

  @ParameterizedTest
  @EnumSource(TextData.class)
  void searchesAndScansAreThoseOfTheModel(TextData data) throws Exception {
    Seeds.run(
        SEEDS,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          TextModel model = new TextModel(data.tokenizer());
          int documents = random.nextInt(1, 3000);
          for (int i = 0; i < documents; i++) {
            String suffix = random.nextInt(20) == 0 ? "x".repeat(random.nextInt(300)) : "";
            model.put("k" + i + suffix, data.next(random));
          }
          check(data, model, random);
        });
  }

  private static void check(TextData data, TextModel model, RandomGenerator random)
      throws StorageException {
    HeapPages file = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
    List<Entry> entries = model.entries();
    DiskInvertedIndex index = DiskInvertedIndex.open(file, file.build(entries));
    assertEquals(entries.size(), index.verify());
    List<String> texts = entries.stream().map(Entry::toString).toList();
    assertEquals(texts, TextModel.read(index.scan()));
    Set<String> known = new HashSet<>(texts);
    for (int i = 0; i < 40; i++) {
      String text = i % 2 == 0 ? data.next(random) : model.anyText(random);
      TextQuery query = data.query(text, random);
      if (query != null) {
        model.assertFinds(text, query, index.search(query));
      }
    }
    Entry found = new Entry();
    for (int i = 0; i < 1000; i++) {
      Entry wanted = entries.get(random.nextInt(entries.size()));
      assertTrue(index.find(wanted.key(), found));
      assertEquals(wanted.toString(), found.toString());
      byte[] other = wanted.key().toByteArray();
      other[random.nextInt(other.length)]++;
      Entry absent = new Entry();
      absent.key().set(other, 0, other.length);
      assertEquals(
          known.contains(absent.toString()), index.find(absent.key(), found), absent::toString);
    }
    assertEquals(0, file.pinned);
  }

  /** Lists over several windows, several pages, and lists that begin in the page of another. */
  @Test
  void longListsSpanPages() throws StorageException {
    MemoryInvertedIndex memory = new MemoryInvertedIndex(WORDS);
    int documents = 150_000;
    RandomGenerator random = Seeds.random(Seeds.one(1));
    int[] every = {1, 2, 3, 7, 20, 21, 100, 1000, 1001, 9000, 40_000};
    for (int i = 0; i < documents; i++) {
      StringBuilder text = new StringBuilder();
      for (int n : every) {
        text.append(i % n == 0 ? "every" + n + " " : "");
      }
      text.append("some").append((int) (2000 * Math.pow(random.nextDouble(), 3)));
      memory.put(TextModel.entry(String.format("%07d", i), text.toString()));
    }
    InvertedBuilder builder = new InvertedBuilder(pages);
    long entries = 0;
    try (EntryCursor cursor = memory.scan()) {
      while (cursor.next()) {
        builder.add(cursor.entry());
        entries++;
      }
    }
    DiskInvertedIndex index = DiskInvertedIndex.open(pages, builder.finish());
    assertEquals(memory.entryCount(), entries);
    assertEquals(entries, index.verify());
    assertEquals(TextModel.read(memory.scan()), TextModel.read(index.scan()));
    for (int n : every) {
      for (int m : every) {
        TextQuery both = TextQuery.allWords(WORDS, "every" + n + " every" + m);
        int expected = 0;
        for (int i = 0; i < documents; i += n) {
          expected += i % m == 0 ? 1 : 0;
        }
        List<String> found = TextModel.primaryKeys(index.search(both));
        assertEquals(expected, found.size());
        assertEquals(TextModel.read(memory.search(both)), TextModel.read(index.search(both)));
        TextQuery two = TextQuery.atLeast(WORDS, "every" + n + " every" + m + " every3", 2);
        assertEquals(TextModel.read(memory.search(two)), TextModel.read(index.search(two)));
      }
    }
    for (int i = 0; i < 2000; i += 37) {
      TextQuery rare = TextQuery.allWords(WORDS, "every2 every3 some" + i);
      assertEquals(TextModel.read(memory.search(rare)), TextModel.read(index.search(rare)));
      TextQuery any = TextQuery.anyWord(WORDS, "every9000 some" + i);
      assertEquals(TextModel.read(memory.search(any)), TextModel.read(index.search(any)));
    }
    assertEquals(0, pages.pinned);
  }

  /** Pages of the dictionary are written between those of lists, and never inside one. */
  @Test
  void theDictionaryGrowsBetweenListsThatSharePages() throws StorageException {
    MemoryInvertedIndex memory = new MemoryInvertedIndex(WORDS);
    for (int document = 0; document < 400; document++) {
      StringBuilder text = new StringBuilder("in every one ");
      for (int i = document % 2; i < 1000; i += 2) {
        text.append("half").append(i).append(' ');
      }
      for (int i = 0; i < 40; i++) {
        text.append("quiterare").append(document).append('x').append(i).append(' ');
      }
      text.append("aftertheraretokensinallofthem");
      memory.put(TextModel.entry("k" + document, text.toString()));
    }
    InvertedBuilder builder = new InvertedBuilder(pages);
    try (EntryCursor cursor = memory.scan()) {
      while (cursor.next()) {
        builder.add(cursor.entry());
      }
    }
    DiskInvertedIndex index = DiskInvertedIndex.open(pages, builder.finish());
    assertEquals(memory.entryCount(), index.verify());
    assertEquals(TextModel.read(memory.scan()), TextModel.read(index.scan()));
  }

  @Test
  void anIndexWithoutEntriesHasNoPages() throws StorageException {
    assertEquals(InvertedBuilder.NO_ROOT, pages.build(List.of()));
    assertEquals(1, pages.pageCount);
  }

  @Test
  void documentsWithoutTokensAreDocuments() throws StorageException {
    Entry a = TextModel.entry("a", "");
    Entry b = TextModel.entry("b", "");
    DiskInvertedIndex index = DiskInvertedIndex.open(pages, pages.build(List.of(a, b)));
    assertEquals(2, index.verify());
    assertEquals(List.of(a.toString(), b.toString()), TextModel.read(index.scan()));
    assertEquals(List.of(), TextModel.read(index.search(TextQuery.anyWord(WORDS, "x"))));
    assertFalse(index.find(new Entry().key(), new Entry()));
    assertFalse(index.find(key("0561").key(), new Entry()));
  }

  @Test
  void primaryKeysMayTakeAQuarterOfAPage() throws StorageException {
    int most = InvertedFormat.maxPrimaryKeyBytes(PAGE_SIZE);
    assertEquals(1024, most);
    Entry longest = TextModel.entry("k".repeat(most), "");
    assertEquals(1, DiskInvertedIndex.open(pages, pages.build(List.of(longest))).verify());
    Entry tooLong = TextModel.entry("k".repeat(most + 1), "");
    assertThrows(LimitException.class, () -> pages.build(List.of(tooLong)));
  }

  private void assertRefused(RequestException.Reason reason, Entry... entries) {
    RequestException refused =
        assertThrows(RequestException.class, () -> pages.build(List.of(entries)));
    assertEquals(reason, refused.reason(), refused::getMessage);
  }

  @Test
  void entriesOutOfOrderAreRefused() {
    Entry a = TextModel.entry("a", "");
    Entry b = TextModel.entry("b", "");
    RequestException.Reason unsorted = RequestException.Reason.UNSORTED_INPUT;
    assertRefused(unsorted, b, a);
    assertRefused(unsorted, a, a);
    assertRefused(unsorted, a, b, key("017862"), key("017861"));
    assertRefused(unsorted, a, key("017861"), key("017861"));
    assertRefused(unsorted, a, key("017961"), key("017861"));
    assertRefused(unsorted, a, key("017861"), b);
  }

  @Test
  void entriesThatAreNoneAreRefused() {
    RequestException.Reason malformed = RequestException.Reason.MALFORMED_RECORD;
    Entry a = TextModel.entry("a", "");
    assertRefused(malformed, new Entry());
    assertRefused(malformed, a, key("0278"));
    assertRefused(malformed, a, key("017862"));
    assertThrows(
        IllegalArgumentException.class, () -> pages.build(List.of(TextModel.entry("a", null))));
  }
}
