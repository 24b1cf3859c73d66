package dev.varve.invertedindex.disk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.EntryGroups;
import dev.varve.common.format.EntryTransfer;
import dev.varve.common.format.EntryValidity;
import dev.varve.common.format.Validity;
import dev.varve.common.testkit.HeapPages;
import dev.varve.common.testkit.Seeds;
import dev.varve.invertedindex.InvertedFormat;
import dev.varve.invertedindex.TextData;
import dev.varve.invertedindex.TextModel;
import dev.varve.invertedindex.memory.MemoryInvertedIndex;
import dev.varve.invertedindex.memory.PostingGroups;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.KeywordTokenizer;
import dev.varve.invertedindex.token.TokenKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: what is transferred list by list, or loaded in groups, is, byte for byte, what comes of
 * adding entry by entry. Method: seeded memory indexes and components; entries are reconciled by a
 * map.
 */
final class ListTransferTest {
  private static final int PAGE_SIZE = 4096;
  private static final int SEEDS = 6;
  private static final EntryValidity ALL_VALID = (source, key) -> Validity.VALID;

  /** Transfers scans, which are closed, and returns the number of entries. */
  private static long transfer(
      List<EntryCursor> scans, EntryValidity validity, InvertedBuilder builder)
      throws StorageException {
    try {
      EntryTransfer transfer = builder.transfer(scans, validity);
      assertNotNull(transfer);
      long entries = 0;
      long moved = transfer.moveOn();
      while (moved != EntryTransfer.END) {
        entries += moved;
        moved = transfer.moveOn();
      }
      assertEquals(EntryTransfer.END, transfer.moveOn());
      return entries;
    } finally {
      scans.forEach(EntryCursor::close);
    }
  }

  private static void assertSame(HeapPages expected, HeapPages actual) {
    assertEquals(expected.pageCount, actual.pageCount);
    assertArrayEquals(expected.bytes, actual.bytes);
  }

  /** Puts, replaces and deletes documents, in an order that is not that of their keys. */
  private static MemoryInvertedIndex memory(TextData data, RandomGenerator random) {
    MemoryInvertedIndex memory = new MemoryInvertedIndex(data.tokenizer());
    int documents = random.nextInt(1, 2500);
    boolean inOrder = random.nextInt(3) == 0;
    for (int i = 0; i < documents; i++) {
      String key = String.format("k%05d", inOrder ? i : random.nextInt(2000));
      String text = random.nextInt(20) == 0 ? null : data.next(random);
      memory.put(TextModel.entry(key, text));
    }
    return memory;
  }

  @ParameterizedTest
  @EnumSource(TextData.class)
  void aMemoryIndexIsFlushedAsItsEntriesWouldBe(TextData data) throws Exception {
    Seeds.run(
        SEEDS,
        seed -> {
          MemoryInvertedIndex memory = memory(data, Seeds.random(seed));
          List<Entry> entries = new ArrayList<>();
          try (EntryCursor scan = memory.scan()) {
            while (scan.next()) {
              if (!scan.entry().antimatter()) {
                entries.add(new Entry().copyOf(scan.entry()));
              }
            }
          }
          HeapPages expected = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
          HeapPages actual = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
          int root = expected.build(entries);
          InvertedBuilder builder = new InvertedBuilder(actual);
          assertEquals(entries.size(), transfer(List.of(memory.scan()), ALL_VALID, builder));
          assertEquals(root, builder.finish());
          assertSame(expected, actual);
        });
  }

  @ParameterizedTest
  @EnumSource(TextData.class)
  void whatIsLoadedInGroupsIsAsItsEntriesWouldBe(TextData data) throws Exception {
    Seeds.run(SEEDS, seed -> load(data, Seeds.random(seed)));
  }

  private static void load(TextData data, RandomGenerator random) throws StorageException {
    MemoryInvertedIndex memory = new MemoryInvertedIndex(data.tokenizer());
    List<byte[]> groups = new ArrayList<>();
    EntryGroups.GroupSink sink = group -> groups.add(group.toByteArray());
    EntryGroups made = new PostingGroups(data.tokenizer(), random.nextInt(1 << 20));
    int documents = random.nextInt(1, 8000);
    for (int i = 0; i < documents; i++) {
      Entry document = TextModel.entry(String.format("k%05d", i), data.next(random));
      memory.put(document);
      made.add(document.key(), document.value(), sink);
    }
    made.handOut(sink);
    groups.sort(Arrays::compareUnsigned);
    List<Entry> entries = new ArrayList<>();
    try (EntryCursor scan = memory.scan()) {
      while (scan.next()) {
        entries.add(new Entry().copyOf(scan.entry()));
      }
    }
    HeapPages expected = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
    HeapPages actual = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
    int root = expected.build(entries);
    InvertedBuilder builder = new InvertedBuilder(actual);
    long added = 0;
    for (byte[] group : groups) {
      added += builder.addGroup(new Slice(group));
    }
    assertEquals(entries.size(), added);
    assertEquals(root, builder.finish());
    assertSame(expected, actual);
  }

  @ParameterizedTest
  @EnumSource(TextData.class)
  void componentsAreMergedAsTheirEntriesWouldBe(TextData data) throws Exception {
    Seeds.run(SEEDS, seed -> merge(data, Seeds.random(seed)));
  }

