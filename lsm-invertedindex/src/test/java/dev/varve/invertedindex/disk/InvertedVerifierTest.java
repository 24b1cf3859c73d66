package dev.varve.invertedindex.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageLayout;
import dev.varve.common.testkit.HeapPages;
import dev.varve.common.testkit.Seeds;
import dev.varve.invertedindex.TextData;
import dev.varve.invertedindex.TextModel;
import dev.varve.invertedindex.postings.ListScan;
import dev.varve.invertedindex.query.TextQuery;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages that were written wrong are found, and none leads a reader out of bounds. */
class InvertedVerifierTest {
  private static final long SEED = 99;
  private static final int PAGE_SIZE = 4096;
  private static final int DOCUMENTS = 1200;

  private HeapPages pages;
  private int root;

  @BeforeEach
  void build() throws StorageException {
    pages = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
    root = build(pages, TextData.FEW_WORDS, DOCUMENTS);
    DiskInvertedIndex.open(pages, root).verify();
  }

  private static int build(HeapPages target, TextData data, int documents) throws StorageException {
    RandomGenerator random = Seeds.random(SEED);
    TextModel model = new TextModel(data.tokenizer());
    for (int i = 0; i < documents; i++) {
      model.put(String.format("k%05d", i), data.next(random));
    }
    return target.build(model.entries());
  }

  private static int at(int page) {
    return page * PAGE_SIZE;
  }

  private int postingPage() {
    for (int page = 1; page < pages.pageCount; page++) {
      if (pages.bytes[at(page) + PageLayout.KIND] == PostingLayout.KIND) {
        return page;
      }
    }
    throw new AssertionError("no page of postings");
  }

  private void assertVerifyFails(String problem) {
    CorruptionException found =
        assertThrows(CorruptionException.class, () -> DiskInvertedIndex.open(pages, root).verify());
    assertTrue(found.getMessage().contains(problem), found::getMessage);
  }

  private void add(int offset, int more) {
    Bytes.putInt(pages.bytes, offset, Bytes.getInt(pages.bytes, offset) + more);
  }

  @Test
  void aRootThatCountsWrongIsFound() {
    add(at(root) + RootLayout.POSTINGS, 1);
    assertVerifyFails("its root page says");
    add(at(root) + RootLayout.POSTINGS, -1);
    add(at(root) + RootLayout.DOCUMENTS, 1);
    assertVerifyFails("documents from");
  }

  @Test
  void aRootThatPointsOutOfTheFileIsFound() {
    add(at(root) + RootLayout.FIRST_PAGE, pages.pageCount);
    assertVerifyFails("documents from page");
    add(at(root) + RootLayout.FIRST_PAGE, -pages.pageCount);
    add(at(root) + RootLayout.DICTIONARY, pages.pageCount);
    assertVerifyFails("dictionary at page");
    add(at(root) + RootLayout.DICTIONARY, -pages.pageCount);
    add(at(root) + RootLayout.PAGES, PAGE_SIZE);
    assertVerifyFails("pages of documents");
    add(at(root) + RootLayout.PAGES, -PAGE_SIZE);
    add(at(root) + RootLayout.ORDINALS + 4, DOCUMENTS);
    assertVerifyFails("of documents begins with");
    root = 1;
    assertVerifyFails("no root page");
  }

  @Test
  void documentsThatAreWrongAreFound() {
    int key = at(1) + DocumentLayout.KEYS;
    pages.bytes[key + 7 + 6] = '0';
    assertVerifyFails("is not above the one before");
    pages.bytes[key + 7 + 6] = '1';
    pages.bytes[key + 7]++;
    assertVerifyFails("is that of a token");
    pages.bytes[key + 7]--;
    add(at(1) + DocumentLayout.FIRST, 1);
    assertVerifyFails("documents from 1");
    add(at(1) + DocumentLayout.FIRST, -1);
    add(at(1) + DocumentLayout.WIDTH, 1);
    assertVerifyFails("of 8 bytes");
    add(at(1) + DocumentLayout.WIDTH, -1);
    pages.bytes[at(1) + PAGE_SIZE - 1] = 1;
    assertVerifyFails("bytes at the end");
    pages.bytes[at(1) + PAGE_SIZE - 1] = 0;
    pages.bytes[at(1) + PageLayout.KIND]++;
    assertVerifyFails("no page of documents");
  }

