package dev.varve.invertedindex.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Golden;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.testkit.HeapPages;
import dev.varve.invertedindex.TextModel;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.KeywordTokenizer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Indexes have the bytes of docs/format/inverted.md, and those of every release. */
class InvertedFormatTest {
  private static final String RESOURCE = "v1/inverted.txt";
  private static final int PAGE_SIZE = 256;
  private static final KeywordTokenizer WORDS = new KeywordTokenizer();

  private static TextModel model() {
    TextModel model = new TextModel(WORDS);
    model.put("a", "Ebb, flow!");
    model.put("long", "");
    for (int i = 0; i < 8; i++) {
      model.put("p" + i, i == 5 ? "flow and ebb" : "flow");
    }
    return model;
  }

  @Test
  void anIndexHasTheBytesOfTheFormatPage() throws StorageException {
    HeapPages pages = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
    int root = pages.build(model().entries());
    assertEquals(pages.pageCount - 1, root);
    byte[] index = Arrays.copyOfRange(pages.bytes, PAGE_SIZE, pages.bytes.length);
    Golden.requireSame(RESOURCE, "inverted.md", Golden.dump(index));
  }

  @Test
  void theIndexOfVersionOneIsRead() throws StorageException {
    byte[] golden = Golden.bytes(RESOURCE);
    HeapPages pages = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
    pages.pageCount = 1 + golden.length / PAGE_SIZE;
    pages.bytes = new byte[PAGE_SIZE + golden.length];
    System.arraycopy(golden, 0, pages.bytes, PAGE_SIZE, golden.length);
    DiskInvertedIndex index = DiskInvertedIndex.open(pages, pages.pageCount - 1);
    List<Entry> entries = model().entries();
    assertEquals(entries.size(), index.verify());
    assertEquals(entries.stream().map(Entry::toString).toList(), TextModel.read(index.scan()));
    TextQuery both = TextQuery.allWords(WORDS, "flow ebb");
    assertEquals(List.of("a", "p5"), TextModel.primaryKeys(index.search(both)));
  }
}