  private static void merge(TextData data, RandomGenerator random) throws StorageException {
    int sources = random.nextInt(1, 5);
    // Some documents are in several components without being deleted in between.
    int shared = random.nextInt(3) == 0 ? 3 : 1;
    List<DiskInvertedIndex> indexes = new ArrayList<>();
    List<Set<String>> deleted = new ArrayList<>();
    Set<String> gone = new HashSet<>();
    TreeMap<byte[], Entry> expected = new TreeMap<>(Arrays::compareUnsigned);
    for (int source = 0; source < sources; source++) {
      TextModel model = new TextModel(data.tokenizer());
      int apart = random.nextBoolean() ? 10_000 * source : 0;
      for (int i = random.nextInt(1, 1200); i > 0; i--) {
        int number = apart + random.nextInt(1500) * sources + source / shared;
        model.put(String.format("k%07d", number), data.next(random));
      }
      List<Entry> entries = model.entries();
      HeapPages pages = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
      indexes.add(DiskInvertedIndex.open(pages, pages.build(entries)));
      deleted.add(Set.copyOf(gone));
      for (Entry entry : entries) {
        String primaryKey = primaryKey(entry.key());
        if (!gone.contains(primaryKey)) {
          expected.put(entry.key().toByteArray(), entry);
        }
      }
      for (int i = 0; i < 5000; i++) {
        gone.add(String.format("k%07d", random.nextInt(20_000)));
      }
    }
    EntryValidity validity =
        (source, key) ->
            deleted.get(source).contains(primaryKey(key))
                ? Validity.DELETED_ON_DISK
                : Validity.VALID;
    List<EntryCursor> scans = new ArrayList<>();
    for (DiskInvertedIndex index : indexes) {
      scans.add(index.scan());
    }
    HeapPages wanted = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
    HeapPages merged = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
    int root = wanted.build(expected.values());
    InvertedBuilder builder = new InvertedBuilder(merged);
    assertEquals(expected.size(), transfer(scans, validity, builder));
    assertEquals(root, builder.finish());
    assertSame(wanted, merged);
  }

  private static String primaryKey(Slice key) {
    return TextModel.text(TokenKey.viewPrimaryKey(key, new Slice()));
  }

  /** Lists of every density, over several windows, of documents that came in no order. */
  @Test
  void longListsAreMerged() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(5));
    int documents = 90_000;
    List<EntryCursor> scans = new ArrayList<>();
    MemoryInvertedIndex all = new MemoryInvertedIndex(new KeywordTokenizer());
    for (int source = 0; source < 3; source++) {
      MemoryInvertedIndex memory = new MemoryInvertedIndex(new KeywordTokenizer());
      for (int i = 0; i < documents / 3; i++) {
        // Two of the components mingle, the third is behind them.
        int number = source == 2 ? documents + i : 2 * i + source;
        StringBuilder text = new StringBuilder("all ");
        for (int n = 2; n < 70_000; n *= 3) {
          text.append(number % n == 1 ? "every" + n + " " : "");
        }
        text.append("some").append((int) (3000 * Math.pow(random.nextDouble(), 3)));
        Entry entry = TextModel.entry(String.format("%07d", number), text.toString());
        memory.put(entry);
        all.put(entry);
      }
      HeapPages pages = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
      InvertedBuilder builder = new InvertedBuilder(pages);
      assertEquals(memory.entryCount(), transfer(List.of(memory.scan()), ALL_VALID, builder));
      scans.add(DiskInvertedIndex.open(pages, builder.finish()).scan());
    }
    HeapPages merged = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
    InvertedBuilder builder = new InvertedBuilder(merged);
    assertEquals(all.entryCount(), transfer(scans, ALL_VALID, builder));
    DiskInvertedIndex index = DiskInvertedIndex.open(merged, builder.finish());
    assertEquals(all.entryCount(), index.verify());
    assertEquals(TextModel.read(all.scan()), TextModel.read(index.scan()));
    TextQuery both = TextQuery.allWords(new KeywordTokenizer(), "every2 every18");
    assertEquals(TextModel.read(all.search(both)), TextModel.read(index.search(both)));
  }

  @Test
  void nothingThatIsLeftIsAnIndexWithoutPages() throws StorageException {
    MemoryInvertedIndex memory = new MemoryInvertedIndex(new KeywordTokenizer());
    HeapPages pages = new HeapPages(PAGE_SIZE, InvertedBuilder::new);
    InvertedBuilder builder = new InvertedBuilder(pages);
    memory.put(TextModel.entry("a", "some words"));
    assertEquals(
        0, transfer(List.of(memory.scan()), (source, key) -> Validity.DELETED_ON_DISK, builder));
    assertEquals(InvertedBuilder.NO_ROOT, builder.finish());
    memory.put(TextModel.entry("a", null));
    InvertedBuilder second = new InvertedBuilder(pages);
    assertEquals(0, transfer(List.of(memory.scan()), ALL_VALID, second));
    assertEquals(InvertedBuilder.NO_ROOT, second.finish());
    assertEquals(1, pages.pageCount);
  }

  @Test
  void primaryKeysThatAreTooLongAreRefused() throws StorageException {
    MemoryInvertedIndex memory = new MemoryInvertedIndex(new KeywordTokenizer());
    String key = "k".repeat(InvertedFormat.maxPrimaryKeyBytes(PAGE_SIZE) + 1);
    memory.put(TextModel.entry(key, "some words"));
    InvertedBuilder builder = new InvertedBuilder(new HeapPages(PAGE_SIZE, InvertedBuilder::new));
    assertThrows(LimitException.class, () -> transfer(List.of(memory.scan()), ALL_VALID, builder));
  }

  @Test
  void scansOfOthersComeEntryByEntry() throws StorageException {
    InvertedBuilder builder = new InvertedBuilder(new HeapPages(PAGE_SIZE, InvertedBuilder::new));
    EntryCursor other =
        new EntryCursor() {
          @Override
          public boolean next() {
            return false;
          }

          @Override
          public Entry entry() {
            return new Entry();
          }

          @Override
          public void close() {
            // Holds nothing.
          }
        };
    assertNull(builder.transfer(List.of(other), ALL_VALID));
  }
}