  @Test
  void postingsThatAreWrongAreFound() {
    int first = at(postingPage()) + PostingLayout.WINDOWS;
    // A window number and a count, of which one is the whole list.
    int positions = first + 3;
    int second = Bytes.getUnsignedShort(pages.bytes, positions + 2);
    Bytes.putShort(pages.bytes, positions + 2, Bytes.getUnsignedShort(pages.bytes, positions));
    assertVerifyFails("follows");
    Bytes.putShort(pages.bytes, positions + 2, 0xFFFF);
    assertVerifyFails("a position outside of window 0");
    Bytes.putShort(pages.bytes, positions + 2, second);
    pages.bytes[first]++;
    assertVerifyFails("position");
    pages.bytes[first] = 0;
    assertVerifyFails("window of -1 postings");
    pages.bytes[first] = 1;
    pages.bytes[first + 1]++;
    assertVerifyFails("");
    pages.bytes[first + 1]--;
    add(at(postingPage()) + PostingLayout.END, PAGE_SIZE);
    assertVerifyFails("windows from");
  }

  @Test
  void aMergeFindsPostingsThatAreWrong() throws StorageException {
    int positions = at(postingPage()) + PostingLayout.WINDOWS + 3;
    int second = Bytes.getUnsignedShort(pages.bytes, positions + 2);
    Bytes.putShort(pages.bytes, positions + 2, Bytes.getUnsignedShort(pages.bytes, positions));
    assertMergeFails("no ascending postings");
    Bytes.putShort(pages.bytes, positions + 2, second);
    // Of the list of one document more, one is missing at the end.
    int one = pages.bytes[positions - 2] & 0x7F;
    assertTrue(one > 1 && one < 0x7F, "a count that can be made less by one in its first byte");
    pages.bytes[positions - 2]--;
    assertMergeFails("");
  }

  private void assertMergeFails(String problem) {
    CorruptionException found =
        assertThrows(
            CorruptionException.class,
            () -> exhaustLists(DiskInvertedIndex.open(pages, root).scan()));
    assertTrue(found.getMessage().contains(problem), found::getMessage);
  }

  @Test
  void aPageOfPostingsThatIsNoneIsFound() {
    pages.bytes[at(postingPage()) + PageLayout.KIND] = DocumentLayout.KIND;
    assertVerifyFails("no page of postings");
  }

  /** Whatever one or two bytes are changed to, reading gives a corruption error or an answer. */
  @ParameterizedTest
  @EnumSource(TextData.class)
  void noDamageLeadsOutOfBounds(TextData data) throws StorageException {
    HeapPages good = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
    int goodRoot = build(good, data, data == TextData.FEW_WORDS ? 1500 : 120);
    RandomGenerator random = Seeds.random(Seeds.one(SEED));
    HeapPages damaged = good.copy();
    for (int i = 0; i < 3000; i++) {
      System.arraycopy(good.bytes, 0, damaged.bytes, 0, good.bytes.length);
      for (int change = random.nextInt(2); change >= 0; change--) {
        int page = random.nextInt(1, good.pageCount);
        // Heads decide what is read, and are a small part of a page.
        int within = random.nextInt(random.nextBoolean() ? 40 : PAGE_SIZE);
        damaged.bytes[at(page) + within] = (byte) random.nextInt();
      }
      read(damaged, goodRoot, data);
      assertEquals(0, damaged.pinned);
    }
  }

  private static void read(HeapPages damaged, int damagedRoot, TextData data) {
    RandomGenerator random = Seeds.random(1);
    try {
      DiskInvertedIndex index = DiskInvertedIndex.open(damaged, damagedRoot);
      index.find(TextModel.entry("k00077", "").key(), new Entry());
      for (int i = 0; i < 6; i++) {
        TextQuery query = data.query(data.next(random), random);
        if (query != null) {
          exhaust(index.search(query));
        }
      }
      exhaust(index.scan());
      exhaustLists(index.scan());
      index.verify();
    } catch (StorageException expected) {
      assertTrue(expected instanceof CorruptionException, expected::toString);
    }
  }

  /** As a merge reads it. */
  private static void exhaustLists(EntryCursor opened) throws StorageException {
    Slice view = new Slice();
    try (ListScan scan = (ListScan) opened) {
      while (scan.nextDocument(view)) {
        assertTrue(view.length() > 0);
      }
      while (scan.nextToken(view)) {
        int last = -1;
        for (int count = scan.nextPostings(); count > 0; count = scan.nextPostings()) {
          for (int i = 0; i < count; i++) {
            assertTrue(scan.postings()[i] > last && scan.postings()[i] < scan.documents());
            last = scan.postings()[i];
          }
        }
      }
    }
  }

  private static void exhaust(EntryCursor opened) throws StorageException {
    try (EntryCursor cursor = opened) {
      while (cursor.next()) {
        assertTrue(cursor.entry().key().length() > 0);
      }
    }
  }
}
