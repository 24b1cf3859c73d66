package dev.varve.invertedindex.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.testkit.Seeds;
import dev.varve.invertedindex.TextData;
import dev.varve.invertedindex.TextModel;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.KeywordTokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MemoryInvertedIndexTest {
  private static final KeywordTokenizer WORDS = new KeywordTokenizer();
  private static final int SEEDS = 5;

  private final MemoryInvertedIndex index = new MemoryInvertedIndex(WORDS);

  private void put(String primaryKey, String text) {
    index.put(TextModel.entry(primaryKey, text));
  }

  private List<String> search(String words) throws StorageException {
    return TextModel.read(index.search(TextQuery.allWords(WORDS, words)));
  }

  private static String entry(String primaryKey, boolean antimatter) {
    return TextModel.entry(primaryKey, "").antimatter(antimatter).toString();
  }

  @ParameterizedTest
  @EnumSource(TextData.class)
  void searchesAndScansAreThoseOfTheModel(TextData data) throws Exception {
    Seeds.run(
        SEEDS,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          TextModel model = new TextModel(data.tokenizer());
          MemoryInvertedIndex memory = new MemoryInvertedIndex(data.tokenizer());
          // More documents than a window has.
          int documents = data == TextData.FEW_WORDS ? 20_000 : 2_000;
          for (int i = 0; i < documents; i++) {
            String primaryKey = "k" + random.nextInt(documents);
            memory.put(model.put(primaryKey, data.next(random)));
          }
          for (int i = 0; i < 30; i++) {
            String text = i % 2 == 0 ? data.next(random) : model.anyText(random);
            TextQuery query = data.query(text, random);
            if (query != null) {
              List<String> found = new ArrayList<>();
              // What only replaced documents have comes as antimatter.
              for (String line : TextModel.read(memory.search(query))) {
                if (line.startsWith("+")) {
                  found.add(line);
                }
              }
              assertEquals(
                  model.atLeast(text, query.threshold()).stream()
                      .map(primaryKey -> entry(primaryKey, false))
                      .toList(),
                  found);
            }
          }
          List<String> expected = model.entries().stream().map(Entry::toString).toList();
          assertEquals(expected, TextModel.read(memory.scan()));
          assertEquals(expected.size(), memory.entryCount());
          Entry found = new Entry();
          for (Entry wanted : model.entries().subList(0, Math.min(3000, expected.size()))) {
            assertTrue(memory.find(wanted.key(), found));
            assertEquals(wanted.toString(), found.toString());
          }
        });
  }

  @Test
  void deletedDocumentsAreFoundAsAntimatter() throws StorageException {
    put("b", "one two");
    put("a", "two");
    put("b", null);
    assertEquals(List.of(entry("a", false), entry("b", true)), search("two"));
    assertEquals(List.of(entry("b", true)), search("one"));
    assertEquals(3, index.entryCount());
    assertEquals(
        List.of(entry("a", false), entry("b", true), "+0374776f61="), TextModel.read(index.scan()));
    put("b", "three");
    assertEquals(List.of(entry("b", true)), search("one"));
    assertEquals(List.of(entry("b", false)), search("three"));
    put("b", "one");
    assertEquals(List.of(entry("b", false)), search("one"));
    assertEquals(List.of(entry("b", true)), search("three"));
  }

  @Test
  void antimatterNeedsNoDocument() throws StorageException {
    put("x", null);
    put("x", null);
    Entry found = new Entry();
    assertTrue(index.find(TextModel.entry("x", "").key(), found));
    assertTrue(found.antimatter());
    assertFalse(index.find(TextModel.entry("y", "").key(), found));
    assertEquals(1, index.entryCount());
    assertEquals(List.of(entry("x", true)), TextModel.read(index.scan()));
  }

  @Test
  void onlyDocumentsArePut() {
    Entry posting = new Entry();
    posting.key().set(new byte[] {1, 'a', 'x'}, 0, 3);
    assertThrows(IllegalArgumentException.class, () -> index.put(posting));
    assertThrows(IllegalArgumentException.class, () -> index.put(new Entry()));
  }

  @Test
  void anEmptyIndexIsSmallAndGrowsWithWhatItHolds() {
    assertTrue(index.usedBytes() < 8192, () -> "empty: " + index.usedBytes());
    RandomGenerator random = Seeds.random(Seeds.one(5));
    for (int i = 0; i < 20_000; i++) {
      put("k" + i, TextData.SKEWED_WORDS.next(random));
    }
    // Some 9 distinct words a document: a byte or two each, and what each document takes.
    assertTrue(index.usedBytes() > 20_000 * 30, () -> "used " + index.usedBytes());
    assertTrue(index.usedBytes() < 20_000 * 120, () -> "used " + index.usedBytes());
  }

  @Test
  void longPrimaryKeysAreKept() throws StorageException {
    String primaryKey = "k".repeat(100_000);
    put(primaryKey, "one");
    put("j", "one");
    assertEquals(List.of(entry("j", false), entry(primaryKey, false)), search("one"));
  }
}
